//! "Did you mean": the nearest of a few known words.

/// The known word that is most like `word`, if one is like enough to be worth suggesting: at most
/// a third of its letters mistyped, or a beginning of three letters or more.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Only the start of a long text can be like a command, and distance costs its square.
    let word: String = word.chars().take(40).flat_map(char::to_lowercase).collect();
    known
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            let begins = word.chars().count() >= 3 && lower.starts_with(&word);
            let distance = if begins { 0 } else { distance(&word, &lower) };
            let allowed = (lower.chars().count().max(3)) / 3;
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, &to) in b.iter().enumerate() {
            let replace = last[j] + usize::from(from != to);
            row[j + 1] = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_understood() {
        let known = ["challenge", "resign", "rules", "record"];
        assert_eq!(nearest("chalenge", known), Some("challenge"));
        assert_eq!(nearest("reisgn", known), Some("resign"));
        assert_eq!(nearest("RULE", known), Some("rules"));
        assert_eq!(nearest("banana", known), None);
        assert_eq!(nearest("", known), None);
    }
}
