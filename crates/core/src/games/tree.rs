//! Explicit game trees for teaching, read from text: `(((1 5 6) (8 3)) (L (1 W)))`.
//!
//! Leaves are numbers of any size, `W` and `L`, all from Max's point of view; `?` is a leaf that a
//! search must not visit. A move may have a name (`a:5`), and an inner node a static value
//! for searches that stop above the leaves: `(1 5)=3`.

use super::tree_scale::Scale;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::notation::PositionError;
use crate::search::types::{Score, Side};
use flipside_support::text::line_and_column;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::take_while1,
    character::complete::{char, multispace0},
    combinator::{cut, map, map_opt, opt, recognize, value},
    error::ErrorKind,
    number::complete::recognize_float,
    sequence::{delimited, preceded, terminated},
};

/// Deeper nesting is refused, because reading recurses.
const MAX_DEPTH: usize = 100;
/// Beyond the scores' range or precision, each value needs a score of its own.
pub const TOO_MANY_VALUES: &str =
    "more than 14,499 different values, where some are 290 or larger or have more than two decimals";
/// Characters of the text that an error shows.
const EXCERPT: usize = 30;

#[derive(Clone, Debug, PartialEq)]
struct Branch {
    name: Option<String>,
    value: Option<f64>,
    hidden: bool,
    children: Vec<Branch>,
}

#[derive(Clone, Debug)]
struct Node {
    name: Option<String>,
    value: Option<f64>,
    /// The value on the tree's scale; 0 without a value.
    score: Score,
    hidden: bool,
    max: bool,
    children: Vec<u32>,
}

/// A game tree: its nodes by number, the root first.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    scale: Scale,
}

/// A win is infinity, a loss its negative.
fn number(input: &str) -> IResult<&str, f64> {
    let plain =
        map_opt(recognize(recognize_float), |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite()));
    alt((value(f64::INFINITY, char('W')), value(f64::NEG_INFINITY, char('L')), plain)).parse(input)
}

/// A leaf's value in text: a number of units, `W` for a win (infinity), `L` for a loss; `None` for
/// other text.
pub fn read_value(text: &str) -> Option<f64> {
    number(text).ok().filter(|(rest, _)| rest.is_empty()).map(|(_, value)| value)
}

fn branch(depth: usize) -> impl Fn(&str) -> IResult<&str, Branch> {
    move |input| {
        if depth > MAX_DEPTH {
            return Err(nom::Err::Failure(nom::error::Error::new(input, ErrorKind::TooLarge)));
        }
        let word = take_while1(|c: char| c.is_alphanumeric() || "_-@".contains(c));
        // Only a tree can follow a parenthesis, so the error is that of the innermost list.
        let parenthesized = preceded(char('('), cut(delimited(multispace0, list(depth + 1), (multispace0, char(')')))));
        let inner = (parenthesized, opt(preceded(char('='), number)));
        let body = alt((
            map(inner, |(children, value)| Branch { name: None, value, hidden: false, children }),
            map(char('?'), |_| Branch { name: None, value: None, hidden: true, children: Vec::new() }),
            map(number, |value| Branch { name: None, value: Some(value), hidden: false, children: Vec::new() }),
        ));
        map((opt(terminated(word, char(':'))), body), |(name, body): (Option<&str>, Branch)| Branch {
            name: name.map(str::to_string),
            ..body
        })
        .parse(input)
    }
}

/// Branches, at least one. Blanks separate them; parentheses need none: `(3 5)(2 9)`.
fn list(depth: usize) -> impl Fn(&str) -> IResult<&str, Vec<Branch>> {
    move |input| {
        let (mut rest, first) = branch(depth)(input)?;
        let mut branches = vec![first];
        loop {
            let (next, blanks) = multispace0(rest)?;
            let read = &input[..input.len() - rest.len()];
            let is_separate = !blanks.is_empty() || next.starts_with('(') || read.ends_with(')');
            match branch(depth)(next) {
                Ok((after, branch)) if is_separate => {
                    branches.push(branch);
                    rest = after;
                }
                Err(nom::Err::Failure(failure)) => return Err(nom::Err::Failure(failure)),
                _ => return Ok((rest, branches)),
            }
        }
    }
}

