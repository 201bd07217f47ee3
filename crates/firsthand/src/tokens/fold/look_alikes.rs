//! Which letters look like which Latin ones.

use super::characters::Script;
use std::sync::LazyLock;

/// Each Latin letter with its look-alikes: first those that cannot be distinguished, then those
/// that pass for it among Latin letters. Greek, Cyrillic, Armenian, Cherokee, Coptic, Lisu, and
/// Latin small capitals and phonetic letters.
#[rustfmt::skip]
const LOOK_ALIKES: [(char, &str, &str); 52] = [
    ('A', "ΑАᎪꓮ", ""), ('B', "ΒВᏴꓐꞴ", ""), ('C', "СᏟꓚⲤ", ""), ('D', "Ꭰꓓ", ""),
    ('E', "ΕЕᎬꓰⲈ", "Є"), ('F', "Ϝꓝ", ""), ('G', "ԌᏀꓖ", "Ᏻ"), ('H', "ΗНᎻꓧⲎ", "Һ"),
    ('I', "ΙІӀꓲⲒ", "Ꮖ"), ('J', "ЈͿᎫꓙ", ""), ('K', "ΚКᏦꓗⲔ", ""), ('L', "Ꮮꓡ", "Լ"),
    ('M', "ΜМᎷꓟⲘ", ""), ('N', "ΝꓠⲚ", ""), ('O', "ΟОՕꓳⲞ", ""), ('P', "ΡРᏢꓑⲢ", ""),
    ('Q', "Ԛ", ""), ('R', "ᎡᏒꓣƦ", ""), ('S', "ЅᏚꓢ", "Տ"), ('T', "ΤТᎢꓔⲦ", ""),
    ('U', "ꓴ", "Ս"), ('V', "ѴᏙꓦ", ""), ('W', "ԜᎳꓪ", "ѠᏔ"), ('X', "ΧХꓫⲬ", ""),
    ('Y', "ΥУҮꓬⲨ", "Ꭹ"), ('Z', "ΖᏃꓜⲌ", ""),
    ('a', "аɑᴀꭺ", "αⲁ"), ('b', "ƅʙ", "βвьЬƄᏏ"), ('c', "сᴄⲥ", ""), ('d', "ԁᴅ", "ԀᏧ"),
    ('e', "еᴇꭼ", "εєҽ"), ('f', "ꜰ", "ϝ"), ('g', "ɡɢ", "ց"), ('h', "һʜ", "нհᏂ"),
    ('i', "іıɪ", "ιɩᎥⲓ"), ('j', "јϳᴊ", "յ"), ('k', "ᴋ", "κкⲕ"), ('l', "ӏʟǀ", "Ɩ"),
    ('m', "ᴍ", "мⲙ"), ('n', "ɴ", "ηпոռ"), ('o', "οоօᴏⲟ", "σ"), ('p', "рᴘⲣ", "ρ"),
    ('q', "ԛꞯ", "զգ"), ('r', "ʀꭱ", "г"), ('s', "ѕꜱꮪ", ""), ('t', "ᴛ", "τт"),
    ('u', "ᴜ", "υμսʋ"), ('v', "νѵᴠꮩ", ""), ('w', "ԝᴡꮃ", "ωѡա"), ('x', "х", "χⲭ"),
    ('y', "уүʏ", "γ"), ('z', "ᴢꮓ", ""),
];

/// Latin letters that get into Greek and Cyrillic words, by a keyboard or on purpose: only those
/// that cannot be distinguished.
const IN_GREEK: (&str, &str) = ("ABEZHIKMNOPTYXov", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον");
const IN_CYRILLIC: (&str, &str) = ("ABCEHKMOPTXYaceopxy", "АВСЕНКМОРТХУасеорху");

/// Look-alikes in ascending order, each with its Latin letter and whether they are identical.
static LATIN: LazyLock<Vec<(char, char, bool)>> = LazyLock::new(|| {
    let list = |(latin, same, like): &(char, &'static str, &'static str)| {
        let latin = *latin;
        let same = same.chars().map(move |c| (c, latin, true));
        same.chain(like.chars().map(move |c| (c, latin, false)))
    };
    let mut all: Vec<_> = LOOK_ALIKES.iter().flat_map(list).collect();
    all.sort_unstable();
    all
});

fn find(c: char) -> Option<(char, bool)> {
    let at = LATIN.binary_search_by_key(&c, |known| known.0).ok()?;
    Some((LATIN[at].1, LATIN[at].2))
}

/// The Latin letter that this one looks like; `None` for Latin letters themselves.
pub(super) fn latin(c: char) -> Option<char> {
    find(c).map(|(latin, _)| latin)
}

/// Whether this letter cannot be distinguished from a Latin one.
pub(super) fn is_image(c: char) -> bool {
    find(c).is_some_and(|(_, same)| same)
}

/// The letter of another alphabet that a Latin one looks like.
pub(super) fn foreign(c: char, script: Script) -> Option<char> {
    let (latin, foreign) = match script {
        Script::Greek => IN_GREEK,
        Script::Cyrillic => IN_CYRILLIC,
        Script::Latin | Script::Rare => return None,
    };
    let at = latin.chars().position(|known| known == c)?;
    foreign.chars().nth(at)
}

#[cfg(test)]
mod tests {
    use super::super::characters::script;
    use super::*;

    #[test]
    fn every_look_alike_is_a_letter_and_listed_once() {
        assert!(LATIN.windows(2).all(|pair| pair[0].0 < pair[1].0), "listed twice");
        for &(c, plain, _) in LATIN.iter() {
            assert!(plain.is_ascii_alphabetic() && !c.is_ascii(), "{c:?} {plain:?}");
            assert!(script(c).is_some(), "{c:?} is of no alphabet");
        }
        assert!(LATIN.len() >= 190, "{}", LATIN.len());
    }

    #[test]
    fn look_alikes_map_back_to_the_same_letter() {
        for (script, (ours, theirs)) in [(Script::Greek, IN_GREEK), (Script::Cyrillic, IN_CYRILLIC)]
        {
            assert_eq!(ours.chars().count(), theirs.chars().count());
            for c in ours.chars() {
                assert_eq!(foreign(c, script).and_then(latin), Some(c));
            }
            assert_eq!(foreign('w', script), None);
        }
    }
}
