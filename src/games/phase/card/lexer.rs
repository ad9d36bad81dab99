//! The words of a card file's line.

/// One word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Letters, with hyphens or apostrophes between them.
    Word(&'t str),
    Number(u8),
    /// One of `; : , / + - ( ) { }`, or `<` for `<=`, `>` for `>=`.
    Sign(char),
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Number(number) => write!(f, "`{number}`"),
            Self::Sign('<') => f.write_str("`<=`"),
            Self::Sign('>') => f.write_str("`>=`"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
        }
    }
}

/// Splits a line into words.
pub(super) fn tokens(line: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_ascii_digit() {
            let length = span(rest, |c| c.is_ascii_digit());
            let digits = &rest[..length];
            let number = digits.parse().map_err(|_| format!("`{digits}` is too large"))?;
            (Token::Number(number), length)
        } else if first.is_alphabetic() {
            let length = span(rest, |c| c.is_alphabetic() || c == '-' || c == '\'');
            (Token::Word(&rest[..length]), length)
        } else if rest.starts_with("<=") || rest.starts_with(">=") {
            (Token::Sign(first), 2)
        } else if ";:,/+-(){}".contains(first) {
            (Token::Sign(first), 1)
        } else {
            return Err(format!("`{first}` means nothing here"));
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// How many bytes the characters at the front take that pass.
fn span(text: &str, passes: impl Fn(char) -> bool) -> usize {
    text.find(|c| !passes(c)).unwrap_or(text.len())
}
