//! Quote marks and attributions, and texts that only look like them.

use super::{check, new_text};

#[test]
fn marks_of_quotes() {
    check(
        "below a quote",
        Some("Re: ferry"),
        "
.On Mon, 3 May 2004, Ann Lee wrote:
.
.> When does the ferry leave?
.> Is it late again?
.
+It leaves at nine, and it is late.
+
.> > Who sails it?
+
+Nobody knows.
",
    );
    check(
        "above a quote",
        Some("Re: ferry"),
        "
+It leaves at nine.
+
+Bob
+
.On Mon, May 3, 2004 at 10:12 AM, Ann Lee <ann@example.org> wrote:
.> When does the ferry leave?
",
    );
    check(
        "spaced and joined marks",
        Some("Re: ferry"),
        "
.In article <123@example.org> ann@example.org (Ann Lee) writes:
. >>When
.  > > does it leave?
.|> Soon?
.:> Never?
+Today.
",
    );
    check(
        "initials",
        Some("Re: ferry"),
        "
+Hello Ann,
+
.AL> When does the ferry leave?
.AL> Is it late?
+At nine.
.AL>> older
",
    );
    check(
        "names in small letters after an attribution",
        Some("Re: ferry"),
        "
.Ann Lee writes:
.
.al> When does the ferry leave?
+At nine.
",
    );
    check(
        "bars and colons after an attribution",
        Some("late again"),
        "
.Ann Lee (ann@example.org) wrote:
.: When does the ferry leave?
.: Today?
+At nine.
.: One line.
",
    );
    check(
        "bars in a reply",
        Some("AW: ferry"),
        "
.| When does the ferry leave?
.| Today?
+At nine.
",
    );
    check(
        "odd marks after an attribution",
        Some("Re: ferry"),
        "
.ann@example.org (Ann Lee) writes:
.} When does the ferry leave?
.} Today?
+At nine.
.} And then?
+Then not.
",
    );
    check(
        "indented after an attribution",
        Some("Re: ferry"),
        "
.In article <123@example.org> ann@example.org writes:
.
.   When does the ferry leave?
.
.   Is it late?
+
+At nine.
",
    );
    check(
        "a word broken off a quoted line",
        Some("Re: ferry"),
        "
.> When the ferry left the harbour in the morning it was already very
.late
.> and nobody was surprised.
+I was.
",
    );
}

#[test]
fn what_uses_marks_as_content() {
    check(
        "a table",
        Some("Re: ferry times"),
        "
+Here they are:
+
+| day | leaves | arrives |
+|-----|--------|---------|
+| Mon | 9:00   | 10:00   |
+| Tue | 9:30   | 10:30   |
",
    );
    check(
        "bars where nothing is answered",
        Some("a poem"),
        "
+| The ferry goes
+| where the water flows
",
    );
    check(
        "a Python session",
        Some("how to add"),
        "
+Try this:
+>>> print(1 + 1)
+2
+>>> quit()
",
    );
    check(
        "a comparison of files",
        Some("patch"),
        "
+3c3
+< the old line
+---
+> the new line
",
    );
    check(
        "an escaped word",
        Some("ferry"),
        "
+We sailed all day.
+>From there we walked.
",
    );
    check(
        "smiles",
        Some("Re: ferry"),
        "
+:-) That is good.
+:-( That is not.
",
    );
    check(
        "prompts",
        Some("Re: database"),
        "
+mysql> select 1;
+mysql> quit
",
    );
    check(
        "only marked lines, answering nothing",
        Some("main.lhs"),
        "
+> main = print 1
+> other = 2
",
    );
    check(
        "words before a list",
        Some("ferry"),
        "
+The captain said:
+
+   Cast off at nine
+   Do not wait
",
    );
}

#[test]
fn attributions_in_many_languages() {
    let attributions = [
        "On 3 May 2004 at 10:12, Ann Lee wrote:",
        "On Mon, May 3, 2004 at 10:12 AM, Ann Lee\n<ann@example.org> wrote:",
        "Ann Lee <ann@example.org> said:",
        "In article <1@example.org>,\nAnn Lee <ann@example.org> wrote:",
        "In article <1@example.org> ann@example.org writes...",
        "Quoting Ann Lee <ann@example.org>:",
        "2009/5/12 Ann Lee <ann@example.org>:",
        "Am 03.05.2004 um 10:12 schrieb Ann Lee:",
        "Am Mo., 3. Mai 2004 um 10:12 Uhr schrieb Ann Lee\n<ann@example.org>:",
        "Le lun. 3 mai 2004 à 10:12, Ann Lee <ann@example.org> a écrit :",
        "El lun, 3 may 2004 a las 10:12, Ann Lee (<ann@example.org>) escribió:",
        "Il giorno lun 3 mag 2004 alle ore 10:12 Ann Lee <ann@example.org> ha scritto:",
        "Op ma 3 mei 2004 om 10:12 schreef Ann Lee <ann@example.org>:",
        "Em seg., 3 de mai. de 2004 às 10:12, Ann Lee <ann@example.org> escreveu:",
        "Den mån 3 maj 2004 kl 10:12 skrev Ann Lee <ann@example.org>:",
        "W dniu 2004-05-03 10:12, Ann Lee pisze:",
        "Dne 3. 5. 2004 v 10:12 Ann Lee napsal(a):",
        "пн, 3 мая 2004 г. в 10:12, Анна Ли <ann@example.org>:",
        "3 мая 2004 г., 10:12 пользователь Анна Ли <ann@example.org> написал:",
        "在 2004年5月3日 10:12，Ann Lee <ann@example.org> 写道：",
    ];
    for attribution in attributions {
        let text = format!("At nine.\n\n{attribution}\n\n> When does it leave?\n");
        assert_eq!(new_text(&text, Some("Re: ferry")).trim(), "At nine.", "{attribution}");
    }
}
