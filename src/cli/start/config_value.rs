//! Values of the file of defaults, in the form that the command line's parser takes.

use clap::builder::Resettable;
use clap::{Arg, ArgAction, Command, Id};
use toml::de::DeValue;

/// Flags that name a protocol: the file uses the key `protocol`.
const PROTOCOLS: [&str; 4] = ["gtp", "nboard", "uci", "xboard"];
/// Flags and options that have no meaning in the file.
const NEVER: [&str; 4] = ["help", "version", "config", "no-config"];

/// Whether the file may hold a default for an argument: only for optional arguments with a long name.
pub fn is_option(arg: &&Arg) -> bool {
    let is_ours = |long: &str| !NEVER.contains(&long) && !PROTOCOLS.contains(&long);
    arg.get_long().is_some_and(is_ours) && !arg.is_required_set()
}

/// The texts of an entry's value; none for a flag that is not set.
///
/// # Errors
/// The argument does not take the value; the text says what was expected.
pub fn check(arg: &Arg, value: &DeValue<'_>) -> Result<Option<Vec<String>>, String> {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        let set = value.as_bool().ok_or_else(|| format!("expected true or false, saw {}", kind(value)))?;
        return Ok(set.then(|| vec!["true".to_string()]));
    }
    let takes_many = matches!(arg.get_action(), ArgAction::Append) || arg.get_value_delimiter().is_some();
    let texts = match value {
        DeValue::Array(list) if takes_many => {
            list.iter().map(|item| text(item.get_ref())).collect::<Result<Vec<_>, _>>()?
        }
        DeValue::Array(_) => return Err("expected one value, saw an array".to_string()),
        other => vec![text(other)?],
    };
    texts.iter().try_for_each(|text| parse(arg, text))?;
    Ok(Some(texts))
}

fn kind(value: &DeValue<'_>) -> String {
    let kind = value.type_str();
    let article = if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {kind}")
}

fn text(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_string()),
        DeValue::Float(number) => Ok(number.as_str().to_string()),
        other => Err(format!("expected a value, not {}", kind(other))),
    }
}

/// Parses a value as the argument does, without the other arguments.
fn parse(arg: &Arg, text: &str) -> Result<(), String> {
    let none = || Resettable::<Id>::Reset;
    let alone = arg.clone().conflicts_with(none()).requires(none()).overrides_with(none());
    let long = arg.get_long().unwrap_or_default();
    let command = Command::new("value").no_binary_name(true).disable_help_flag(true).arg(alone);
    match command.try_get_matches_from([format!("--{long}={text}")]) {
        Ok(_) => Ok(()),
        Err(error) => {
            let said = error.to_string();
            let lines = said.lines().take_while(|line| !line.starts_with("For more") && !line.starts_with("Usage"));
            let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
            Err(lines.join(" ").trim_start_matches("error: ").to_string())
        }
    }
}
