//! Pages other than news: forums, manuals, recipes, tables, lists of links.

use super::page;
use firsthand::settings::Extract;

/// A page with typical furniture around the text.
fn framed(title: &str, text: &str) -> String {
    format!(
        "<title>{title} | Harbour club</title><nav class='site-nav'><ul><li><a href=/>Home</a>
        <li><a href=/g>Guides</a><li><a href=/s>Shop</a></ul></nav>{text}<footer><p>Copyright 2024
        Harbour club. <a href=/p>Privacy</a></p></footer>"
    )
}

/// The main text, without the furniture.
fn main_text(title: &str, text: &str) -> String {
    let found = page(&framed(title, text), Extract::Main).text;
    for furniture in ["Guides", "Shop", "Copyright", "Privacy"] {
        assert!(!found.contains(furniture), "{furniture} in {found}");
    }
    found
}

const POSTS: [(&str, &str); 4] = [
    (
        "anna",
        "I have tried to tie the old rope to the new ring, but it keeps slipping whenever the tide
        turns. Has anyone an idea?",
    ),
    (
        "bert",
        "We had the same trouble last year on the north quay, and in the end we changed the ring for
        a wider one, which has held ever since.",
    ),
    ("carl", "A round turn and two half hitches hold on any ring, whatever the tide and the rope do."),
    (
        "dora",
        "For what it is worth, the harbour office lends out the wider rings for nothing if you ask
        for them in the morning.",
    ),
];

#[test]
fn all_posts_of_a_forum_are_its_text() {
    let shapes = [
        "<article class='message'><div class='message-user'><h4><a href=/u>NAME</a></h4></div>
            <div class='message-content'><a href=/p>12 May 2021</a><div class='wrapper'>TEXT</div>
            </div></article>",
        "<div class='comment'><a href=/u>NAME</a><div class='comment-text'>TEXT</div></div>",
        "<div class='post'><dl class='postprofile'><dt><a href=/u>NAME</a></dt></dl>
            <div class='postbody'><h3><a href=/p>Re: Rope</a></h3><div class='content'>TEXT</div>
            </div></div>",
        "<table><tr><td><a href=/u>NAME</a></td><td><div class='post'>TEXT</div></td></tr></table>",
        "<li><a href=/u>NAME</a><p>TEXT</p></li>",
    ];
    for shape in shapes {
        let posts = POSTS.map(|(name, text)| shape.replace("NAME", name).replace("TEXT", text));
        let thread = format!("<div><h1>Rope slips</h1><div>{}</div></div>", posts.concat());
        let found = main_text("Rope slips", &thread);
        for start in ["I have tried to", "We had the same", "A round turn", "For what it is"] {
            assert!(found.lines().any(|line| line.starts_with(start)), "{shape}: {found}");
        }
    }
}

#[test]
fn comments_below_a_story_are_not_its_text() {
    let story = format!("<div class='story'>{}</div>", super::PROSE.repeat(4));
    let comments = POSTS.map(|(_, text)| format!("<div class='comment'><p>{text}</p></div>"));
    let found = main_text("Bridge", &format!("{story}<div>{}</div>", comments.concat()));
    assert!(found.contains("harbour bridge") && !found.contains("half hitches"), "{found}");
}

#[test]
fn nor_is_what_stands_below_a_heading_that_says_comments() {
    let story = super::PROSE.repeat(3);
    let posts = POSTS.map(|(_, text)| format!("<p>{text}</p>")).concat();
    let hidden =
        ["Comments", "38 comments", "Comments (4)", "3 Responses to “Bridge”", "TrackBack"];
    for heading in hidden {
        let html = format!(
            "<div><div><h2>Bridge</h2>{story}<h3>{heading}</h3>{posts}</div><h2>More</h2>{story}</div>"
        );
        let found = main_text("Bridge", &html);
        assert!(!found.contains("half hitches") && !found.contains(heading), "{heading}: {found}");
        assert_eq!(found.matches("harbour bridge").count(), 6, "{heading}: {found}");
    }
    // Other headings do not, nor does one above the story.
    let html = format!("<div><h2>Bridge</h2>{story}<h3>Comments on ropes</h3>{posts}</div>");
    assert!(main_text("Bridge", &html).contains("half hitches"));
    let html = format!("<div><h2>Comments</h2>{posts}{story}</div>");
    assert!(main_text("Bridge", &html).contains("half hitches"));
    // The next heading of the same level ends it.
    let html = format!("<div>{story}<h3>Comments</h3>{posts}<h3>Bridge again</h3>{story}</div>");
    assert_eq!(main_text("Bridge", &html).matches("harbour bridge").count(), 6);
}

