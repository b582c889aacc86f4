//! A search by a searcher of the textbook, node by node, in the words of `flipside trace`.

use super::position::set_position;
use super::range::within;
use crate::api::settings::{BookSource, Settings};
use crate::engine::dyn_engine::SetupError;
use crate::engine::registry;
use crate::engine::textbook_position::TextbookPosition;
use flipside_core::games::names;
use flipside_core::games::tree_scale::Scale;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::policy::TechniqueSet;
use flipside_core::search::types::{Depth, MAX_DEPTH, Side};
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::techniques::{check_offered, default_techniques, technique};
use flipside_textbook::traced_search::{Drawing, TRACED_PLAYOUTS, TracedTree};
use flipside_textbook::types::SearchConfig;
use flipside_textbook::window::RootWindow;
use serde::Deserialize;

/// Most playouts of `uct`, each of which may add a node.
const MAX_PLAYOUTS: u64 = 10_000;

/// What is searched, and how. What is absent has the value that `flipside trace` gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TraceOptions {
    /// A tree in brackets; instead of `game`, `position` and `evaluation`.
    pub tree: Option<String>,
    /// Name of the game; `reversi` if absent.
    pub game: Option<String>,
    /// A position on one line; the start of the game if absent.
    pub position: Option<String>,
    /// Name of the evaluation.
    pub evaluation: Option<String>,
    /// Name of the searcher; `alphabeta` if absent.
    pub algorithm: Option<String>,
    /// Name of the order of moves; `natural` if absent.
    pub order: Option<String>,
    /// Plies; 2 for positions, the whole tree for trees, if absent.
    pub depth: Option<Depth>,
    /// Whether a transposition table keeps values.
    pub table: bool,
    /// Iterative deepening; the last iteration is described.
    pub deepen: bool,
    /// Techniques of `pvs`; `aspiration` if absent.
    pub techniques: Option<Vec<String>>,
    /// Playouts of `uct`, 1 to 10,000; 100 if absent.
    pub playouts: Option<u64>,
    /// Window of the root in the view of Max: `2,5` or `L,6`; the full one if absent.
    pub window: Option<String>,
    /// `min` if Min moves at the root.
    pub root: Option<String>,
    /// Whether a transposition is drawn only once.
    pub graph: bool,
}

/// The player to move at the root: Max if absent.
///
/// # Errors
/// There is no such player.
pub fn side(name: Option<&str>) -> Result<Side, String> {
    match name {
        None | Some("max") => Ok(Side::First),
        Some("min") => Ok(Side::Second),
        Some(other) => Err(format!("root is {other}, should be max or min")),
    }
}

/// The searcher of this name: alpha-beta if absent.
///
/// # Errors
/// There is no such searcher; the text lists them.
pub fn algorithm(name: Option<&str>) -> Result<Algorithm, String> {
    name.unwrap_or("alphabeta").parse()
}

impl TraceOptions {
    /// Searches and draws. A position whose tree to the depth has more than `most_positions` is refused, except for `uct`.
    ///
    /// # Errors
    /// An option is unknown, out of its range or not offered by the game, or the tree is too large; the text describes what
    /// would be right.
    pub fn draw(&self, most_positions: u64) -> Result<Drawing, String> {
        if let Some(text) = &self.tree {
            let only_tree = self.game.is_none() && self.position.is_none();
            return if only_tree { self.draw_tree(text) } else { Err("a tree or a position, not both".into()) };
        }
        let settings = Settings {
            game: self.game.clone().unwrap_or_else(|| names::REVERSI.name.into()),
            evaluation: self.evaluation.clone().unwrap_or_else(|| "default".into()),
            hash: 1,
            book: BookSource::None,
            ..Settings::default()
        };
        let mut engine = registry::open(&settings).map_err(|error| error.to_string())?;
        set_position(engine.as_mut(), self.position.as_deref(), "").map_err(SetupError::reason)?;
        self.draw_position(&*engine.textbook(), most_positions)
    }

    fn draw_tree(&self, text: &str) -> Result<Drawing, String> {
        let tree = TracedTree::read(text, side(self.root.as_deref())?, self.searcher()?, self.root_window()?);
        let tree = tree.map_err(|error| error.to_string())?;
        let config = self.config(tree.plies(), tree.scale())?;
        let offers = |technique| tree.input().heuristics.offers(technique);
        check_offered(config.techniques, config.order, offers, || false).map_err(|error| error.to_string())?;
        tree.draw(config, self.graph).map_err(|error| error.to_string())
    }