/// The error of a text that is no tree.
fn not_a_tree(text: &str, error: &nom::Err<nom::error::Error<&str>>) -> PositionError {
    let (rest, is_deep) = match error {
        nom::Err::Error(error) | nom::Err::Failure(error) => (error.input, error.code == ErrorKind::TooLarge),
        nom::Err::Incomplete(_) => ("", false),
    };
    let too_deep = format!("at most {MAX_DEPTH} nested parentheses");
    saw(text, rest, if is_deep { &too_deep } else { "nested parentheses, numbers, W, L or ?" })
}

/// The error of a text with something else than expected at its rest.
fn saw(text: &str, rest: &str, expected: &str) -> PositionError {
    let (line, column) = line_and_column(text, text.len() - rest.len());
    let seen = match rest.chars().take(EXCERPT).collect::<String>() {
        start if start.is_empty() => "the end".to_string(),
        start => format!("'{}'", start.escape_debug()),
    };
    PositionError(format!("line {line}, column {column}: expected {expected}, saw {seen}"))
}

impl Tree {
    /// Reads a tree whose root belongs to Max (`Side::First`) or Min.
    ///
    /// # Errors
    /// The text is not a tree.
    pub fn read(text: &str, root: Side) -> Result<Tree, PositionError> {
        let mut reader = preceded(multispace0, terminated(branch(0), multispace0));
        let (rest, branch) = reader.parse(text).map_err(|error| not_a_tree(text, &error))?;
        if !rest.is_empty() {
            return Err(saw(text, rest, "the end, because there is one tree already: (A B) is a tree of both"));
        }
        let mut tree = Tree { nodes: Vec::new(), scale: Scale::HUNDREDTHS };
        tree.add(branch, root == Side::First);
        let scale = Scale::exact(tree.values()).ok_or_else(|| PositionError(TOO_MANY_VALUES.into()))?;
        Ok(tree.with_scale(scale))
    }

    /// All values of the text, for Max; infinite for a win and a loss.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.nodes.iter().filter_map(|node| node.value)
    }

    /// The scale of its scores: after reading, one on which different values have different scores.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The same tree with its scores on another scale.
    pub fn with_scale(mut self, scale: Scale) -> Tree {
        for node in &mut self.nodes {
            node.score = node.value.map_or(0, |value| scale.score(value));
        }
        Tree { scale, ..self }
    }

    fn add(&mut self, branch: Branch, max: bool) -> u32 {
        let index = self.nodes.len();
        let Branch { name, value, hidden, children } = branch;
        self.nodes.push(Node { name, value, score: 0, hidden, max, children: Vec::new() });
        let children = children.into_iter().map(|child| self.add(child, !max)).collect();
        self.nodes[index].children = children;
        index as u32
    }

    /// True for a leaf written `?`.
    pub fn is_hidden(&self, node: u32) -> bool {
        self.nodes[node as usize].hidden
    }

    /// True for a node that belongs to Max.
    pub fn is_max(&self, node: u32) -> bool {
        self.nodes[node as usize].max
    }

    /// The value of a leaf from Max's point of view, infinite for a win and a loss; none for inner
    /// nodes and for `?`.
    pub fn leaf_value(&self, node: u32) -> Option<f64> {
        let node = &self.nodes[node as usize];
        node.value.filter(|_| node.children.is_empty())
    }

    /// The name of the move into a node, if the text gave one.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.nodes[node as usize].name.as_deref()
    }

    fn for_mover(&self, node: u32) -> Score {
        let node = &self.nodes[node as usize];
        if node.max { node.score } else { -node.score }
    }
}

impl Game for Tree {
    type Position = u32;
    /// The node to which the move leads.
    type Move = u32;
    type MoveList<T: Clone> = Vec<T>;
    const ENDS_WITHOUT_MOVES: bool = true;

