//! The course: what every chapter has, its pictures, and its links into the laboratory.

#![cfg(feature = "cli")]

use crate::common::{console, program};
use crate::documents::files;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "docs/course";
/// The beginning of a link into the laboratory of a page that is served as `docs/course/README.md` says.
const LABORATORY: &str = "http://localhost:8000/#lab?";

/// The beginnings of the lines of `--format steps`.
const STEPS: [&str; 5] = ["enter ", "leave ", "cut ", "prune ", "again "];

fn chapters() -> Vec<PathBuf> {
    let mut chapters = files(FOLDER, "md");
    chapters.retain(|path| !path.ends_with("README.md"));
    chapters.sort();
    chapters
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a document")
}

/// The links of a document into the laboratory, each as the names and values after `#lab?`.
fn links(document: &str) -> Vec<BTreeMap<String, String>> {
    let queries = document.split(LABORATORY).skip(1).filter_map(|rest| rest.split([' ', '\n', ')']).next());
    let pair = |pair: &str| pair.split_once('=').map(|(name, value)| (name.to_string(), decoded(value)));
    queries.map(|query| query.split('&').map(|part| pair(part).expect("name=value")).collect()).collect()
}

/// The text of a part of an address.
fn decoded(part: &str) -> String {
    let spaced = part.replace('+', " ");
    let (first, rest) = spaced.split_once('%').unwrap_or((&spaced, ""));
    let coded = rest.split('%').filter(|code| !code.is_empty()).map(|code| {
        let (number, after) = code.split_at(2);
        char::from(u8::from_str_radix(number, 16).expect("two digits")).to_string() + after
    });
    first.to_string() + &coded.collect::<String>()
}

/// The words of `flipside` for the first or the second of the searches that a link shows.
fn words(link: &BTreeMap<String, String>, second: bool) -> Vec<String> {
    let has = |name: &str| link.contains_key(name);
    let mut words = vec!["trace".to_string()];
    for (name, value) in link {
        let (name, is_of_second) = name.strip_suffix('2').map_or((name.as_str(), false), |name| (name, true));
        let option = match name {
            "algorithm" | "order" | "techniques" | "table" | "deepen" if is_of_second != second => continue,
            "algorithm" | "order" | "evaluation" | "depth" | "root" | "seed" => name,
            "search" => "game",
            "text" if has("search") => "position",
            "text" => "tree",
            "techniques" => "with",
            "level" => "exercise",
            "film" if link.get("algorithm").is_some_and(|name| name == "uct") => "playouts",
            "table" | "deepen" => {
                words.push(format!("--{name}"));
                continue;
            }
            "film" | "step" | "asks" | "beside" | "practice" => continue,
            unknown => panic!("{unknown} in {link:?}"),
        };
        words.push(format!("--{option}={value}"));
    }
    if !has("search") && !has("text") && !has("level") {
        words.push("--tree=(((1 5 6) (8 3)) (L (1 W)))".to_string());
    }
    if !has("level") {
        words.push("--format=steps".to_string());
    }
    words
}

#[test]
fn every_chapter_is_complete() {
    let chapters = chapters();
    assert_eq!(chapters.len(), 8);
    for (index, path) in chapters.iter().enumerate() {
        let (text, place) = (text(path), path.display());
        assert!(text.starts_with(&format!("# {}. ", index + 1)), "{place}: its number");
        let of_exercises = text.split_once("## Exercises").expect("exercises").1;
        for number in 1..=3 {
            assert!(of_exercises.contains(&format!("\n**{number}.** ")), "{place}: exercise {number}");
        }
        assert_eq!(of_exercises.matches("<details><summary>Solution</summary>\n\n").count(), 3, "{place}: solutions");
        assert_eq!(of_exercises.matches("\n\n</details>\n").count(), 3, "{place}: ends of solutions");
        assert!((1..=2).contains(&text.matches("\n![").count()), "{place}: one or two pictures");
        assert!(!links(&text).is_empty(), "{place}: a link into the laboratory");
        let next =
            chapters.get(index + 1).map_or(Path::new("README.md"), |next| Path::new(next.file_name().expect("a name")));
        assert!(text.contains(&format!("({}", next.display())), "{place}: the way on");
        let notebook = path.with_extension("ipynb");
        assert!(notebook.exists(), "{place}: its notebook");
    }
}

/// `documents::commands_print_what_stands_below_them` compares each of them with what its command prints.
#[test]
fn every_picture_is_made_by_a_command_and_shown() {
    let commands: Vec<_> = chapters().iter().flat_map(|chapter| console::commands(chapter)).collect();
    for picture in files(FOLDER, "svg") {
        let name = picture.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(commands.iter().any(|command| command.file.as_ref() == Some(&picture)), "{name}: no command makes it");
        assert!(chapters().iter().any(|chapter| text(chapter).contains(&format!("]({name})"))), "{name} is not shown");
        let svg = text(&picture);
        let width = svg.split_once("width=\"").and_then(|(_, rest)| rest.split_once('"')).expect("a width").0;
        assert!(width.parse::<u32>().expect("a number") <= 1600, "{name} is {width} wide");
    }
}

/// The page's own test, `web/test/course.test.mjs`, opens each link in a browser.
#[test]
fn links_into_the_laboratory_name_what_exists() {
    let mut checked = 0;
    for path in files(FOLDER, "md") {
        for link in links(&text(&path)) {
            let searches = if link.contains_key("beside") { &[false, true][..] } else { &[false] };
            for &second in searches {
                let words = words(&link, second);
                let output = program::run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "");
                assert!(output.status.success(), "{}: {link:?}: {}", path.display(), program::stderr(&output));
                let is_step = |line: &&str| STEPS.iter().any(|kind| line.starts_with(kind));
                let steps = program::stdout(&output).lines().filter(is_step).count();
                let step = link.get("step").map_or(0, |step| step.parse().expect("a number"));
                assert!(step <= steps, "{}: {link:?} has {steps} steps", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 15, "{checked} searches");
}

#[test]
fn addresses_are_decoded() {
    assert_eq!(decoded("%28a%3A%285+9%29%29"), "(a:(5 9))");
    assert_eq!(decoded("tic-tac-toe"), "tic-tac-toe");
    let found = links("[it]: http://localhost:8000/#lab?text=%281+2%29&depth=3\n");
    assert_eq!(found, [BTreeMap::from([("depth".into(), "3".into()), ("text".into(), "(1 2)".into())])]);
}
