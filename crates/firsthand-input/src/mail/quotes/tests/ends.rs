//! Signatures and footers, and texts that only look like them.

use super::check;

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
