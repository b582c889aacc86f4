//! `flipside trace --exercise`: sheets of exercises with their solutions, as text or as a page.

use clap::Args;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::types::Side;
use flipside_support::svg::escaped;
use flipside_textbook::exercise::{Difficulty, Exercise, Ordering, exercise, seed_on_sheet};

/// Searched algorithms that an exercise may be about, and the sheets' size.
#[derive(Args, Debug)]
pub struct ExerciseArgs {
    /// Print this number of exercises with solutions, from easy to hard, for the algorithm
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(1..=100),
        conflicts_with_all = ["tree", "file", "position", "game", "policy", "graph", "format", "json", "deepen", "table", "depth", "order", "window"]
    )]
    pub exercise: Option<u16>,
    /// Seed of the exercises: the same seed makes the same ones
    #[arg(long, default_value_t = 1, requires = "exercise")]
    seed: u64,
    /// Print the exercises as one HTML page with pictures, solutions last
    #[arg(long, requires = "exercise")]
    html: bool,
    /// Exercises: moves of a node at most (default: rising from 2 to 3)
    #[arg(long, value_name = "MOVES", requires = "exercise", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..=4))]
    branching: Option<usize>,
    /// Exercises: plies from the root to the leaves (default: rising from 2 to 4)
    #[arg(long, requires = "exercise", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..=4))]
    plies: Option<usize>,
    /// Exercises: place of the best move: best (first), random or worst (last) (default: changing)
    #[arg(long, requires = "exercise")]
    ordering: Option<Ordering>,
}

/// What is printed: the heading of each exercise with the exercise.
type Sheet = Vec<(String, Exercise)>;

impl ExerciseArgs {
    /// The exercises as text or as a page.
    pub fn print(&self, count: u16, algorithm: Algorithm, side: Side) -> String {
        let sheet = (0..usize::from(count)).map(|number| {
            let rising = Difficulty::rising(number);
            let difficulty = Difficulty {
                branching: self.branching.unwrap_or(rising.branching),
                plies: self.plies.unwrap_or(rising.plies),
                ordering: self.ordering.unwrap_or(rising.ordering),
            };
            let heading = format!("Exercise {}: {algorithm}, {difficulty}", number + 1);
            (heading, exercise(seed_on_sheet(self.seed, number), difficulty, algorithm, side))
        });
        let sheet: Sheet = sheet.collect();
        if self.html { self.page(&sheet) } else { text(&sheet) }
    }

    fn page(&self, sheet: &Sheet) -> String {
        let title = format!("Exercises, seed {}", self.seed);
        let mut body = String::new();
        for (heading, exercise) in sheet {
            let questions = exercise.questions.iter().map(|question| question.text.as_str());
            body += &section(heading, &exercise.picture, &exercise.tree, questions);
        }
        body += "<h1 class=\"solutions\">Solutions</h1>\n";
        for (heading, exercise) in sheet {
            let answers = exercise.questions.iter().map(|question| question.answer.as_str());
            body += &section(heading, &exercise.solution, &exercise.tree, answers);
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
             <p>Triangles that point up belong to Max, the others to Min. Moves are searched from left to right. \
             L and W are a loss and a win: the widest window is [L,W].</p>\n{body}</body>\n</html>\n"
        )
    }
}

const STYLE: &str = "body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }\n\
                     svg { max-width: 100%; height: auto; }\nsection { break-inside: avoid; }\n\
                     .solutions { break-before: page; }\nli { margin: 0.6em 0; }\n";

/// A picture of a tree with a list below it.
fn section<'a>(heading: &str, picture: &str, tree: &str, list: impl Iterator<Item = &'a str>) -> String {
    let items: String = list.map(|item| format!("<li>{}</li>\n", escaped(item))).collect();
    let (heading, tree) = (escaped(heading), escaped(tree));
    format!("<section>\n<h2>{heading}</h2>\n{picture}<p><code>{tree}</code></p>\n<ol>\n{items}</ol>\n</section>\n")
}

/// The exercises as text, then the solutions.
fn text(sheet: &Sheet) -> String {
    let listed = |texts: Vec<&String>| {
        texts.iter().enumerate().map(|(index, text)| format!("{}. {text}\n", index + 1)).collect::<String>()
    };
    let mut printed = String::new();
    for (heading, exercise) in sheet {
        let questions = exercise.questions.iter().map(|question| &question.text).collect();
        printed += &format!("{heading}\n{}\n{}\n", exercise.tree, listed(questions));
    }
    for (heading, exercise) in sheet {
        let answers = exercise.questions.iter().map(|question| &question.answer).collect();
        printed += &format!("Solutions of {heading}\n{}\n", listed(answers));
    }
    printed.trim_end().to_string() + "\n"
}
