//! Other messages inside a message: answered, forwarded, included.

use super::{check, new_text};

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
