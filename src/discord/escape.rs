//! Letters that mean nothing but themselves.
//!
//! Discord reads its mark-up in every text. Whatever somebody typed, a name first of all, goes through here, so that
//! it can hold no mention, no link, no emoji, no timestamp and no mark-up. A backslash before a sign takes its
//! meaning away and is not shown.

/// What follows `@` in a mention of everybody.
const CROWDS: [&str; 2] = ["everyone", "here"];

/// A space that is not there: it keeps `@` apart from what follows.
const NOTHING: char = '\u{200b}';

/// A quote that looks like a back quote and ends no code.
const QUOTE: &str = "\u{2cb}";

/// Text to stand among other text. `fresh` tells whether it begins a line, where more signs have a meaning.
pub fn plain(text: &str, fresh: bool) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut start = fresh;
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let after = letters.peek().map(|(_, next)| *next);
        let means = match letter {
            '\\' | '*' | '_' | '~' | '`' | '|' | '<' | '[' | ']' | '@' => true,
            // Headings, quotes, lists, at the start of a line only.
            '#' | '>' | '-' | '+' => start,
            // Numbered lists.
            '.' | ')' => start && before.is_some_and(|before: char| before.is_ascii_digit()),
            // An emoji, or the middle of a link.
            ':' => after.is_some_and(|next| !next.is_whitespace()),
            '/' => before.is_some_and(|before| !before.is_whitespace()),
            _ => false,
        };
        if means {
            escaped.push('\\');
        }
        escaped.push(letter);
        if letter == '@' && names_crowd(behind(text, at, letter)) {
            escaped.push(NOTHING);
        }
        // The signs of a list may stand behind blanks, and those of a numbered one behind digits.
        start = letter == '\n' || (start && (letter.is_whitespace() || letter.is_ascii_digit()));
        before = Some(letter);
    }
    escaped
}

/// One line in fixed width.
pub fn code(text: &str) -> String {
    let text = text.replace('`', QUOTE).replace(['\n', '\r'], " ");
    let text = apart(text.trim());
    if text.is_empty() {
        return String::new();
    }
    format!("`{text}`")
}

/// Several lines in fixed width.
pub fn block(text: &str) -> String {
    format!("```text\n{}\n```", apart(&text.replace('`', QUOTE)))
}

/// The same text, calling nobody and leading nowhere.
fn apart(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        safe.push(letter);
        let behind = behind(text, at, letter);
        let mention = letter == '<' && behind.starts_with(['@', '#', ':', 't', '/', 'a', 'i']);
        let link = letter == ':' && behind.starts_with("//");
        if mention || link || (letter == '@' && names_crowd(behind)) {
            safe.push(NOTHING);
        }
    }
    safe
}

/// What follows a letter that stands at an offset.
fn behind(text: &str, at: usize, letter: char) -> &str {
    text.get(at + letter.len_utf8()..).unwrap_or_default()
}

fn names_crowd(text: &str) -> bool {
    CROWDS.iter().any(|crowd| text.starts_with(crowd))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_sentences_stay_as_they_are() {
        for text in [
            "Bea moves F2-F5, and wins.",
            "Option (on or off): all of it; 3.5 hours left.",
            "It isn't your turn: wait.",
            "Ünïcödé 東京 🎲",
        ] {
            assert_eq!(plain(text, false), text);
        }
    }

    #[test]
    fn nothing_that_somebody_typed_means_anything() {
        for (typed, escaped) in [
            ("@everyone", "\\@\u{200b}everyone"),
            ("@here!", "\\@\u{200b}here!"),
            ("<@123>", "\\<\\@123>"),
            ("<@&5>", "\\<\\@&5>"),
            ("<#42>", "\\<#42>"),
            ("<t:1:R>", "\\<t\\:1\\:R>"),
            ("<:pwn:1>", "\\<\\:pwn\\:1>"),
            (":skull:", "\\:skull:"),
            ("</nick:1>", "\\<\\/nick\\:1>"),
            (
                "**b** __u__ ~~s~~ ||x||",
                "\\*\\*b\\*\\* \\_\\_u\\_\\_ \\~\\~s\\~\\~ \\|\\|x\\|\\|",
            ),
            ("`code`", "\\`code\\`"),
            ("[a](http://b.c)", "\\[a\\](http\\:\\/\\/b.c)"),
            ("https://evil.example/x", "https\\:\\/\\/evil.example\\/x"),
            ("discord.gg/abc", "discord.gg\\/abc"),
            ("\\*", "\\\\\\*"),
        ] {
            assert_eq!(plain(typed, false), escaped, "{typed}");
        }
    }

    #[test]
    fn the_start_of_a_line_is_watched_more_closely() {
        for (typed, escaped) in [
            ("# loud", "\\# loud"),
            ("> quote", "\\> quote"),
            ("- item", "\\- item"),
            ("  + item", "  \\+ item"),
            ("12. item", "12\\. item"),
            ("-# small", "\\-# small"),
            ("a\n# loud", "a\n\\# loud"),
            ("a # quiet", "a # quiet"),
        ] {
            assert_eq!(plain(typed, true), escaped, "{typed}");
        }
        assert_eq!(plain("# middle", false), "# middle");
    }

    #[test]
    fn code_can_not_be_left() {
        assert_eq!(code("F2-F5"), "`F2-F5`");
        assert_eq!(
            code("a`b\n@everyone <@1>"),
            "`a\u{2cb}b @\u{200b}everyone <\u{200b}@1>`"
        );
        assert_eq!(code("https://x.y"), "`https:\u{200b}//x.y`");
        assert_eq!(code(" "), "");
        assert_eq!(
            block("x\n```@here"),
            "```text\nx\n\u{2cb}\u{2cb}\u{2cb}@\u{200b}here\n```"
        );
    }
}
