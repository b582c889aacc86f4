//! A position of any game as a value: callers need not know the game's type. Moves are codes; text is made only for
//! output.

use flipside_core::search::notation::{Grid, Notation, Style};
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Certainty, Score, Side};
use flipside_core::search::wdl::{self, Wdl};
use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A position that is shared.
pub type SharedPosition = Arc<dyn DynPosition>;

/// A position with its side to move. A move is its code.
pub trait DynPosition: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The position as the game's rules have it.
    fn value(&self) -> &dyn Any;
    /// A hash of the position. Different positions may have the same one: compare the positions themselves.
    fn key(&self) -> u64;
    /// Whether it is the same position of the same game, with the same side to move.
    fn is(&self, other: &dyn DynPosition) -> bool;
    /// The side to move.
    fn side(&self) -> Side;
    /// The legal moves, a forced pass included; none when the game is over.
    fn moves(&self) -> Vec<u16>;
    /// The pass, if it is the only legal move.
    fn forced_pass(&self) -> Option<u16>;
    /// The position after a move; `None` if the move is not legal.
    fn after(&self, code: u16) -> Option<SharedPosition>;
    /// Names of legal moves that follow each other.
    fn names(&self, line: &[u16], style: Style) -> Vec<String>;
    /// The board as characters.
    fn grid(&self) -> Option<Grid>;
    /// The chances of the side to move at this value of the position, if the game has a model of them or the value is a
    /// known result.
    fn wdl(&self, score: Score, certainty: Certainty) -> Option<Wdl>;
}

impl PartialEq for dyn DynPosition {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}

impl Eq for dyn DynPosition {}

impl Hash for dyn DynPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

/// A position of a game.
pub struct TypedPosition<G: Notation> {
    game: G,
    position: G::Position,
    side: Side,
}

impl<G: Notation + Clone> TypedPosition<G> {
    /// A position of this game with this side to move.
    pub fn shared(game: G, position: G::Position, side: Side) -> SharedPosition {
        Arc::new(TypedPosition { game, position, side })
    }

    /// The legal moves.
    fn legal(&self) -> impl Iterator<Item = G::Move> {
        let moves = self.game.outcome(&self.position).is_none().then(|| self.game.moves(&self.position));
        moves.into_iter().flatten()
    }
}

impl<G: Notation + Clone> DynPosition for TypedPosition<G> {
    fn game(&self) -> &'static str {
        self.game.name()
    }

    fn value(&self) -> &dyn Any {
        &self.position
    }

    fn key(&self) -> u64 {
        self.game.key(&self.position)
    }

    fn is(&self, other: &dyn DynPosition) -> bool {
        let position = other.value().downcast_ref::<G::Position>();
        other.game() == self.game() && other.side() == self.side && position == Some(&self.position)
    }

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> Vec<u16> {
        self.legal().map(|mv| self.game.code(mv)).collect()
    }

    fn forced_pass(&self) -> Option<u16> {
        forced_pass(&self.game, &self.position).map(|pass| self.game.code(pass))
    }

    fn after(&self, code: u16) -> Option<SharedPosition> {
        let mv = self.legal().find(|&mv| self.game.code(mv) == code)?;
        let next = self.game.play(&self.position, mv);
        Some(TypedPosition::shared(self.game.clone(), next, self.side.other()))
    }

    fn names(&self, line: &[u16], style: Style) -> Vec<String> {
        let game = &self.game;
        let mut position = self.position.clone();
        let moves = line.iter().map_while(|&code| {
            let mv = game.moves(&position).find(|&mv| game.code(mv) == code)?;
            position = game.play(&position, mv);
            Some(mv)
        });
        game.show_line(&self.position, &moves.collect::<Vec<_>>(), style)
    }

    fn grid(&self) -> Option<Grid> {
        self.game.grid(&self.position, self.side)
    }

    fn wdl(&self, score: Score, certainty: Certainty) -> Option<Wdl> {
        wdl::of_value(score, Bound::Exact, certainty, self.game.wdl_model(&self.position), 0)
    }
}

/// The pass, if it is the only legal move.
pub(super) fn forced_pass<G: Notation>(game: &G, position: &G::Position) -> Option<G::Move> {
    let mut moves = game.moves(position);
    let first = moves.next()?;
    (moves.next().is_none() && game.is_pass(first)).then_some(first)
}
