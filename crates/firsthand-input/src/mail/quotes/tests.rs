//! Messages as people and programs write them, and which of their lines are new.
//!
//! In the tables a line that starts with `+` is kept, one that starts with `.` is set apart.

use proptest::prelude::*;

use super::*;

/// Splits a drawn message and compares line by line.
fn check(name: &str, subject: Option<&str>, drawn: &str) {
    let lines = || drawn.lines().filter(|line| !line.is_empty());
    let text: String = lines().map(|line| format!("{}\n", &line[1..])).collect();
    let wanted: Vec<&str> =
        lines().filter(|line| line.starts_with('+')).map(|line| line[1..].trim()).collect();
    let blocks = split(&text, subject);
    let kept = blocks.iter().filter(|block| block.kept);
    let found: Vec<&str> = kept.flat_map(|block| block.text.lines()).map(str::trim).collect();
    let filled = |lines: Vec<&str>| -> Vec<String> {
        lines.into_iter().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(filled(found), filled(wanted), "{name}: {blocks:#?}");
}

fn new_text(text: &str, subject: Option<&str>) -> String {
    kept(&split(text, subject))
}

fn reason(text: &str, subject: Option<&str>, of: &str) -> &'static str {
    let blocks = split(text, subject);
    let found = blocks.iter().find(|block| block.text.contains(of));
    found.map(|block| block.reason).unwrap_or("nowhere")
}

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

#[test]
fn answered_messages_after_a_marker() {
    let markers = [
        "-----Original Message-----\nFrom: Ann Lee\nSent: Monday, May 3\nTo: Bob\nSubject: ferry",
        "-----Ursprüngliche Nachricht-----\nVon: Ann Lee\nGesendet: Montag\nAn: Bob\nBetreff: Fähre",
        "-----Message d'origine-----\nDe : Ann Lee\nEnvoyé : lundi\nÀ : Bob\nObjet : bac",
        "-----Mensaje original-----\nDe: Ann Lee\nEnviado el: lunes\nPara: Bob\nAsunto: barco",
        "-----Messaggio originale-----\nDa: Ann Lee\nInviato: lunedì\nA: Bob\nOggetto: nave",
        "-----Oorspronkelijk bericht-----\nVan: Ann Lee\nVerzonden: maandag\nAan: Bob\nOnderwerp: veer",
        "-----Исходное сообщение-----\nОт: Анна Ли\nОтправлено: понедельник\nКому: Боб\nТема: паром",
        "________________________________\nFrom: Ann Lee\nSent: Monday\nTo: Bob\nSubject: ferry",
        "From: Ann Lee <ann@example.org>\nDate: Monday, May 3\nTo: Bob\nSubject: ferry",
        "*From:* Ann Lee\n*Sent:* Monday\n*To:* Bob; Carl;\nDora; Emil\n*Subject:* ferry",
        "发件人: Ann Lee\n发送时间: 2004年5月3日\n收件人: Bob\n主题: ferry",
        "On Mon, May 3, 2004 at 10:12 AM, Ann Lee <ann@example.org> wrote:",
    ];
    for marker in markers {
        let text = format!("At nine.\n\nBob\n\n{marker}\n\nWhen does it leave?\n> older\nAnn\n");
        assert_eq!(new_text(&text, Some("RE: ferry")), "At nine.\n\nBob", "{marker}");
        assert_eq!(new_text(&text, None), "At nine.\n\nBob", "{marker}");
        let bare = format!("{marker}\n\nWhen does it leave?\n");
        if !marker.starts_with("On ") {
            assert_eq!(new_text(&bare, Some("RE: ferry")), "", "{marker}");
        }
    }
    check(
        "marks after the marker",
        Some("Re: ferry"),
        "
.----- Original Message -----
.From: \"Ann Lee\" <ann@example.org>
.
.> When does it leave?
+At nine.
",
    );
}

#[test]
fn forwarded_messages() {
    check(
        "said so",
        Some("ferry"),
        "
+Have a look.
+
.---------- Forwarded message ----------
.From: Ann Lee <ann@example.org>
.Date: Mon, May 3, 2004 at 10:12 AM
.Subject: ferry
.To: Bob <bob@example.org>
+
+The ferry leaves at nine.
+
.-----Original Message-----
.From: Carl
.Sent: Sunday
.To: Ann
.
.When does it leave?
",
    );
    check(
        "by the subject",
        Some("FW: ferry"),
        "
.-----Original Message-----
.From: Ann Lee
.Sent: Monday, May 3
.To: Bob
.Subject: ferry
+
+The ferry leaves at nine.
",
    );
    check(
        "Apple",
        Some("Fwd: ferry"),
        "
.Begin forwarded message:
.
.From: Ann Lee
.Subject: ferry
.Date: 3 May 2004
.To: Bob
+
+The ferry leaves at nine.
",
    );
    check(
        "German",
        Some("WG: Fähre"),
        "
.-------- Weitergeleitete Nachricht --------
.Von: Ann Lee
.An: Bob
+
+Die Fähre fährt um neun.
",
    );
    check(
        "with marks",
        Some("Fwd: ferry"),
        "
.---- Forwarded message ----
.
+> The ferry leaves at nine.
+> It is late.
",
    );
    check(
        "with an end",
        Some("ferry"),
        "
.--- begin forwarded text
.From: Ann Lee
.Date: Monday
.Subject: ferry
+
+The ferry leaves at nine.
+
.--- end forwarded text
+
+So be there.
",
    );
    check(
        "nothing written before, answering nothing",
        Some("ferry"),
        "
.From: Ann Lee
.Date: Monday
.Subject: ferry
+
+The ferry leaves at nine.
",
    );
}

