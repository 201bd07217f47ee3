//! What a frame does to a story, and must not: dialogs, comments, side columns, hidden notices, links
//! that are never closed, names of page builders.

use super::{PROSE, page};
use firsthand::settings::Extract;

fn main_text(html: &str) -> String {
    page(html, Extract::Main).text
}

/// A short post.
const POST: &str =
    "<h1>Low water</h1><p>The ferry does not sail this week.</p><p>Ask at the quay.</p>";
/// The running text of a dialog.
const ASKING: &str =
    "Wir und unsere Partner speichern Angaben auf Ihrem Gerät und lesen sie aus, um
    Anzeigen zu messen, Inhalte auszuwählen und die Seite zu verbessern; Sie können das ablehnen.";
/// Titles of posts, each a link.
fn titles() -> String {
    let titles = ["Low water", "The new quay", "Lights along the coast", "A winter of storms"];
    let rows = ["Ropes and rings", "The ropewalk reopens", "Who owns the beach", "Crab season"];
    let item = |title: &str| format!("<article><h2><a href=/p>{title}</a></h2></article>");
    titles.iter().chain(&rows).map(|title| item(title)).collect()
}

#[test]
fn a_link_that_is_never_closed_does_not_swallow_the_story() {
    let menu = "<ul class=nav><li><a href=/>Home</a><li><a href=/n>News</a></ul>";
    let story = PROSE.repeat(6);
    for link in ["<a href=/big>", "<a href=/big><img src=x>", "<a class=x href='#'>"] {
        let html = format!("{menu}<div><h1>Bridge</h1>{link}{story}</div>");
        let found = main_text(&html);
        assert_eq!(found.matches("harbour bridge").count(), 6, "{link}: {found}");
    }
    // A link of a few words may hold several blocks.
    let card = "<a href=/c><h3>Ferry late</h3><p>Storm</p></a>";
    let html = format!("<div>{story}</div><div>{}</div>", card.repeat(5));
    assert!(!main_text(&html).contains("Storm"));
}

#[test]
fn a_dialog_is_not_the_text_of_a_list_of_posts() {
    let buttons = "<button>Ablehnen</button><button>Zustimmen</button>";
    let dialogs = [
        format!("<div role=dialog><p>{ASKING}</p></div>"),
        format!("<div role=alertdialog><div><p>{ASKING}</p></div></div>"),
        format!("<div aria-modal=true><p>{ASKING}</p></div>"),
        format!("<dialog open><p>{ASKING}</p></dialog>"),
        format!("<div id=cookie-bar><p>{ASKING}</p></div>"),
        format!("<div class='x1 gdprNotice'><p>{ASKING}</p></div>"),
        format!("<div class=qx><div><p>{ASKING}</p></div><div>{buttons}</div></div>"),
        format!(
            "<div class=qx><p>{ASKING}</p><a class='btn b1' href=#>Nein</a>
            <a class='btn b2' href=#>Ja</a></div>"
        ),
    ];
    let frame = "<p>All posts by Anna, who has lived at the quay since the year of the flood</p>";
    for dialog in &dialogs {
        for (before, after) in [(dialog.as_str(), ""), ("", dialog.as_str())] {
            let html = format!("{before}<main>{frame}{}</main>{after}", titles());
            let found = main_text(&html);
            assert!(!found.contains("Partner"), "{dialog}: {found}");
            assert!(found.contains("Crab season"), "{dialog}: {found}");
        }
    }
    // What is named so and is all there is, is the text.
    let html = format!("<div class=cookie-recipes>{}</div>", PROSE.repeat(3));
    assert_eq!(main_text(&html).lines().count(), 3);
    let html = format!("<article class='post tag-cookies'>{}</article>{POST}", PROSE.repeat(3));
    assert!(main_text(&html).contains("harbour bridge"));
}

#[test]
fn a_side_column_does_not_outweigh_a_list_of_titles() {
    let side = format!("<div class=sidebar><h3>About</h3>{}</div>", PROSE.repeat(2));
    for list in [format!("<main>{}</main>", titles()), format!("<div role=main>{}</div>", titles())]
    {
        let found = main_text(&format!("{list}{side}"));
        assert!(found.contains("Crab season") && found.contains("Low water"), "{found}");
    }
}

