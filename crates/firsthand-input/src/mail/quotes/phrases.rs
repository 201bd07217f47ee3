//! What mail programs write around other messages, in the languages that they speak.

/// After rules: a message that is passed on.
pub(super) const FORWARDED: [&str; 24] = [
    "forwarded message",
    "forwarded by",
    "forwarded mail",
    "forwarded from",
    "forwarded article",
    "forwarded letter",
    "begin forwarded",
    "begin included",
    "start of forwarded",
    "included message",
    "forward",
    "weitergeleitete nachricht",
    "weitergeleitet von",
    "message transféré",
    "message réexpédié",
    "mensaje reenviado",
    "messaggio inoltrato",
    "doorgestuurd bericht",
    "mensagem encaminhada",
    "vidarebefordrat meddelande",
    "videresendt",
    "przekazana wiadomość",
    "пересылаемое сообщение",
    "пересланное сообщение",
];

/// After rules: a message that is answered or passed on.
pub(super) const ORIGINAL: [&str; 30] = [
    "original message",
    "original appointment",
    "original mail",
    "original e-mail",
    "original email",
    "original follows",
    "originalnachricht",
    "original-nachricht",
    "ursprüngliche nachricht",
    "ursprungliche nachricht",
    "message d'origine",
    "message d’origine",
    "message original",
    "message initial",
    "mensaje original",
    "messaggio originale",
    "messaggio original",
    "oorspronkelijk bericht",
    "oorspronkelijke bericht",
    "mensagem original",
    "ursprungligt meddelande",
    "oprindelig meddelelse",
    "opprinnelig melding",
    "alkuperäinen viesti",
    "wiadomość oryginalna",
    "původní zpráva",
    "исходное сообщение",
    "reply separator",
    "reply message",
    "原始邮件",
];

/// Without rules: a message that is passed on.
pub(super) const BEGIN: [&str; 11] = [
    "begin forwarded message:",
    "anfang der weitergeleiteten",
    "début du message",
    "inicio del mensaje",
    "início da mensagem",
    "inizio messaggio",
    "begin doorgestuurd",
    "vidarebefordrat brev",
    "videresendt besked",
    "начало переадресованного",
    "начало пересылаемого",
];

/// A header that programs copy into texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    From,
    Sent,
    Date,
    To,
    Subject,
    Other,
}

impl Head {
    pub(super) const COUNT: usize = 6;
}

#[rustfmt::skip]
const HEADS: [(Head, &[&str]); 6] = [
    (Head::From, &["from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "feladó",
        "kimden", "от", "от кого", "发件人", "寄件者", "差出人", "보낸 사람", "expéditeur", "mittente",
        "remitente", "afzender"]),
    (Head::Sent, &["sent", "gesendet", "envoyé", "enviado", "enviado el", "enviada", "enviada em",
        "enviado em", "inviato", "verzonden", "skickat", "sendt", "lähetetty", "wysłano", "wysłany",
        "odesláno", "elküldve", "gönderildi", "отправлено", "发送时间", "寄件日期", "送信日時", "보낸 날짜"]),
    (Head::Date, &["date", "datum", "data", "fecha", "дата", "日期", "dato", "päivämäärä"]),
    (Head::To, &["to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu",
        "címzett", "kime", "кому", "收件人", "收件者", "宛先", "받는 사람", "destinataire",
        "destinatario"]),
    (Head::Subject, &["subject", "betreff", "objet", "asunto", "oggetto", "onderwerp", "assunto",
        "ämne", "emne", "aihe", "temat", "předmět", "tárgy", "konu", "тема", "主题", "主旨", "件名", "제목"]),
    (Head::Other, &["cc", "bcc", "kopie", "копия", "抄送", "reply-to", "antwort an", "organization",
        "organisation", "newsgroups", "message-id", "references", "in-reply-to", "importance",
        "wichtigkeit", "attachments", "anlagen", "x-mailer", "mime-version", "content-type",
        "content-transfer-encoding", "received", "return-path", "sender", "delivered-to", "resent-from",
        "resent-to", "resent-date", "lines", "approved", "followup-to", "priority", "x-sender",
        "mailing-list", "list-id", "user-agent", "status"]),
];

/// Which header a line is.
pub(super) fn head(line: &str) -> Option<Head> {
    if !line.bytes().take(60).any(|byte| matches!(byte, b':' | 0xEF)) {
        return None;
    }
    // `*From:* Ann`, as pages come out.
    let line = line.trim_start_matches(['*', ' ']);
    let start = line.char_indices().nth(30).map_or(line, |(end, _)| &line[..end]);
    let (name, _) = start.split_once([':', '：'])?;
    let name = name.trim_end_matches(['*', ' ', '\u{A0}']);
    let first = name.chars().next()?;
    if !first.is_alphabetic() {
        return None;
    }
    let name = name.to_lowercase();
    HEADS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(head, _)| *head)
}

const RULES: [char; 7] = ['-', '_', '=', '*', '~', '#', '+'];

/// Whether a line is a rule: at least five marks and nothing else but spaces.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() >= 5
        && line.chars().all(|c| RULES.contains(&c) || matches!(c, ' ' | '>' | '|' | '.'))
}

/// What is between rules, if anything.
pub(super) fn without_rules(line: &str) -> Option<&str> {
    let inside =
        line.trim_matches(|c| RULES.contains(&c) || matches!(c, ' ' | '>' | '<' | '|' | ':'));
    (!inside.is_empty()).then_some(inside)
}

/// Phrases to be looked for, ASCII letters in either case.
pub(super) struct Phrases {
    phrases: &'static [&'static str],
    /// Whether one starts with a byte: most lines need no closer look.
    starts: [bool; 256],
}

impl Phrases {
    /// Phrases in lower case, none empty.
    pub(super) const fn new(phrases: &'static [&'static str]) -> Self {
        let mut starts = [false; 256];
        let mut at = 0;
        while at < phrases.len() {
            let first = phrases[at].as_bytes()[0];
            starts[first as usize] = true;
            starts[first.to_ascii_uppercase() as usize] = true;
            at += 1;
        }
        Self { phrases, starts }
    }

    /// Whether a text begins with one.
    pub(super) fn begin(&self, text: &[u8]) -> bool {
        let begins = |phrase: &[u8]| {
            text.get(..phrase.len()).is_some_and(|start| start.eq_ignore_ascii_case(phrase))
        };
        text.first().is_some_and(|first| self.starts[*first as usize])
            && self.phrases.iter().any(|phrase| begins(phrase.as_bytes()))
    }

    /// Whether one is in the first 200 bytes of a text.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        (0..bytes.len().min(200)).any(|at| self.begin(&bytes[at..]))
    }
}