#[test]
fn what_stands_at_the_end() {
    check(
        "a signature",
        None,
        "
+At nine.
+
.-- 
.Bob Ray, Harbour Office
.bob@example.org
",
    );
    check(
        "a signature above a quote",
        Some("Re: ferry"),
        "
+At nine.
.--
.Bob
.
.On 3 May 2004 Ann wrote:
.> When?
.> -- 
.> Ann
",
    );
    check(
        "a ruled signature and a list footer",
        None,
        "
+At nine.
+
.=======================
.Bob Ray   Tel. 555 123 456
.Harbour Office
.=======================
.
._______________________________________________
.Ferry mailing list
.Ferry@example.org
.http://example.org/mailman/listinfo/ferry
",
    );
    check(
        "a telephone",
        None,
        "
+At nine.
.
.Sent from my iPhone
",
    );
    check(
        "a telephone, in German",
        Some("Re: Fähre"),
        "
+Um neun.
.Von meinem iPhone gesendet
.
.Am 3. Mai 2004 um 10:12 schrieb Ann:
.> Wann?
",
    );
    check(
        "a group",
        None,
        "
+At nine.
+
.-- 
.You received this message because you are subscribed to the group \"Ferry\".
.To unsubscribe from this group, send an email to ferry+off@example.org.
",
    );
    check(
        "a sponsor",
        None,
        "
+At nine.
+
.------------------------ Yahoo! Groups Sponsor ---------------------~-->
.Buy a boat
.http://example.org/boat
.---------------------------------------------------------------------~->
.
.To unsubscribe from this group, send an email to:
.ferry-off@example.org
",
    );
    check(
        "a disclaimer",
        None,
        "
+At nine.
+
.********************************
.This email and any files transmitted with it are confidential.
.If you have received it in error, delete it.
",
    );
    check(
        "a virus scanner",
        None,
        "
+At nine.
+
.---
.No virus found in this incoming message.
.Checked by a program.
",
    );
    check(
        "armour",
        None,
        "
.-----BEGIN PGP SIGNED MESSAGE-----
.Hash: SHA1
+
+At nine.
.-----BEGIN PGP SIGNATURE-----
.
.iD8DBQE9abcdefgh
.-----END PGP SIGNATURE-----
",
    );
    check(
        "an encoded file",
        None,
        "
+Here is the map.
.begin 644 map.gif
.M1TE&.#EA`0`!`(```````````````````
.`
.end
+And more of it:
.MAX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'AX>'
",
    );
}

#[test]
fn an_answer_that_includes_a_third_message() {
    check(
        "headers after a quote",
        Some("Re: ferry"),
        "
.Ann <ann@example.org> wrote:
.> When does it leave?
+
.From: Carl
.Newsgroups: rec.boats
.Subject: all ferries
.Date: Monday
+
+They leave at nine.
",
    );
}

#[test]
fn what_only_looks_like_an_end() {
    check(
        "a rule in the middle",
        None,
        "
+At nine.
+-----------------------
+The second ferry leaves at ten.
+It takes an hour, and then another
+hour if it rains.
",
    );
    check(
        "a message that is all signature",
        None,
        "
+--
+Bob Ray
+bob@example.org
",
    );
    check(
        "how to unsubscribe, asked",
        None,
        "
+To unsubscribe I wrote to the list twice. What else can I do?
",
    );
    let long: String = (0..60).map(|line| format!("+line {line} of a long text\n")).collect();
    check("a rule and a long text", None, &format!("+At nine.\n+--\n{long}"));
    let prose = "+This line of the text is quite a bit longer than names are.\n".repeat(8);
    check("a rule and prose", None, &format!("+At nine.\n+--\n{prose}"));
    check(
        "armour that never ends",
        None,
        "
+-----BEGIN PGP MESSAGE-----
+is how such a message starts.
",
    );
}

#[test]
fn reasons() {
    let text = "At nine.\n\n-- \nBob\n\nOn 3 May 2004 Ann wrote:\n> When?\n";
    let reasons = [
        ("nine", "new text"),
        ("Bob", "a signature"),
        ("Ann", "says who is quoted"),
        ("When", "quoted"),
    ];
    for (of, expected) in reasons {
        assert_eq!(reason(text, Some("Re: ferry"), of), expected);
    }
    assert_eq!(reason("--\nBob", None, "Bob"), "the message has nothing else");
    let forward = "-- Forwarded message --\n\nLate.";
    assert_eq!(reason(forward, None, "Late"), "forwarded text");
    assert_eq!(split("", None), []);
    assert_eq!(split(" \n\n\t\n", None), []);
}

#[test]
fn new_text_has_a_block_a_line() {
    let text = "The ferry\nis late.\n\nBob says\nso.\n\n> Who?\n\nBob.\n";
    assert_eq!(new_text(text, Some("Re: ferry")), "The ferry is late.\nBob says so.\nBob.");
}

#[test]
fn marked_text_is_all_of_it_with_a_mark_for_each_line() {
    let text = "The ferry\nis late.\n> Who\n> says so?\nBob says\nso.\n\n-- \nAnn";
    let (text, aside) = marked(&split(text, Some("Re: ferry")));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), aside.len());
    for (line, aside) in lines.iter().zip(aside) {
        let apart = line.starts_with('>') || line.starts_with("--") || *line == "Ann";
        assert_eq!(aside, apart, "{line}");
    }
    assert!(text.contains("says so?") && text.contains("Bob says"), "{text}");
}

#[test]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "\n",
        ">",
        "> a\n",
        "| a\n",
        "--\n",
        "a\n",
        "On 1 Ann wrote:\n",
        "a\n\nOn 1 May 2004 Ann wrote:\n\nb\n",
        "Ann <a@example.org> wrote:\n\n   a\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\n",
        "begin 644 a\n",
        "-----Original Message-----\n",
        "From: a\nSent: b\nTo: c\n",
        "To unsubscribe\n\n",
        "-----\na@example.org\n",
        "AL> a\n",
        ": a\n",
        "Ann wrote:\n   a\n",
        ">From a\n\n",
        "_",
        "-----BEGIN a\n",
        "\u{3000}",
        "From: a\n",
    ];
    for piece in pieces {
        let text = piece.repeat(100_000);
        for subject in [None, Some("Re: a")] {
            let blocks = split(&text, subject);
            let before = text.split_whitespace().count();
            let after: usize =
                blocks.iter().map(|block| block.text.split_whitespace().count()).sum();
            assert_eq!(before, after, "{piece:?}");
        }
    }
}

/// Lines such as the rules look for, and others.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-cé ]{0,12}",
        "[>|:#}-]{1,3} ?[a-c]{0,3}",
        Just("On 3 May 2004 Ann <a@b> wrote:".to_owned()),
        Just("Ann wrote:".to_owned()),
        Just("-----Original Message-----".to_owned()),
        Just("--- Forwarded message ---".to_owned()),
        Just("From: Ann".to_owned()),
        Just("Sent: today".to_owned()),
        Just("Subject: boats".to_owned()),
        Just("-- ".to_owned()),
        Just("__________".to_owned()),
        Just("To unsubscribe write".to_owned()),
        Just("-----BEGIN PGP SIGNED MESSAGE-----".to_owned()),
        Just("-----BEGIN PGP SIGNATURE-----".to_owned()),
        Just("-----END PGP SIGNATURE-----".to_owned()),
        Just("begin 644 a".to_owned()),
        Just("end".to_owned()),
        Just("\u{3000}\u{A0}".to_owned()),
    ]
}

proptest! {
    #[test]
    fn all_words_are_in_the_blocks_in_order(
        lines in prop::collection::vec(line(), 0..30),
        end in prop_oneof![Just("\n"), Just("\r\n")],
        subject in prop_oneof![Just(None), Just(Some("Re: a")), Just(Some("Fwd: a")), Just(Some("a"))],
    ) {
        let text = lines.join(end);
        let blocks = split(&text, subject);
        let words: Vec<&str> = blocks.iter().flat_map(|block| block.text.split_whitespace()).collect();
        let expected: Vec<&str> = text.split_whitespace().collect();
        prop_assert_eq!(words, expected);
        let kept: Vec<&str> = blocks.iter().filter(|block| block.kept).flat_map(|block| block.text.split_whitespace()).collect();
        let new = new_text(&text, subject);
        prop_assert_eq!(kept, new.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn any_text(text: String) {
        split(&text, Some(&text));
    }

    #[test]
    fn a_quoted_copy_is_never_new(parent in "[a-z]{1,8}( [a-z]{1,8}){3,30}", reply in "[A-Z]{4,9}") {
        let marked: String = parent.split(' ').map(|word| format!("> {word}\n")).collect();
        let texts = [
            format!("{reply}\n\nOn 3 May 2004 Ann wrote:\n{marked}"),
            format!("On 3 May 2004 Ann wrote:\n{marked}\n{reply}\n"),
            format!("{reply}\n\n-----Original Message-----\nFrom: Ann\nSent: today\n\n{parent}\n"),
        ];
        for text in texts {
            let new = new_text(&text, Some("Re: ferry"));
            prop_assert_eq!(new.trim(), &reply);
        }
    }
}
