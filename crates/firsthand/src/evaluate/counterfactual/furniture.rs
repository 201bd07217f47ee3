//! A text in a page frame of its own, with times, counters and telephone numbers that are not
//! figures.

use super::text_language::TextLanguage;
use crate::evaluate::random::Random;

/// Furniture lines by language: `#` is a count, `~` a small one, `^` a time of day, `@` a day, and
/// `?` a digit.
const ENGLISH: &[&str] = &[
    "Updated ~ minutes ago",
    "Published @ March 2014",
    "By Jane Miller | @.03.2014 ^",
    "# shares",
    "~ comments",
    "Comments (~)",
    "~ min read",
    "Call us on (555) ???-????",
    "Tel. +44 20 7??? ????",
    "© 201? The Daily Paper. All rights reserved.",
    "Photo ~ of 40",
    "Last updated at ^ GMT",
    "Facebook # Twitter #",
    "Related: What we know so far",
    "Posted on March @, 2014 at ^",
    "Share this # times",
];
const GERMAN: &[&str] = &[
    "Aktualisiert vor ~ Minuten",
    "Stand: @.03.2014, ^ Uhr",
    "Veröffentlicht am @. März 2014",
    "Von Jana Müller, @. März 2014",
    "~ Kommentare",
    "# Aufrufe",
    "Lesezeit: ~ Minuten",
    "Telefon 030 ???????",
    "© 201? Tageszeitung. Alle Rechte vorbehalten.",
    "Bild ~ von 40",
    "Mehr zum Thema",
];
const FRENCH: &[&str] = &[
    "Il y a ~ minutes",
    "Publié le @ mars 2014 à ^",
    "Mis à jour le @/03/2014 à ^",
    "~ commentaires",
    "# partages",
    "Temps de lecture : ~ min",
    "Tél. 01 ?? ?? ?? ??",
    "© 201? Le Quotidien. Tous droits réservés.",
    "Photo ~ sur 40",
    "À lire aussi",
];
const SPANISH: &[&str] = &[
    "Hace ~ minutos",
    "Publicado el @ de marzo de 2014",
    "Actualizado: @/03/2014 ^",
    "~ comentarios",
    "# compartidos",
    "~ min de lectura",
    "Teléfono 91 ??? ????",
    "© 201? El Diario. Todos los derechos reservados.",
    "Foto ~ de 40",
    "Más información",
];

/// The text with furniture around it and between its paragraphs. The lines of the text are
/// unchanged. Other seeds give mostly the same furniture lines with other figures.
pub fn change_furniture(text: &str, seed: u64) -> String {
    let lines = of_language(text);
    let mut random = Random::new(seed, 0x55);
    let mut page = String::with_capacity(text.len() + 1000);
    for line in &lines[..lines.len() / 2] {
        fill(line, &mut random, &mut page);
    }
    for (at, line) in text.split('\n').enumerate() {
        page.push_str(line);
        page.push('\n');
        if at % 8 == 7 {
            fill(lines[random.below(lines.len())], &mut random, &mut page);
        }
    }
    for line in &lines[lines.len() / 2..] {
        // Some frames have it, others do not.
        if random.below(4) > 0 {
            fill(line, &mut random, &mut page);
        }
    }
    page
}

/// The furniture of the most likely language of a text.
fn of_language(text: &str) -> &'static [&'static str] {
    match TextLanguage::of(text) {
        TextLanguage::English => ENGLISH,
        TextLanguage::German => GERMAN,
        TextLanguage::French => FRENCH,
        TextLanguage::Spanish => SPANISH,
    }
}

/// Writes a line with figures in it.
fn fill(line: &str, random: &mut Random, page: &mut String) {
    for c in line.chars() {
        match c {
            '#' => {
                let count = format!("{},{:03}", 1 + random.below(90), random.below(1000));
                page.push_str(&count);
            }
            '~' => page.push_str(&(2 + random.below(38)).to_string()),
            '@' => page.push_str(&(10 + random.below(18)).to_string()),
            '?' => page.push_str(&random.below(10).to_string()),
            '^' => {
                page.push_str(&format!("{:02}:{:02}", random.below(24), random.below(60)));
            }
            c => page.push(c),
        }
    }
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_untouched() {
        let text = "The first line of the text\nand the second, of 17 words.\n\nThe end of that.";
        let (one, other) = (change_furniture(text, 1), change_furniture(text, 2));
        assert_ne!(one, other);
        for line in text.lines() {
            assert!(one.lines().any(|other| other == line), "{line}");
        }
        assert_eq!(one, change_furniture(text, 1));
        assert!(
            change_furniture("Der Hund und die Katze, das ist nicht neu.", 1)
                .contains("Kommentare")
        );
        assert!(change_furniture("", 1).contains("comments"));
    }
}
