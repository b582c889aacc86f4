//! Self-play of Reversi for training: random openings, searched moves, exact values near the end of the game.

use super::game_file::{MAX_GAME_MOVES, TrainingGame, to_half_discs};
use super::opening::{Opening, OpeningChoice, Openings};
use flipside_core::games::reversi::board::{Board, Placement};
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::solve::{SolveTask, Wanted};
use flipside_core::search::types::UNIT;
use flipside_support::random::Random;

/// A player that plays both sides of Reversi games and values every position after the opening.
pub struct ReversiSelfPlay {
    searcher: ReversiSearcher,
    depth: u32,
    /// Positions with at most this many empty squares are solved.
    pub exact: u32,
    /// How games begin.
    pub openings: Openings,
    /// A game ends after this many moves behind the opening, if it has more.
    pub moves: usize,
}

impl ReversiSelfPlay {
    /// A player that searches `depth` plies, and solves positions with at most `exact` empty squares.
    pub fn new(evaluation: &ReversiEvaluation, depth: u32, exact: u32) -> ReversiSelfPlay {
        let options = SearcherOptions::with_tables(1, 1);
        let searcher = searcher::open(evaluation, &options).expect("small tables");
        ReversiSelfPlay { searcher, depth, exact, openings: Openings::default(), moves: MAX_GAME_MOVES }
    }

    /// Clears the tables, so that a game does not depend on the games before it.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }

    /// Plays the game with this number.
    pub fn play(&mut self, seed: u64, number: u64) -> TrainingGame {
        self.clear();
        let mut random = Random(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        random.bits();
        let opening = self.openings.draw(number, &mut random);
        let (mut board, mut first) = (Board::START, true);
        let mut game = TrainingGame {
            squares: Vec::with_capacity(MAX_GAME_MOVES),
            values: Vec::with_capacity(MAX_GAME_MOVES),
            opening: 0,
            exact: 0,
            result: 0,
        };
        loop {
            let moves: Vec<Placement> = Reversi::portable().moves(&board).collect();
            let Some(&only) = moves.first() else { break };
            if only == Placement::PASS {
                (board, first) = (board.passed(), !first);
                continue;
            }
            let ply = game.squares.len();
            if ply >= opening.length() + self.moves {
                return game;
            }
            let (mv, value) = if ply < opening.length() {
                game.opening += 1;
                game.exact += 1;
                (self.opening_move(board, &moves, &opening, ply, &mut random), 0)
            } else if board.empties() > self.exact {
                game.exact += 1;
                let (mv, value) = self.search_move(board);
                // Unless a better result follows.
                game.result = for_first_player(value / UNIT, first);
                (mv, value)
            } else {
                let (best, discs) = self.solve_move(board);
                if usize::from(game.exact) == ply {
                    game.result = for_first_player(discs, first);
                }
                // The positions after this one are solved, too, so one move in four is random, for variety.
                let mv = if random.below(4) == 0 { moves[random.below(moves.len())] } else { best };
                (mv, discs * UNIT)
            };
            game.squares.push(mv.square);
            game.values.push(to_half_discs(value));
            (board, first) = (board.after(mv), !first);
        }
        if usize::from(game.exact) == game.squares.len() {
            game.result = for_first_player(board.final_discs(), first);
        }
        game
    }

    fn opening_move(
        &self,
        board: Board,
        moves: &[Placement],
        opening: &Opening,
        ply: usize,
        random: &mut Random,
    ) -> Placement {
        match opening.choice(ply, random) {
            OpeningChoice::Square(square) => {
                *moves.iter().find(|mv| mv.square == square).expect("a line of legal moves")
            }
            OpeningChoice::Random => moves[random.below(moves.len())],
            OpeningChoice::NoisyGreedy(noise) => {
                let mut value =
                    |mv: &Placement| self.searcher.static_eval(&board.after(*mv)) + random.below(noise as usize) as i32;
                let values: Vec<i32> = moves.iter().map(&mut value).collect();
                let best = (0..moves.len()).min_by_key(|&index| values[index]).unwrap_or(0);
                moves[best]
            }
        }
    }

    /// The best move of a search, and the mean of the values of its last two iterations: one is too high and the other
    /// too low by the [odd-even effect](super::leaf_errors).
    pub fn search_move(&self, board: Board) -> (Placement, i32) {
        let limits = Limits::depth(self.depth);
        let stop = Stop::new(&limits);
        let parameters = SearchParameters::new(limits);
        let mut values = [0; 2];
        let found = self.searcher.search(&board, &parameters, &stop, &mut |report| {
            let before = if report.depth > 1 { values[1] } else { report.score };
            values = [before, report.score];
        });
        (found.pv[0], (values[0] + values[1]) / 2)
    }

    /// The best move of a solved position, and its value in discs.
    pub fn solve_move(&self, board: Board) -> (Placement, i32) {
        let task = SolveTask { wanted: Wanted::Move, ..SolveTask::exact(1) };
        let solution = self.searcher.solve(&board, &task, &Stop::new(&Limits::default())).expect("nobody stops it");
        (solution.line.first().copied().unwrap_or(Placement::PASS), solution.score / UNIT)
    }
}

/// A score of the side to move as one of the first player, where `first` says whether it is that player.
pub(super) fn for_first_player(discs: i32, first: bool) -> i8 {
    (if first { discs } else { -discs }) as i8
}
