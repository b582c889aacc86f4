//! The steps of `flipside trace` have the checksums of tests/data/trace_steps.tsv. `web/test/steps.test.mjs` compares the
//! steps of the browser's page with the same file.

#![cfg(feature = "cli")]

use crate::common::program::flipside;
use flipside::support::hash::checksum;
use serde_json::Value;

/// The words of the command line for a request of the page.
fn words(request: &Value) -> Vec<String> {
    let mut words = vec!["trace".to_string(), "--format=steps".to_string()];
    let techniques = request["techniques"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let (known, added): (Vec<_>, Vec<_>) = techniques.partition(|&name| name == "aspiration");
    if request["techniques"].is_array() && known.is_empty() {
        words.push("--without=aspiration".into());
    }
    if !added.is_empty() {
        words.push(format!("--with={}", added.join(",")));
    }
    for (name, value) in request.as_object().expect("an object").iter().filter(|(name, _)| *name != "techniques") {
        words.push(match value {
            Value::Bool(_) => format!("--{name}"),
            Value::String(text) => format!("--{name}={text}"),
            value => format!("--{name}={value}"),
        });
    }
    words
}

/// The steps without the summary of the search and the list of the root's searches.
fn steps(request: &Value) -> String {
    let words = words(request);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (is_done, text) = flipside(&words);
    assert!(is_done, "{words:?}");
    let is_step =
        |line: &&str| ["enter ", "cut ", "prune ", "leave ", "again "].iter().any(|kind| line.starts_with(kind));
    text.lines().filter(is_step).map(|line| format!("{line}\n")).collect()
}

#[test]
fn steps_have_the_checksums_of_the_list() {
    let list = include_str!("../data/trace_steps.tsv");
    let mut right = String::new();
    for line in list.lines() {
        let request = line.rsplit('\t').next().expect("a request");
        let steps = steps(&serde_json::from_str(request).expect("JSON"));
        right += &format!("{:016x}\t{}\t{request}\n", checksum(steps.as_bytes()), steps.lines().count());
    }
    assert!(list.lines().count() >= 40);
    assert!(right == list, "tests/data/trace_steps.tsv should be\n{right}");
}
