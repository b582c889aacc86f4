//! The textbook's searchers beside plain ones: values, windows and cuts of every visit, on random trees and on positions of
//! every game.

#![cfg(feature = "cli")]

use crate::searcher_twin::{Board, Event, FULL, Search, Searcher, WIN};
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, Start};
use flipside::engine::registry;
use flipside::games::names::games;
use flipside::search::algorithm::Algorithm;
use flipside::search::notation::Style;
use flipside::search::types::{Depth, Score, Side};
use flipside::support::random::Random;
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::trace_tree::TraceTree;
use flipside::textbook::traced_search::TracedTree;
use flipside::textbook::types::SearchConfig;
use flipside::textbook::units::Units;
use flipside::textbook::window::{RootWindow, Window};

const TREES: u64 = 500;
const POSITIONS: u64 = 50;
/// Leaves of a game tree at most.
const LEAVES: u64 = 400;
/// Of these values every search may prove that nothing is better, by distances that a trace does not show.
const WINS: i32 = 29_000;

/// The plain searcher of an algorithm.
fn plain(algorithm: Algorithm) -> Searcher {
    match algorithm {
        Algorithm::Minimax | Algorithm::Uct => Searcher::Minimax,
        Algorithm::AlphaBeta => Searcher::FailSoft,
        Algorithm::AlphaBetaHard => Searcher::FailHard,
        Algorithm::Negamax => Searcher::Negamax,
        Algorithm::Scout | Algorithm::Pvs => Searcher::Scout,
    }
}

fn hundredths(Units(value): Units) -> i32 {
    if value.is_infinite() { WIN * value.signum() as i32 } else { (value * 100.0).round() as i32 }
}

/// The events of a traced search.
fn events(node: &TraceTree, events: &mut Vec<Event>) {
    let Some(visit) = node.visit else {
        return events.push(Event::Prune(node.name.clone().expect("a name")));
    };
    let (low, high) = visit.window.expect("a window");
    events.push(Event::Enter(node.name.clone(), (hundredths(low), hundredths(high))));
    node.children.iter().for_each(|child| self::events(child, events));
    events.push(Event::Leave(hundredths(visit.value)));
}

/// The order in which the moves after a cutoff are listed means nothing.
fn with_sorted_prunes(mut events: Vec<Event>) -> Vec<Event> {
    let is_pruned = |event: &Event| matches!(event, Event::Prune(_));
    for pruned in events.chunk_by_mut(|one, other| is_pruned(one) && is_pruned(other)) {
        pruned.sort_by_key(|event| if let Event::Prune(name) = event { name.clone() } else { String::new() });
    }
    events
}

/// A search of a board with Max or Min to move at its root.
struct Case<'a> {
    max: bool,
    depth: u32,
    reversed: bool,
    random: &'a mut Random,
}

impl Case<'_> {
    fn side(&self) -> Side {
        if self.max { Side::First } else { Side::Second }
    }

    /// Compares every algorithm, with the full window or one near the value.
    fn compare(self, board: &mut impl Board, traced: impl Fn(SearchConfig) -> TraceTree, context: &str) {
        let Case { max, depth, reversed, random } = self;
        let value = Search { board, searcher: Searcher::Minimax, reversed, events: Vec::new() }.root(max, FULL, depth);
        for (name, algorithm) in Algorithm::minimax_family() {
            let chosen = Window::is_for(algorithm) && random.below(2) == 0;
            let window = if chosen { window_near(value, random) } else { FULL };
            let mut search = Search { board: &mut *board, searcher: plain(algorithm), reversed, events: Vec::new() };
            search.root(max, window, depth);
            let (alpha, beta) = if max { window } else { (-window.1, -window.0) };
            let order = if reversed { MoveOrder::Reverse } else { MoveOrder::Natural };
            let config = SearchConfig {
                window: Window::new(alpha, beta).expect("a window"),
                ..SearchConfig::fixed(algorithm, order, depth as Depth)
            };
            let mut found = Vec::new();
            events(&traced(config), &mut found);
            let (found, right) = (with_sorted_prunes(found), with_sorted_prunes(search.events));
            let has_win = right.iter().any(|event| matches!(event, Event::Leave(value) if value.abs() >= WINS));
            if algorithm == Algorithm::Pvs && has_win {
                assert_eq!(found.last(), right.last(), "{name}, {context}");
            } else {
                assert!(found == right, "{name}, window {window:?}, {context}:\n{found:?}\n{right:?}");
            }
        }
    }
}

fn window_near(value: i32, random: &mut Random) -> (i32, i32) {
    let low = value.clamp(-1000, 1000) + random.below(800) as i32 - 600;
    (low, low + 1 + random.below(600) as i32)
}

/// A tree of a test.
struct RandomTree {
    name: String,
    /// For Max; of a leaf.
    value: i32,
    children: Vec<RandomTree>,
}

