//! A game: its start, the moves played, the passes that were implied.

use crate::board::{Board, Move, Style, is_pass};
use flipside::games::reversi::board::Board as Discs;
use flipside::games::reversi::opening_names;

#[derive(Clone, PartialEq)]
pub struct Game {
    start: Board,
    steps: Vec<Step>,
    now: Board,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{:?} after {}", self.now, self.moves(Style::Gtp).join(" "))
    }
}

#[derive(Clone, PartialEq)]
struct Step {
    before: Board,
    mv: Move,
    implied: bool,
}

impl Game {
    pub fn new(start: Board) -> Game {
        Game { now: start.clone(), start, steps: Vec::new() }
    }

    /// The position now.
    pub fn now(&self) -> &Board {
        &self.now
    }

    /// The name of the opening: that of the last position with a name. The model takes the names from the engine.
    pub fn opening(&self) -> Option<&'static str> {
        let positions = self.steps.iter().map(|step| &step.before).chain([&self.now]);
        let discs = |board: &Board| {
            let Board::Reversi(twin) = board else { return None };
            let set = |own: bool| {
                let cells = twin.cells.iter().flatten().enumerate();
                let wanted = cells.filter(|&(_, &cell)| cell != '-' && (cell == twin.mover) == own);
                wanted.fold(0, |set, (index, _)| set | 1_u64 << index)
            };
            Some(Discs { player: set(true), opponent: set(false) })
        };
        opening_names::of_positions(positions.filter_map(discs)).map(|opening| opening.name)
    }

    /// Moves played, passes included.
    pub fn length(&self) -> usize {
        self.steps.len()
    }

    /// The moves as the engine writes them.
    pub fn moves(&self, style: Style) -> Vec<String> {
        self.steps.iter().map(|step| step.before.show(step.mv, style)).collect()
    }

    pub fn push(&mut self, mv: Move) {
        self.step(mv, false);
    }

    fn step(&mut self, mv: Move, implied: bool) {
        let after = self.now.play(mv);
        let before = std::mem::replace(&mut self.now, after);
        self.steps.push(Step { before, mv, implied });
    }

    /// Whether a host may play a pass on a finished game, or an engine answers with one: any number of them, except one
    /// a side in UCI, where a pass needs an own disc and an empty square.
    pub fn closing_pass(&self, style: Style) -> bool {
        let Board::Reversi(twin) = &self.now else { return false };
        let has = |mark| twin.cells.iter().flatten().any(|&cell| cell == mark);
        let passes = self.steps.iter().rev().take_while(|step| step.mv == Move::Pass).count();
        self.now.is_over() && (style != Style::Chess || passes < 2 && ['-', 'X', 'O'].into_iter().all(has))
    }

    /// Plays a host's move; returns false and changes nothing if it is not legal. `first` is the player, if the host
    /// names it.
    pub fn play(&mut self, first: Option<bool>, text: &str, style: Style) -> bool {
        let passes = is_pass(text, style) || is_pass(text, Style::Gtp) || is_pass(text, Style::Chess);
        if self.now.is_over() {
            let legal = passes && self.closing_pass(style);
            if legal {
                self.step(Move::Pass, false);
            }
            return legal;
        }
        let out_of_turn = first.is_some_and(|first| first != self.now.first_to_move());
        if out_of_turn && (passes || !self.now.must_pass()) {
            return false;
        }
        if !out_of_turn && let Some(mv) = self.now.meant(text, style) {
            self.step(mv, false);
            return true;
        }
        // A forced pass that the host did not write, if it names the player or the protocol omits passes.
        if !self.now.must_pass() || !out_of_turn && (first.is_some() || style == Style::Chess) {
            return false;
        }
        let Some(mv) = self.now.play(Move::Pass).meant(text, style) else { return false };
        self.step(Move::Pass, true);
        self.step(mv, false);
        true
    }

    /// Gives the turn to the player whom the host names, by a forced pass if necessary; returns false if that is
    /// impossible.
    pub fn give_turn(&mut self, first: bool) -> bool {
        if first == self.now.first_to_move() {
            return true;
        }
        let forced = self.now.must_pass();
        if forced {
            self.step(Move::Pass, true);
        }
        forced
    }

    /// Takes back the pass of [`Game::give_turn`].
    pub fn take_back_turn(&mut self) {
        self.pop_if(|step| step.implied);
    }

    /// Takes back `count` moves with the implied passes around them; returns false and changes nothing if there are
    /// fewer.
    pub fn undo(&mut self, count: usize) -> bool {
        if self.steps.iter().filter(|step| !step.implied).count() < count {
            return false;
        }
        for _ in 0..count {
            while self.pop_if(|step| step.implied) {}
            self.pop_if(|_| true);
            while self.pop_if(|step| step.implied) {}
        }
        true
    }

    fn pop_if(&mut self, condition: impl Fn(&Step) -> bool) -> bool {
        match self.steps.pop_if(|step| condition(step)) {
            Some(step) => {
                self.now = step.before;
                true
            }
            None => false,
        }
    }
}
