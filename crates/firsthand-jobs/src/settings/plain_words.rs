//! What is wrong with a value of a setting, in words instead of those of the parser.

/// The sentence of a parser that expected something else, in plain words.
pub fn plain_words(said: &str) -> String {
    let (said, place) = match said.trim_end().rsplit_once("\nin `") {
        Some((said, key)) => (said, format!("{}: ", key.trim_end_matches('`'))),
        None => (said.trim_end(), String::new()),
    };
    let known = |list: &str| {
        let list = list.trim_start_matches("one of ").replace(" or ", ", ");
        list.replace('`', "")
    };
    let words = if let Some((name, list)) = between(said, "unknown variant `", "`, expected ") {
        format!("there is no {name:?}: use one of {}", known(list))
    } else if let Some((name, list)) = between(said, "unknown field `", "`, expected ") {
        format!("there is no setting {name:?} here, but {}", known(list))
    } else if let Some((found, wanted)) = between(said, "invalid type: ", ", expected ") {
        format!("{} where {} belongs", kind(found), kind(wanted))
    } else if let Some((found, wanted)) = between(said, "invalid value: ", ", expected ") {
        format!("{} where {} belongs", kind(found), kind(wanted))
    } else if let Some(name) = said.strip_prefix("missing field ") {
        format!("{} is missing", name.replace('`', "\""))
    } else if said.starts_with("data did not match any variant of untagged enum") {
        "neither a number nor a text in quotation marks".to_owned()
    } else if let Some(said) = said.strip_prefix("TOML parse error at ") {
        syntax(said)
    } else {
        said.to_owned()
    };
    place + &words
}

/// Where a file breaks the rules of its language, and how: the place is in the first line, the rule in the
/// last, and a picture of the line in between.
fn syntax(said: &str) -> String {
    let (place, rest) = said.split_once('\n').unwrap_or((said, ""));
    let rule = rest.lines().last().unwrap_or_default();
    match rule.split_once(", expected ") {
        Some((rule, "nothing")) => format!("{place}: {rule}"),
        Some((rule, wanted)) => format!("{place}: {rule}; it should be {wanted}"),
        None => format!("{place}: {rule}"),
    }
}

fn between<'a>(said: &'a str, start: &str, middle: &str) -> Option<(&'a str, &'a str)> {
    said.strip_prefix(start)?.split_once(middle)
}

/// A type as people call it.
fn kind(said: &str) -> String {
    let types = [
        ("a boolean", "true or false"),
        ("boolean", "true or false"),
        ("floating point", "the number"),
        ("integer", "the number"),
        ("string", "the text"),
        ("usize", "a whole number"),
        ("u64", "a whole number"),
        ("u32", "a whole number"),
        ("f64", "a number"),
        ("sequence", "a list"),
        ("map", "a table"),
    ];
    match types.iter().find(|(known, _)| said.starts_with(known)) {
        Some((known, word)) => format!("{word}{}", said[known.len()..].replace('`', "")),
        None => said.replace('`', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_words_of_the_parser() {
        let cases = [
            (
                "unknown variant `x`, expected `star` or `chain`",
                "there is no \"x\": use one of star, chain",
            ),
            (
                "unknown variant `x`, expected one of `a`, `b`\nin `k`\n",
                "k: there is no \"x\": use one of a, b",
            ),
            (
                "unknown field `n`, expected one of `a`, `b`",
                "there is no setting \"n\" here, but a, b",
            ),
            (
                "invalid type: string \"yes\", expected a boolean\nin `m`",
                "m: the text \"yes\" where true or false belongs",
            ),
            (
                "invalid type: floating point `1.5`, expected usize",
                "the number 1.5 where a whole number belongs",
            ),
            ("missing field `kind`", "\"kind\" is missing"),
            (
                "TOML parse error at line 1, column 5\n  |\n1 | a = = b\n  |     ^\nextra `=`, expected nothing",
                "line 1, column 5: extra `=`",
            ),
            ("something else", "something else"),
        ];
        for (said, words) in cases {
            assert_eq!(plain_words(said), words);
        }
    }
}
