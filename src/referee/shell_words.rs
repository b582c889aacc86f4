//! Splits a line into words as a POSIX shell does, without expansions.

/// The words of a line: blanks separate, quotes of both kinds join, a backslash takes the next
/// character as it is (between double quotes only before `"`, `\`, `$` and a backquote).
///
/// # Errors
/// Says which quote is still open at the end.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err(format!("a ' is not closed in: {line}")),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some('"') => break,
                        Some('\\') if rest.peek().is_some_and(|next| "\"\\$`".contains(*next)) => {
                            word.extend(rest.next());
                        }
                        Some(c) => word.push(c),
                        None => return Err(format!("a \" is not closed in: {line}")),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(rest.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_as_a_shell_splits_them() {
        assert_eq!(split("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(
            split(r#"name=a cmd="x --y 'z z'" send='a "b"' e\ f"#).unwrap(),
            ["name=a", "cmd=x --y 'z z'", "send=a \"b\"", "e f"]
        );
        assert_eq!(split(r#""" a"b"'c'"#).unwrap(), ["", "abc"]);
        assert_eq!(split(r#""a\"b\c""#).unwrap(), ["a\"b\\c"]);
        assert!(split("a 'b").unwrap_err().contains("not closed"));
        assert!(split("a \"b").is_err());
    }
}
