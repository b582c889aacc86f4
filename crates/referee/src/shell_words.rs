//! The words of a line, split as a POSIX shell does without expansions.

/// The words of a line that a user wrote. On Windows a backslash is an ordinary character, because paths contain many;
/// quotes of both kinds group there, too.
///
/// # Errors
/// A quote is still open at the end.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    if cfg!(windows) { split_with_plain_backslashes(line) } else { split_escaped(line) }
}

/// The words of a line in which a backslash is an ordinary character.
///
/// # Errors
/// A quote is still open at the end.
pub fn split_with_plain_backslashes(line: &str) -> Result<Vec<String>, String> {
    let mut escaped = String::with_capacity(line.len());
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            // Between single quotes a backslash is ordinary already.
            (None | Some('"'), '\\') => escaped.push('\\'),
            _ => {}
        }
        escaped.push(c);
    }
    split_escaped(&escaped)
}

/// The words as one line, quoted so that a POSIX shell splits it again; in `key=value` only the value is quoted.
pub fn join(words: &[String]) -> String {
    let quoted = |word: &String| match word.split_once('=') {
        Some((key, value)) if shell_words::quote(key) == key => format!("{key}={}", shell_words::quote(value)),
        _ => shell_words::quote(word).into_owned(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn split_escaped(line: &str) -> Result<Vec<String>, String> {
    shell_words::split(line).map_err(|_| format!("a quote is not closed in: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_a_shell_splits_them() {
        let words = |line: &str| split_escaped(line).expect(line);
        assert_eq!(words("a  b\tc"), ["a", "b", "c"]);
        assert_eq!(
            words(r#"name=a cmd="x --y 'z z'" send='a "b"' e\ f"#),
            ["name=a", "cmd=x --y 'z z'", "send=a \"b\"", "e f"]
        );
        assert_eq!(words(r#""" a"b"'c'"#), ["", "abc"]);
        assert_eq!(words(r#""a\"b\c""#), ["a\"b\\c"]);
        assert!(split("a 'b").expect_err("open").contains("not closed"));
        assert!(split("a \"b").is_err());
    }

    #[test]
    fn joined_words_are_split_again() {
        let words = ["builtin", "depth=3", "cmd=x '--y z'", "option.Clear Hash=true", "send=", "#"].map(str::to_string);
        assert!(join(&words).starts_with("builtin depth=3 cmd='x "), "{}", join(&words));
        assert_eq!(split_escaped(&join(&words)).expect("words"), words);
    }

    /// `--engine` is split first, then the value of `cmd`.
    #[test]
    fn backslashes_of_windows_stay() {
        let words = |line: &str| split_with_plain_backslashes(line).expect(line);
        let pairs = words(r#"name=a cmd='"C:\Program Files\x.exe" --gtp --log "D:\new log"' dir=C:\games"#);
        assert_eq!(pairs, ["name=a", r#"cmd="C:\Program Files\x.exe" --gtp --log "D:\new log""#, r"dir=C:\games"]);
        assert_eq!(words(&pairs[1][4..]), [r"C:\Program Files\x.exe", "--gtp", "--log", r"D:\new log"]);
        assert_eq!(words(r#"cmd="C:\a b\" x"#), [r"cmd=C:\a b\", "x"]);
        assert!(split_with_plain_backslashes(r"'C:\").is_err());
    }
}