#[test]
fn a_list_of_titles_without_any_names_is_the_text() {
    let menu = "<ul class=menu><li><a href=/>Home</a><li><a href=/n>News</a></ul>";
    let dates = titles().replace("</h2>", "</h2><span>12 May</span>").replace("article", "div");
    let foot = "<div class=footer><p>Closed on Sundays.</p></div>";
    let found = main_text(&format!("{menu}<div><div>{dates}</div></div>{foot}"));
    assert!(found.contains("Crab season") && found.contains("Low water"), "{found}");
    assert!(!found.contains("News") && !found.contains("Sundays"), "{found}");
}

#[test]
fn a_hidden_notice_does_not_stand_for_a_short_post() {
    let notice =
        "An error has occurred while the page was loaded. Please reload it, or write to the
        harbour office if this happens again.";
    let hidden = [
        format!("<div style='display: none'><p>{notice}</p></div>"),
        format!("<div hidden><p>{notice}</p></div>"),
        format!("<div aria-hidden=true><p>{notice}</p></div>"),
        format!("<noscript><p>{notice}</p></noscript>"),
        format!("<template><p>{notice}</p></template>"),
    ];
    let foot = "<div>Open from nine to five. Closed on Sundays.</div>";
    for hidden in hidden {
        let found = main_text(&format!("{hidden}{POST}{foot}"));
        assert!(found.contains("does not sail") && !found.contains("error"), "{hidden}: {found}");
    }
}

#[test]
fn comments_do_not_win_over_the_story_however_long_they_are() {
    let comment = "<div class=comment><p>I have said so for years, and nobody would listen: the old
        quay cannot bear the new ferries, and whoever built it knew that very well.</p></div>";
    let story = PROSE.repeat(2);
    for around in ["<div id=comments>", "<section class='comments-area'>", "<ol id=commentlist>"] {
        let html = format!("<div><h1>Bridge</h1>{story}</div>{around}{}</div>", comment.repeat(30));
        let found = main_text(&html);
        assert_eq!(found.matches("harbour bridge").count(), 2, "{around}: {found}");
        assert!(!found.contains("nobody would listen"), "{around}: {found}");
    }
}

#[test]
fn who_wrote_a_story_is_not_part_of_it() {
    let bio = "<p>Anna Holm has written about harbours, ferries and the people on them for twenty
        years, and lives on a boat at the north quay with two dogs.</p>";
    let story = PROSE.repeat(5);
    for around in ["<div class=author-box>", "<div class='about-author x'>", "<div id=author>"] {
        let html = format!("<div><div class=x>{story}</div>{around}{bio}</div></div>");
        let found = main_text(&html);
        assert!(
            found.contains("harbour bridge") && !found.contains("two dogs"),
            "{around}: {found}"
        );
    }
    let html = format!("<article class='post author-anna'>{story}{bio}</article>");
    assert!(main_text(&html).contains("two dogs"));
}

#[test]
fn names_that_most_of_the_text_has_say_nothing() {
    let widget =
        |i: usize| format!("<div class='e-{i}f widget widget-text'><div>{PROSE}</div></div>");
    let menu = "<nav><a href=/>Home</a> <a href=/n>News</a></nav>";
    let html = format!("{menu}<div>{}</div>", (0..6).map(widget).collect::<String>());
    assert_eq!(main_text(&html).lines().count(), 6);
    // The words after tag, category and author are values.
    let post = |tag: &str| format!("<div class='post tag-{tag} category-{tag}'>{PROSE}</div>");
    let posts: String = ["video", "weather", "shop", "social"].map(post).concat();
    assert_eq!(main_text(&format!("{menu}{posts}")).lines().count(), 4);
}

#[test]
fn a_text_beside_which_more_was_left_out_is_doubtful() {
    let menu = "<nav><a href=/>Home</a> <a href=/n>News</a></nav>";
    let story = format!("{menu}<div class=story-body>{}</div>", PROSE.repeat(4));
    assert!(!page(&story, Extract::Main).doubtful);
    let links = "<li><a href=/1>Ropes and rings for all boats</a></li>".repeat(8);
    let teasers = format!(
        "<div><ul>{links}</ul><p>It is told by those who were there when the lights went out and
        the boats came in.</p></div>"
    );
    let little = format!("{menu}<div class=story>{PROSE}{PROSE}</div>{}", teasers.repeat(5));
    let found = page(&little, Extract::Main);
    assert!(found.doubtful, "{}", found.text);
    assert!(!page(&little, Extract::Text).doubtful);
}
