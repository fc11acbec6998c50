//! Suggestions for misspelt names.

/// Returns the one of `names` that differs from `given` by at most a quarter of its letters, but at
/// least one. Case, white space, underscores and hyphens are ignored.
pub fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let given: String = letters(given).collect();
    let length = given.chars().count();
    let distance = |name: &'n str| {
        let own: String = letters(name).collect();
        let count = own.chars().count();
        let most = (count / 4).max(1);
        // Most short names are similar to each other.
        if count <= 2 || count.abs_diff(length) > most {
            return None;
        }
        let distance = strsim::osa_distance(&own, &given);
        (distance <= most).then_some((distance, name))
    };
    let near = names.into_iter().filter_map(distance);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Suggests the one of `names` nearest to `given`. If none is near, lists all of them after
/// `otherwise`.
pub fn hint<'n>(
    given: &str,
    names: impl IntoIterator<Item = &'n str> + Clone,
    otherwise: &str,
) -> String {
    match nearest(given, names.clone()) {
        Some(meant) => format!("did you mean {meant:?}?"),
        None => format!("{otherwise} {}.", listed(names)),
    }
}

/// Joins names as in `a, b and c`.
pub fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The significant characters of a name, in lower case.
pub fn letters(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|char| !char.is_whitespace() && !matches!(char, '_' | '-'));
    letters.map(|char| char.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_another_name() {
        let names = ["url", "events", "filter", "peopleCount", "to", "São Tomé"];
        for (given, meant) in [
            ("filters", Some("filter")),
            ("evnets", Some("events")),
            ("URI", Some("url")),
            ("people-count", Some("peopleCount")),
            ("poeple_cont", Some("peopleCount")),
            ("São Tome", Some("São Tomé")),
            ("too", None),
            ("secret", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, names), meant, "{given}");
        }
    }
}