impl RandomTree {
    fn grow(random: &mut Random, plies: usize, has_wins: bool, names: &mut usize) -> RandomTree {
        let name = format!("n{names}");
        *names += 1;
        if plies == 0 || random.below(8) == 0 {
            let value = match random.below(12) {
                0 if has_wins => WIN,
                1 if has_wins => -WIN,
                2 => random.below(2001) as i32 - 1000,
                _ => 100 * (random.below(21) as i32 - 10),
            };
            return RandomTree { name, value, children: Vec::new() };
        }
        let children = (0..1 + random.below(4)).map(|_| RandomTree::grow(random, plies - 1, has_wins, names)).collect();
        RandomTree { name, value: 0, children }
    }

    fn text(&self) -> String {
        let leaf = || match self.value {
            WIN => "W".to_string(),
            value if value == -WIN => "L".to_string(),
            value => (f64::from(value) / 100.0).to_string(),
        };
        let named = |child: &RandomTree| format!("{}:{}", child.name, child.text());
        let children: Vec<_> = self.children.iter().map(named).collect();
        if children.is_empty() { leaf() } else { format!("({})", children.join(" ")) }
    }
}

/// The nodes from the root of a tree to the present one.
struct OnTree<'a>(Vec<&'a RandomTree>);

impl Board for OnTree<'_> {
    fn leaf(&self, _: u32) -> Option<i32> {
        let node = self.0.last().expect("a node");
        node.children.is_empty().then_some(node.value)
    }
    fn moves(&self) -> Vec<String> {
        self.0.last().expect("a node").children.iter().map(|child| child.name.clone()).collect()
    }
    fn play(&mut self, number: usize) {
        self.0.push(&self.0.last().expect("a node").children[number]);
    }
    fn take_back(&mut self) {
        self.0.pop();
    }
}

#[test]
fn values_windows_and_cuts_of_random_trees_are_those_of_plain_searchers() {
    for seed in 0..TREES {
        let mut random = Random(seed);
        let tree = RandomTree::grow(&mut random, 2 + seed as usize % 4, seed % 3 == 0, &mut 0);
        let text = tree.text();
        let case = Case { max: seed % 2 == 0, depth: 99, reversed: seed % 5 == 0, random: &mut random };
        let side = case.side();
        let traced = |config: SearchConfig| {
            let read = TracedTree::read(&text, side, config.algorithm, RootWindow::FULL).expect("a tree");
            read.draw(config, false).expect("a search").tree
        };
        case.compare(&mut OnTree(vec![&tree]), traced, &text);
    }
}

/// An engine that plays the moves. The values of leaves are its static evaluations and the results of games.
struct OnEngine<'a> {
    engine: &'a mut dyn DynEngine,
    /// The side that is Max.
    max: Side,
}

impl Board for OnEngine<'_> {
    fn leaf(&self, depth: u32) -> Option<i32> {
        let for_mover = |score: Score| if self.engine.side() == self.max { score } else { -score };
        (depth == 0 || self.engine.outcome().is_some()).then(|| for_mover(self.engine.static_eval()))
    }
    fn moves(&self) -> Vec<String> {
        let position = self.engine.present();
        let name = |code| position.names(&[code], Style::Plain).concat().to_ascii_lowercase();
        position.moves().into_iter().map(name).collect()
    }
    fn play(&mut self, number: usize) {
        let code = self.engine.present().moves()[number];
        self.engine.play_code(code).expect("a legal move");
    }
    fn take_back(&mut self) {
        assert!(self.engine.undo(1));
    }
}

/// Sets a position of random play, in which the game is not over.
fn play_at_random(engine: &mut dyn DynEngine, random: &mut Random) -> String {
    let start = engine.start_position(Style::Plain);
    engine.set_position(Start::Text(&start), &[], Style::Plain, false).expect("the start");
    for _ in 0..random.below(40) {
        let moves = engine.present().moves();
        engine.play_code(moves[random.below(moves.len())]).expect("a legal move");
        if engine.outcome().is_some() {
            engine.undo(1);
            break;
        }
    }
    let position = engine.position(Style::Plain);
    engine.set_position(Start::Text(&position), &[], Style::Plain, false).expect("the position");
    position
}

#[test]
fn values_windows_and_cuts_of_positions_are_those_of_plain_searchers() {
    for game in games() {
        let settings = Settings { game: game.into(), hash: 1, ..Settings::default() };
        let mut engine = registry::open(&settings).expect("an engine");
        for seed in 0..POSITIONS {
            let mut random = Random(seed);
            let position = play_at_random(engine.as_mut(), &mut random);
            let depth = (1..=4).take_while(|&depth| engine.perft(depth, None) <= LEAVES).last().unwrap_or(1);
            let mover = engine.side();
            let case = Case { max: seed % 2 == 0, depth, reversed: seed % 5 == 0, random: &mut random };
            let (side, textbook) = (case.side(), engine.textbook());
            let traced = |config| textbook.trace(config, side, false).expect("a search").tree;
            let max = if case.max { mover } else { mover.other() };
            let mut board = OnEngine { engine: engine.as_mut(), max };
            case.compare(&mut board, traced, &format!("{game}, {position}, depth {depth}"));
        }
    }
}
