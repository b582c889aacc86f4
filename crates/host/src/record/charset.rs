//! Character sets of records: a byte-order mark decides; else the set that a record names (`CA` in SGF); else the text is
//! UTF-8, with Windows-1252 for bytes that are none.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use flipside_support::text::BOM;
use std::borrow::Cow;
use std::str::from_utf8;

/// What is told where bytes are neither UTF-8 nor of a named character set.
pub(super) const GUESSED: &str = "its text is not UTF-8 and names no character set: read as Windows-1252";

/// What is told of UTF-16 that is damaged.
pub const DAMAGED_UTF16: &str = "its UTF-16 is damaged: U+FFFD replaces what cannot be read";

/// A text whose character set had to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    /// The text.
    pub text: String,
    /// What was guessed or could not be read.
    pub warning: Option<String>,
}

/// Whether the bytes begin with a byte-order mark of UTF-16.
pub fn is_utf16(start: &[u8]) -> bool {
    Encoding::for_bom(start).is_some_and(|(encoding, _)| encoding != UTF_8)
}

/// The text without its byte-order mark, UTF-16 as UTF-8, and whether some of it could not be read. Text without a mark
/// stays as it is.
pub fn without_mark(bytes: &[u8]) -> (Cow<'_, [u8]>, bool) {
    if !is_utf16(bytes) {
        return (Cow::Borrowed(bytes.strip_prefix(BOM.as_bytes()).unwrap_or(bytes)), false);
    }
    let (text, _, is_damaged) = UTF_8.decode(bytes);
    (Cow::Owned(text.into_owned().into_bytes()), is_damaged)
}

/// The name of the character set in the `CA` property of an SGF text.
pub(super) fn declared(text: &[u8]) -> Option<String> {
    let mut places = text.windows(3).enumerate().filter(|(_, bytes)| bytes == b"CA[").map(|(at, _)| at);
    let is_name = |at: &usize| !at.checked_sub(1).and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let value = text.get(places.find(is_name)? + 3..)?;
    let length = value.iter().position(|&byte| byte == b']')?;
    from_utf8(value.get(..length)?).ok().map(|name| name.trim().to_string())
}

/// The text of bytes in the character set of this name.
pub(super) fn decode_as(bytes: &[u8], name: &str) -> Decoded {
    // The name was read as ASCII, so that the set includes ASCII.
    let named = Encoding::for_label(name.as_bytes()).filter(|encoding| encoding.is_ascii_compatible());
    let Some(encoding) = named else {
        let Decoded { text, warning } = decode(bytes);
        return Decoded {
            text,
            warning: warning.map(|_| format!("its character set, {name:?}, is unknown: read as Windows-1252")),
        };
    };
    let (text, is_damaged) = encoding.decode_without_bom_handling(bytes);
    if !is_damaged {
        return Decoded { text: text.into_owned(), warning: None };
    }
    let not_as_named = |as_what: &str| Some(format!("its text is not all {}, as it says: {as_what}", encoding.name()));
    match from_utf8(bytes) {
        Ok(text) => Decoded { text: text.to_string(), warning: not_as_named("read as UTF-8") },
        Err(_) if encoding == UTF_8 => Decoded { warning: not_as_named("read as Windows-1252"), ..decode(bytes) },
        Err(_) => Decoded { text: text.into_owned(), warning: not_as_named("U+FFFD replaces what cannot be read") },
    }
}

/// The text of bytes of Windows-1252, a superset of Latin-1's printable characters.
pub(super) fn from_windows_1252(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

/// A character as the byte of Windows-1252; `?` for one that it lacks.
pub(super) fn to_windows_1252(c: char) -> u8 {
    match WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])) {
        (bytes, _, false) => bytes.first().copied().unwrap_or(b'?'),
        _ => b'?',
    }
}

/// The text of bytes of an unnamed character set: UTF-8, in which single bytes that are none are Windows-1252.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    if let Ok(text) = from_utf8(bytes) {
        return Decoded { text: text.to_string(), warning: None };
    }
    let mut text = String::with_capacity(bytes.len() * 2);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&from_windows_1252(chunk.invalid()));
    }
    Decoded { text, warning: Some(GUESSED.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, GB18030, SHIFT_JIS};

    #[test]
    fn the_named_set_is_obeyed() {
        for (name, encoding, text) in [
            ("Shift_JIS", SHIFT_JIS, "表ソー能"),
            ("GB18030", GB18030, "黑白棋"),
            ("gb2312", GB18030, "黑白棋"),
            ("Big5", BIG5, "功蓋許"),
            ("EUC-KR", EUC_KR, "오셀로"),
            ("ISO-8859-1", WINDOWS_1252, "Zoë’s"),
            ("utf-8", UTF_8, "Zoë"),
        ] {
            let (bytes, _, unmappable) = encoding.encode(text);
            assert!(!unmappable, "{name}");
            assert_eq!(decode_as(&bytes, name), Decoded { text: text.into(), warning: None }, "{name}");
        }
        let is_told = |bytes: &[u8], name: &str, text: &str, word: &str| {
            let decoded = decode_as(bytes, name);
            assert_eq!(decoded.text, text);
            assert!(decoded.warning.is_some_and(|warning| warning.contains(word)), "{name} {word}");
        };
        is_told(b"Zo\xeb", "klingon", "Zoë", "unknown");
        is_told(b"Zo\xeb", "UTF-8", "Zoë", "Windows-1252");
        is_told("黑.".as_bytes(), "GB18030", "黑.", "UTF-8");
        is_told(b"\x82\xa0 \x82", "Shift_JIS", "あ \u{fffd}", "U+FFFD");
        assert_eq!(decode_as(b"Zo", "klingon").warning, None, "ASCII is the same in all");
    }

    #[test]
    fn single_bytes_are_windows_1252() {
        assert_eq!(decode("Zoë".as_bytes()), Decoded { text: "Zoë".into(), warning: None });
        let mixed = decode(b"Andr\xe9 \x93No\xebl\x94 Zo\xc3\xab");
        assert_eq!(mixed, Decoded { text: "André “Noël” Zoë".into(), warning: Some(GUESSED.into()) });
        let all: Vec<u8> = (0..=255).collect();
        assert!(!decode(&all).text.contains('\u{fffd}'));
    }

    #[test]
    fn a_mark_decides() {
        let text = "(;GM[2]PB[Zoë 黑])";
        for bytes in [
            [&[0xff, 0xfe][..], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat(),
            [&[0xfe, 0xff][..], &text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()].concat(),
        ] {
            assert!(is_utf16(&bytes));
            assert_eq!(without_mark(&bytes), (Cow::Borrowed(text.as_bytes()), false));
            let cut = bytes.get(..bytes.len() - 1).expect("a byte less");
            assert!(without_mark(cut).1);
        }
        assert_eq!(without_mark("\u{feff}a".as_bytes()), (Cow::Borrowed(&b"a"[..]), false));
        assert!(!is_utf16(b"a") && !is_utf16(b""));
    }

    #[test]
    fn the_name_is_found() {
        assert_eq!(declared(b"(;GM[2]CA[ GB18030 ]SZ[8]").as_deref(), Some("GB18030"));
        assert_eq!(declared(b"(;GM[2]XCA[a]CA[b]").as_deref(), Some("b"));
        for none in [&b"(;GM[2]"[..], b"CA[", b"CA[\xff]"] {
            assert_eq!(declared(none), None);
        }
    }
}
