//! Names of time zones in mail headers and feeds.

/// The offset from UTC in minutes of a zone name in lower case: the American zones of RFC 2822, and
/// those most common in old mail.
pub(super) fn offset(name: &str) -> Option<i64> {
    let minutes = match name {
        "z" | "ut" | "utc" | "gmt" | "wet" => 0,
        "bst" | "west" | "cet" | "met" | "mez" => 60,
        "cest" | "mest" | "mesz" | "eet" | "sast" => 120,
        "eest" | "msk" => 180,
        "msd" => 240,
        "hkt" | "sgt" | "awst" => 480,
        "jst" | "kst" => 540,
        "acst" => 570,
        "aest" => 600,
        "aedt" => 660,
        "nzst" => 720,
        "nzdt" => 780,
        "nst" => -210,
        "ndt" => -150,
        "ast" => -240,
        "adt" => -180,
        "est" | "eastern" => -300,
        "edt" => -240,
        "cst" | "central" => -360,
        "cdt" => -300,
        "mst" | "mountain" => -420,
        "mdt" => -360,
        "pst" | "pacific" => -480,
        "pdt" => -420,
        "akst" => -540,
        "akdt" => -480,
        "hst" => -600,
        _ => return None,
    };
    Some(minutes)
}
