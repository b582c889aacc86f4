//! The tables of docs/json.md, and whether an output keeps to them.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A field of a table.
pub struct Field {
    kind: String,
    is_optional: bool,
}

/// The tables of the document: (section, heading below it or nothing) to the fields.
pub type Tables = BTreeMap<(String, String), BTreeMap<String, Field>>;

/// The words between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

pub fn document() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md");
    std::fs::read_to_string(path).expect("the document")
}

/// The rows of the tables under a heading `## section` and perhaps `### part`, split into cells.
fn rows(text: &str) -> Vec<(String, String, Vec<&str>)> {
    let (mut section, mut part, mut rows) = (String::new(), String::new(), Vec::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            (section, part) = (name.to_string(), String::new());
        } else if let Some(name) = line.strip_prefix("### ") {
            part = name.to_string();
        } else if let Some(cells) = line.strip_prefix("| `") {
            rows.push((section.clone(), part.clone(), cells.split('|').map(str::trim).collect()));
        }
    }
    rows
}

fn tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    for (section, part, cells) in rows(text) {
        if let [names, kind, meaning, ..] = cells[..]
            && section != "Certainty"
        {
            let is_optional = meaning.starts_with("*optional*");
            let table = tables.entry((section, part)).or_default();
            for name in quoted(&format!("`{names}")) {
                table.insert(name.to_string(), Field { kind: kind.to_string(), is_optional });
            }
        }
    }
    tables
}

/// The words of the document's list of certainties, with P for a percentage.
fn certainties(text: &str) -> BTreeSet<String> {
    let listed = rows(text).into_iter().filter(|(section, ..)| section == "Certainty");
    listed.filter_map(|(.., cells)| quoted(&format!("`{}", cells[0])).next().map(str::to_string)).collect()
}

/// `end@73%` as the list has it: `end@P%`.
fn without_percentage(word: &str) -> String {
    let (kind, percentage) = word.split_once('@').unwrap_or((word, ""));
    match percentage.strip_suffix('%').map(str::parse::<u8>) {
        Some(Ok(73 | 80 | 87 | 95 | 98 | 99 | 100)) => format!("{kind}@P%"),
        _ => word.to_string(),
    }
}

/// Checks outputs against the tables; records which fields and certainties occurred.
pub struct Schema {
    pub tables: Tables,
    pub certainties: BTreeSet<String>,
    pub seen: BTreeSet<(String, String, String)>,
    pub seen_certainties: BTreeSet<String>,
}

impl Schema {
    pub fn new(text: &str) -> Schema {
        let (seen, seen_certainties) = (BTreeSet::new(), BTreeSet::new());
        Schema { tables: tables(text), certainties: certainties(text), seen, seen_certainties }
    }

    /// Checks an object against the table of a section, or of a part of it.
    pub fn object(&mut self, section: &str, part: &str, value: &Value) -> Result<(), String> {
        let object = value.as_object().ok_or_else(|| format!("{value} is no object"))?;
        let place = (section.to_string(), part.to_string());
        let table = self.tables.get(&place).ok_or_else(|| format!("no table for {section} {part}"))?;
        let missing = table.iter().find(|(name, field)| !field.is_optional && !object.contains_key(*name));
        if let Some((name, _)) = missing {
            return Err(format!("{section} {part}: {name} is missing: {value}"));
        }
        for (name, value) in object {
            let kind = &self.tables[&place].get(name).ok_or_else(|| format!("{section} {part}: {name}?"))?.kind.clone();
            self.value(section, kind, value).map_err(|error| format!("{section} {part} {name}: {error}"))?;
            self.seen.insert((place.0.clone(), place.1.clone(), name.clone()));
        }
        Ok(())
    }

    /// Checks a value against a type of the tables.
    pub fn value(&mut self, section: &str, kind: &str, value: &Value) -> Result<(), String> {
        let list = |length: Option<usize>| {
            let items = value.as_array().filter(|items| length.is_none_or(|length| items.len() == length));
            items.ok_or_else(|| format!("{value} is no {kind}"))
        };
        if let Some(items) = kind.strip_prefix("array of pairs of ") {
            let (first, second) = items.split_once(" and ").ok_or("pairs of what?")?;
            return list(None)?.iter().try_for_each(|pair| {
                let [one, two] = &pair.as_array().ok_or("no pair")?[..] else { return Err("no pair".to_string()) };
                self.value(section, first, one)?;
                self.value(section, second, two)
            });
        }
        if let Some(items) = kind.strip_prefix("array of ").or_else(|| kind.strip_prefix("arrays of ")) {
            return list(None)?.iter().try_for_each(|item| self.value(section, items.trim_end_matches('s'), item));
        }
        if let Some(items) = kind.strip_prefix("pair of ") {
            return list(Some(2))?.iter().try_for_each(|item| self.value(section, items.trim_end_matches('s'), item));
        }
        let fits = match kind {
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "string or null" => value.is_string() || value.is_null(),
            "boolean" => value.is_boolean(),
            "value" => value.is_number() || value == "W" || value == "L",
            "certainty" => {
                let word = without_percentage(value.as_str().unwrap_or_default());
                self.seen_certainties.insert(word.clone());
                self.certainties.contains(&word)
            }
            part => return self.object(section, part, value),
        };
        fits.then_some(()).ok_or_else(|| format!("{value} is no {kind}"))
    }

    /// Checks lines of objects, each of the documented version.
    pub fn lines(&mut self, section: &str, text: &str) {
        assert!(!text.is_empty(), "{section} printed nothing");
        for line in text.lines() {
            assert!(line.starts_with("{\"version\":2,"), "{section}: {line}");
            let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{section}: {error}: {line}"));
            self.object(section, "", &value).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
