//! Explicit game trees for teaching, read from text: `(((1 5 6) (8 3)) (L (1 W)))`.
//!
//! Leaves are whole or decimal numbers, `W` and `L`, all from Max's point of view; `?` is a leaf
//! that a search must not visit. A move may have a name (`a:5`), and an inner node a static value
//! for searches that stop above the leaves: `(1 5)=3`.

use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::notation::PositionError;
use crate::search::types::{Score, Side, UNIT, WIN, WIN_IN_MAX_PLY};
use flipside_support::text::line_and_column;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::take_while1,
    character::complete::{char, multispace0},
    combinator::{all_consuming, cut, map, map_opt, opt, recognize, value},
    error::ErrorKind,
    number::complete::recognize_float,
    sequence::{delimited, preceded, terminated},
};

/// Deeper nesting is refused, because reading recurses.
const MAX_DEPTH: usize = 100;
/// Characters of the text that an error shows.
const EXCERPT: usize = 30;

#[derive(Clone, Debug, PartialEq)]
struct Branch {
    name: Option<String>,
    value: Option<Score>,
    hidden: bool,
    children: Vec<Branch>,
}

#[derive(Clone, Debug)]
struct Node {
    name: Option<String>,
    value: Option<Score>,
    hidden: bool,
    max: bool,
    children: Vec<u32>,
}

/// A game tree: its nodes by number, the root first.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

fn number(input: &str) -> IResult<&str, Score> {
    let limit = f64::from(WIN_IN_MAX_PLY) / f64::from(UNIT);
    let plain = map_opt(recognize(recognize_float), move |text: &str| {
        let value: f64 = text.parse().ok()?;
        (value.abs() < limit).then_some((value * f64::from(UNIT)).round() as Score)
    });
    alt((value(WIN, char('W')), value(-WIN, char('L')), plain)).parse(input)
}

/// A leaf's value in text: units with decimals, `W` for a win, `L` for a loss; `None` for other
/// text.
pub fn read_value(text: &str) -> Option<Score> {
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

impl Tree {
    /// Reads a tree whose root belongs to Max (`Side::First`) or Min.
    ///
    /// # Errors
    /// The text is not a tree.
    pub fn read(text: &str, root: Side) -> Result<Tree, PositionError> {
        let (_, branch) =
            all_consuming(delimited(multispace0, branch(0), multispace0)).parse(text).map_err(|error| {
                let (rest, is_deep) = match &error {
                    nom::Err::Error(error) | nom::Err::Failure(error) => {
                        (error.input, error.code == ErrorKind::TooLarge)
                    }
                    nom::Err::Incomplete(_) => ("", false),
                };
                let expected = if is_deep {
                    format!("at most {MAX_DEPTH} nested parentheses")
                } else {
                    format!("nested parentheses, numbers below {}, W, L or ?", WIN_IN_MAX_PLY / UNIT)
                };
                let (line, column) = line_and_column(text, text.len() - rest.len());
                let seen = match rest.chars().take(EXCERPT).collect::<String>() {
                    start if start.is_empty() => "the end".to_string(),
                    start => format!("'{}'", start.escape_debug()),
                };
                PositionError(format!("line {line}, column {column}: expected {expected}, saw {seen}"))
            })?;
        let mut tree = Tree { nodes: Vec::new() };
        tree.add(branch, root == Side::First);
        Ok(tree)
    }

    fn add(&mut self, branch: Branch, max: bool) -> u32 {
        let index = self.nodes.len();
        let Branch { name, value, hidden, children } = branch;
        self.nodes.push(Node { name, value, hidden, max, children: Vec::new() });
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

    /// The value of a leaf from Max's point of view; none for inner nodes and for `?`.
    pub fn leaf_value(&self, node: u32) -> Option<Score> {
        let node = &self.nodes[node as usize];
        node.value.filter(|_| node.children.is_empty())
    }

    /// The name of the move into a node, if the text gave one.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.nodes[node as usize].name.as_deref()
    }

    fn for_mover(&self, node: u32) -> Score {
        let node = &self.nodes[node as usize];
        let value = node.value.unwrap_or(0);
        if node.max { value } else { -value }
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
    fn texts_that_are_no_tree_are_refused() {
        for text in ["", "(", "()", "(1 2", "1 2", "(1))", "(x)", "(400)", &"(".repeat(100_000)] {
            assert!(Tree::read(text, Side::First).is_err(), "{text:.20}");
        }
    }
}
