//! Whose invitations are accepted.

use matrix_sdk::ruma::{OwnedServerName, OwnedUserId, ServerName, UserId};

use crate::chat::link::LinkError;

/// The allow-list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow(Vec<Rule>);

/// One line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Everybody,
    User(OwnedUserId),
    /// Everybody of this homeserver.
    Server(OwnedServerName),
}

impl Allow {
    /// Reads the list. One that says nothing means the people of our own homeserver.
    pub fn read(list: &[String], own: &UserId) -> Result<Self, LinkError> {
        if list.is_empty() {
            return Ok(Self(vec![Rule::Server(own.server_name().to_owned())]));
        }
        list.iter()
            .map(|text| rule(text.trim()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub fn includes(&self, user: &UserId) -> bool {
        self.0.iter().any(|rule| match rule {
            Rule::Everybody => true,
            Rule::User(known) => known == user,
            Rule::Server(server) => server == user.server_name(),
        })
    }
}

fn rule(text: &str) -> Result<Rule, LinkError> {
    let wrong = || {
        LinkError(format!(
            "`allow` takes users (@ann:example.org), servers (example.org) or *, and not `{text}`"
        ))
    };
    if text == "*" {
        return Ok(Rule::Everybody);
    }
    if text.starts_with('@') {
        return UserId::parse(text).map(Rule::User).map_err(|_| wrong());
    }
    ServerName::parse(text).map(Rule::Server).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use matrix_sdk::ruma::user_id;

    use super::*;

    fn allow(list: &[&str]) -> Result<Allow, LinkError> {
        let list: Vec<String> = list.iter().map(|&text| text.to_owned()).collect();
        Allow::read(&list, user_id!("@parlor:home.org"))
    }

    #[test]
    fn users_servers_and_everybody() {
        let (ann, bea) = (user_id!("@ann:home.org"), user_id!("@bea:away.org"));
        let cases: [(&[&str], bool, bool); 5] = [
            (&[], true, false),
            (&["*"], true, true),
            (&["@bea:away.org"], false, true),
            (&["away.org"], false, true),
            (&["@cy:home.org", "away.org:8448"], false, false),
        ];
        for (list, ann_may, bea_may) in cases {
            let allow = allow(list).unwrap();
            assert_eq!(
                (allow.includes(ann), allow.includes(bea)),
                (ann_may, bea_may),
                "{list:?}"
            );
        }
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for wrong in ["@ann", "", "a b", "#room:home.org"] {
            let error = allow(&[wrong]).unwrap_err().to_string();
            assert!(error.contains(&format!("`{wrong}`")), "{error}");
        }
    }
}
