//! Sentences with a slot for a figure, for tests inside and outside of the crate.

/// A sentence in each language with a slot for a figure.
const FRAMES: [(&str, &str, &str); 4] = [
    (
        "en",
        "The authorities said on the radio that there were",
        "in the town when the storm came, and that was all they could say.",
    ),
    (
        "de",
        "Die Behörden sagten im Radio, dass es in der Stadt",
        "waren, als der Sturm kam, und das ist alles, was sie sagen konnten.",
    ),
    (
        "fr",
        "Les autorités ont dit à la radio que c'était",
        "dans la ville au moment de la tempête, et c'est tout ce qu'elles ont pu dire.",
    ),
    (
        "es",
        "Las autoridades dijeron en la radio que eran",
        "en la ciudad cuando llegó la tormenta, y eso es todo lo que pudieron decir.",
    ),
];

/// The sentence of a language with a figure filled in.
pub(crate) fn framed(language: &str, figure: &str) -> String {
    let (_, left, right) = FRAMES.iter().find(|(code, ..)| *code == language).unwrap();
    format!("{left} {figure} {right}")
}