#[test]
fn lists_and_tables_inside_the_text_are_kept_whole() {
    let recipe = "<div class='content'><h1>Herring soup</h1><p>Serves four.</p><h2>Ingredients</h2>
        <ul><li>500 g herring<li>2 onions<li>1 l milk<li>salt</ul><h2>Method</h2><ol>
        <li>Cut the onions and fry them in butter until they are golden.
        <li>Add the milk and bring it to the boil.
        <li>Add the herring and let it simmer for ten minutes.</ol></div>";
    let found = main_text("Herring soup", recipe);
    for item in ["500 g herring", "2 onions", "1 l milk", "salt", "Add the milk"] {
        assert!(found.contains(item), "{item} is not in {found}");
    }
    let table =
        "<div class='content'><h1>Ferry times</h1><p>The times hold from April to October.</p>
        <table><tr><th>Port<th>First<th>Last<tr><td>Northport<td>6:40<td>18:20
        <tr><td>Eastness<td>7:15<td>19:05<tr><td>Long Isle<td>8:00<td>20:10<tr><td>South Quay
        <td>9:30<td>21:45<tr><td>Crab Bay<td>10:10<td>22:00</table></div>";
    let found = main_text("Ferry times", table);
    for row in ["Port First Last", "Northport 6:40 18:20", "Long Isle 8:00 20:10"] {
        assert!(found.lines().any(|line| line == row), "{row} is not in {found}");
    }
}

#[test]
fn manuals_keep_signatures_and_code() {
    let manual = "<div class='related'><h3>Navigation</h3><ul><li><a href=/n>next</a></ul></div>
        <div class='document'><div class='body' role='main'><h1>Rings and ropes</h1>
        <p>This module holds the rings of a quay.</p>
        <dl class='function'><dt>tie(rope, ring, turns=2)</dt><dd><p>Ties a rope to a ring.</p>
        <table><tr><th>Returns:<td>the knot</table></dd></dl>
        <pre>knot = tie(rope, ring)\nknot.turns</pre></div></div>
        <div class='sidebar'><h3>Contents</h3><ul><li><a href=#a>Rings</a></ul></div>";
    let found = main_text("Rings and ropes", manual);
    for part in
        ["tie(rope, ring, turns=2)", "Returns: the knot", "knot = tie(rope, ring) knot.turns"]
    {
        assert!(found.contains(part), "{part} is not in {found}");
    }
    assert!(!found.contains("Navigation") && !found.contains("Contents"), "{found}");
}

#[test]
fn lists_of_links_with_words_about_each_are_text() {
    let items = [
        ("How ropes are made", "a short film from the old ropewalk"),
        ("A map of all lighthouses", "with the colour of each light"),
        ("Why tides differ", "explained with a bathtub and a spoon"),
    ];
    let items = items.map(|(link, about)| format!("<li><a href=/l>{link}</a> – {about}</li>"));
    let letter = format!(
        "<div class='content'><h1>Links for the weekend</h1><p>What we read this week:</p>
        <ul>{}</ul></div>",
        items.concat()
    );
    let found = main_text("Links for the weekend", &letter);
    assert!(found.contains("old ropewalk") && found.contains("Why tides differ"), "{found}");
}

#[test]
fn tables_definitions_and_code_of_a_manual_are_its_text() {
    let rows = |i: usize| {
        format!(
            "<tr><td><a href=#f{i}>tie{i}</a></td><td>void</td><td><a href=/k>Knot</a> k</td></tr>
            <tr><td><code>turns{i}</code></td><td>int</td><td>the turns</td></tr>"
        )
    };
    let table: String = (0..12).map(rows).collect();
    let entry = |i: usize| {
        format!(
            "<dl><dt><a href=#d{i}>ring{i}</a></dt><dd>A ring of size {i}.</dd></dl>
            <pre>let r{i} = ring({i});</pre>"
        )
    };
    let entries: String = (0..12).map(entry).collect();
    let ways = [("<main>", "</main>"), ("<div id=content>", "</div>"), ("<div class=x>", "</div>")];
    for (open, close) in ways {
        let manual =
            format!("{open}<h1>Rings</h1><p>All rings.</p><table>{table}</table>{entries}{close}");
        let found = main_text("Rings", &manual);
        for part in ["tie7", "turns7 int the turns", "A ring of size 7.", "let r7 = ring(7);"] {
            assert!(found.contains(part), "{open}: {part} is not in {found}");
        }
    }
}

#[test]
fn a_table_of_contents_is_the_text_of_a_page_that_has_no_other() {
    let chapter = |i: usize| format!("<li><a href=/{i}>Chapter {i}: knots for rope {i}</a></li>");
    let chapters: String = (1..20).map(chapter).collect();
    let index = format!("<div class=content><h1>Knots</h1><ol>{chapters}</ol></div>");
    assert!(main_text("Knots", &index).contains("Chapter 17: knots for rope 17"));
    // Beside a story, links are pointers to other pages.
    let story = super::PROSE.repeat(5);
    let html = format!("<div class=content><h1>Knots</h1>{story}<ol>{chapters}</ol></div>");
    assert!(!main_text("Knots", &html).contains("Chapter 17"));
}
