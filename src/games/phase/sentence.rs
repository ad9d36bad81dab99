//! Actions of one player as one sentence, the way a person types them.

/// `attack; pass; target nexus; with 3; with 5; done` is `attack nexus with 3 5`; what an order or a training chooses and
/// pays follows it, and a list names its verb once.
pub(super) fn joined(actions: &[String]) -> String {
    let mut clauses: Vec<String> = Vec::new();
    let mut left = actions;
    while let Some((action, behind)) = left.split_first() {
        left = behind;
        let (verb, object) = action.split_once(' ').unwrap_or((action, ""));
        match (verb, clauses.last_mut()) {
            ("stand", _) if left.first().is_some_and(|next| next == "pass") => {
                left = left.get(1..).unwrap_or_default();
                clauses.push(format!("pass {object}"));
            }
            ("target", last) => {
                let (attackers, rest) = attackers(left);
                left = rest;
                let declared = format!("{object}{attackers}");
                // Nothing was done before it was declared: that goes without saying.
                match last {
                    Some(last) if last == "attack" => *last = format!("attack {declared}"),
                    Some(last) if last == "pass" => {
                        clauses.pop();
                        match clauses.last_mut() {
                            Some(last) if last == "attack" => *last = format!("attack {declared}"),
                            _ => clauses.push(format!("attack {declared}")),
                        }
                    }
                    _ => clauses.push(format!("attack {declared}")),
                }
            }
            ("on", Some(last)) if takes(last) => last.push_str(&format!(" on {object}")),
            ("pay", Some(last)) if last.contains("pay ") => last.push_str(&format!(" {object}")),
            ("pay", Some(last)) if takes(last) => last.push_str(&format!(" pay {object}")),
            _ => clauses.push(action.clone()),
        }
    }
    clauses.join("; ")
}

/// A list of attackers at the front, with the word that ends it, and what is left.
fn attackers(actions: &[String]) -> (String, &[String]) {
    let numbers: Vec<&str> = actions
        .iter()
        .map_while(|action| action.strip_prefix("with "))
        .collect();
    let rest = actions.get(numbers.len()..).unwrap_or_default();
    if numbers.is_empty() {
        return (String::new(), rest);
    }
    let ended = rest.first().is_some_and(|action| action == "done");
    let rest = rest.get(usize::from(ended)..).unwrap_or_default();
    (format!(" with {}", numbers.join(" ")), rest)
}

/// Whether choices and payments may follow.
fn takes(clause: &str) -> bool {
    let verb = clause.split(' ').next().unwrap_or_default();
    matches!(verb, "train" | "order" | "skill" | "on")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(actions: &str) -> String {
        let actions: Vec<String> = actions.split("; ").map(str::to_owned).collect();
        joined(&actions)
    }

    #[test]
    fn a_turn_reads_as_it_is_typed() {
        let turn =
            "attack; pass; target nexus; with 3; with 5; done; stand turn; pass; train 2; pay 1; pay 4; done";
        assert_eq!(
            sentence(turn),
            "attack nexus with 3 5; pass turn; train 2 pay 1 4; done"
        );
        assert_eq!(
            sentence("pass; target player 2; with 3"),
            "attack player 2 with 3"
        );
        assert_eq!(
            sentence("attack; order 2; on 14; pay 3; pass"),
            "attack; order 2 on 14 pay 3; pass"
        );
        assert_eq!(sentence("defend 5 with 9; done"), "defend 5 with 9; done");
        assert_eq!(sentence("pay 1; pay 2"), "pay 1 2");
    }
}