    fn start(&self) -> u32 {
        0
    }

    fn outcome(&self, node: &u32) -> Option<Score> {
        self.nodes[*node as usize].children.is_empty().then(|| self.for_mover(*node))
    }

    fn moves(&self, node: &u32) -> impl Iterator<Item = u32> {
        self.nodes[*node as usize].children.iter().copied()
    }

    fn play(&self, _: &u32, mv: u32) -> u32 {
        mv
    }

    fn key(&self, node: &u32) -> u64 {
        u64::from(*node + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn code(&self, mv: u32) -> u16 {
        (mv % u32::from(u16::MAX)) as u16
    }
}

/// The static values in the text; nodes without one count as 0.
impl Eval<Tree> for Tree {
    type Accumulator = ();
    fn refresh(&self, _: &u32) {}
    fn update(&self, (): &(), _: &u32, _: u32, _: &u32) {}
    fn evaluate(&self, (): &(), node: &u32) -> Score {
        self.for_mover(*node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::types::WIN;

    #[test]
    fn text_becomes_nodes() {
        let tree = Tree::read(" ((1 a:-2.5)=3 (W ?)) ", Side::First).expect("a tree");
        assert_eq!(tree.moves(&0).count(), 2);
        assert_eq!((tree.outcome(&2), tree.outcome(&3), tree.name(3)), (Some(100), Some(-250), Some("a")));
        assert_eq!(tree.evaluate(&(), &1), -300, "a static value in the view of Min, who is to move");
        assert!(tree.is_hidden(6));
        assert_eq!(tree.outcome(&5), Some(WIN));
    }

    #[test]
    fn parentheses_need_no_blanks_around_them() {
        let shape = |text: &str| {
            let tree = Tree::read(text, Side::First).expect("a tree");
            (0..tree.nodes.len() as u32)
                .map(|node| (tree.moves(&node).count(), tree.leaf_value(node)))
                .collect::<Vec<_>>()
        };
        for (close, spaced) in
            [("((3 5)(2 9))", "((3 5) (2 9))"), ("(1(2)3)", "(1 (2) 3)"), ("((1)=4(2)b:(-3))", "((1)=4 (2) b:(-3))")]
        {
            assert_eq!(shape(close), shape(spaced), "{close}");
        }
        for text in ["(1-2)", "(W1)", "((1)=2W)"] {
            assert!(Tree::read(text, Side::First).is_err(), "{text}");
        }
    }

    #[test]
    fn leaves_of_any_size_are_read_and_compared() {
        let tree = Tree::read("(290 1000000 -1e9 3 0.001 W)", Side::First).expect("a tree");
        let values: Vec<_> = tree.moves(&0).filter_map(|leaf| tree.leaf_value(leaf)).collect();
        assert_eq!(values, [290.0, 1e6, -1e9, 3.0, 0.001, f64::INFINITY]);
        let scores: Vec<_> = tree.moves(&0).filter_map(|leaf| tree.outcome(&leaf)).map(|score| -score).collect();
        assert!(scores[2] < scores[4] && scores[4] < scores[3] && scores[3] < scores[0] && scores[1] < scores[5]);
    }

    #[test]
    fn a_second_tree_is_explained() {
        for (text, place) in [("(3 5) (2 9)", "line 1, column 7"), ("1 2", "line 1, column 3"), ("(3 5)\n7", "line 2")]
        {
            let error = Tree::read(text, Side::First).expect_err("two trees").0;
            assert!(error.starts_with(place) && error.contains("there is one tree already"), "{error}");
        }
    }

    #[test]
    fn texts_that_are_no_tree_are_refused() {
        for text in ["", "(", "()", "(1 2", "1 2", "(1))", "(x)", "(1e999)", &"(".repeat(100_000)] {
            assert!(Tree::read(text, Side::First).is_err(), "{text:.20}");
        }
    }
}