    fn draw_position(&self, position: &dyn TextbookPosition, most_positions: u64) -> Result<Drawing, String> {
        let config = self.config(2, &Scale::HUNDREDTHS)?;
        let offers = |technique| position.offers(technique);
        let checked = check_offered(config.techniques, config.order, offers, || position.has_rule_order());
        checked.map_err(|error| error.to_string())?;
        // Counts ply by ply, so that a far too large tree is not counted completely. A sample is as large as its playouts.
        let is_too_large = |depth: &Depth| position.positions(*depth) > most_positions;
        let counted = if config.algorithm == Algorithm::Uct { 0 } else { config.depth };
        if let Some(depth) = (1..=counted).find(is_too_large) {
            return Err(format!(
                "a tree of depth {depth} has more than {most_positions} positions here: too many to draw"
            ));
        }
        position.trace(config, side(self.root.as_deref())?, self.graph).map_err(|error| error.to_string())
    }

    /// The searcher.
    ///
    /// # Errors
    /// There is no such searcher; the text lists them.
    pub fn searcher(&self) -> Result<Algorithm, String> {
        algorithm(self.algorithm.as_deref())
    }

    fn root_window(&self) -> Result<RootWindow, String> {
        self.window.as_deref().map_or(Ok(RootWindow::FULL), str::parse).map_err(|error| error.to_string())
    }

    fn technique_set(&self) -> Result<TechniqueSet, String> {
        let Some(names) = &self.techniques else { return Ok(default_techniques()) };
        let algorithm = self.searcher()?;
        if algorithm != Algorithm::Pvs {
            return Err(format!("techniques need the algorithm pvs: {algorithm} has none"));
        }
        names.iter().map(|name| technique(name)).collect()
    }

    fn config(&self, default_depth: Depth, scale: &Scale) -> Result<SearchConfig, String> {
        let (algorithm, side) = (self.searcher()?, side(self.root.as_deref())?);
        let order: MoveOrder = self.order.as_deref().unwrap_or("natural").parse()?;
        let depth = self.depth.unwrap_or(default_depth).clamp(0, MAX_DEPTH);
        let window = self.root_window()?.of_root(algorithm, side, scale).map_err(|error| error.to_string())?;
        let playouts = Some(within("playouts", self.playouts.unwrap_or(TRACED_PLAYOUTS), 1..=MAX_PLAYOUTS)?);
        let techniques = self.technique_set()?;
        let fixed = SearchConfig::fixed(algorithm, order, depth);
        Ok(SearchConfig { table: self.table, deepen: self.deepen, techniques, playouts, window, ..fixed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(change: impl FnOnce(&mut TraceOptions)) -> TraceOptions {
        let mut options = TraceOptions::default();
        change(&mut options);
        options
    }

    #[test]
    fn trees_and_positions_are_drawn() {
        let drawn = |options: TraceOptions| options.draw(1000).map(|drawing| drawing.summary);
        let tree = options(|options| options.tree = Some("((5 9) (2 8))".into()));
        assert_eq!(drawn(tree), Ok("value 5, visited 6 of 7".into()));
        assert_eq!(drawn(TraceOptions::default()).map(|summary| summary.contains(" of 17")), Ok(true));
        let position = options(|options| {
            options.game = Some("tic-tac-toe".into());
            options.position = Some("xoxoox... x".into());
            options.depth = Some(9);
        });
        assert_eq!(drawn(position), Ok("value W, visited 9 of 11".into()));
        let sampled = options(|options| {
            options.game = Some("connect-four".into());
            options.algorithm = Some("uct".into());
            options.depth = Some(42);
        });
        assert_eq!(drawn(sampled).map(|summary| summary.ends_with("visited 100")), Ok(true));
    }

    #[test]
    fn what_is_wrong_is_refused_with_what_would_be_right() {
        let refused = |change: fn(&mut TraceOptions), words: &str| {
            let error = options(change).draw(1000).err().unwrap_or_default();
            assert!(error.contains(words), "{error}");
        };
        refused(|options| options.game = Some("chess".into()), "one of reversi, minichess");
        refused(|options| options.position = Some("XX".into()), "expected 64 squares");
        refused(|options| options.tree = Some("(1 2".into()), "line 1, column 5");
        refused(|options| options.algorithm = Some("magic".into()), "expected one of minimax");
        refused(|options| options.order = Some("rule".into()), "only MiniChess");
        refused(|options| options.root = Some("both".into()), "should be max or min");
        refused(|options| options.window = Some("5".into()), "a window such as 2,5");
        refused(|options| options.techniques = Some(vec!["probcut".into()]), "alphabeta has none");
        refused(
            |options| {
                options.algorithm = Some("pvs".into());
                options.techniques = Some(vec!["null-move".into()]);
            },
            "the game has no null-move",
        );
        refused(|options| options.playouts = Some(0), "playouts is 0, should be 1 to 10000");
        refused(|options| options.depth = Some(9), "more than 1000 positions");
        refused(|options| (options.tree, options.game) = (Some("1".into()), Some("gomoku".into())), "not both");
    }
}
