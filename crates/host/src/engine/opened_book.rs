//! The opening book of an engine: its moves as text, and the choice of the move to play.

use super::book_choice::BookChoice;
use super::skill::Skill;
use crate::api::event::{BestMove, BookLine, Iteration, SearchStatistics};
use flipside_core::search::notation::{Notation, Style};
use flipside_core::search::opening_book::{BookMove, OpeningBook};
use std::time::Duration;

/// Length of the line of best moves shown after a book move.
const MAX_LINE: usize = 10;

pub(super) struct BookPosition<'a, G: Notation> {
    pub game: &'a G,
    pub book: &'a dyn OpeningBook<G>,
    pub position: &'a G::Position,
    pub style: Style,
}

impl<G: Notation> BookPosition<'_, G> {
    /// The moves that the book knows, the best first.
    pub fn lines(&self) -> Vec<BookLine> {
        let moves = self.book.moves(self.position);
        moves.iter().enumerate().map(|(index, mv)| self.line(mv, index + 1, moves.len())).collect()
    }

    /// The move to play and the best of the others, if the book has an allowed move (`only`; all if empty) and is used
    /// this late in the game.
    pub fn choose(&self, choice: BookChoice, skill: Skill, only: &[G::Move], multipv: usize) -> Option<Vec<BookLine>> {
        if self.book.plies(self.position) >= choice.plies {
            return None;
        }
        let mut moves = self.book.moves(self.position);
        moves.retain(|book_move| only.is_empty() || only.contains(&book_move.mv));
        let scores: Vec<_> = moves.iter().map(|book_move| book_move.score).collect();
        let chosen = choice.choose(skill, &scores, self.game.key(self.position))?;
        // The chosen move becomes the first variation, as a search shows it; the others keep their order.
        if let Some(before) = moves.get_mut(..=chosen) {
            before.rotate_right(1);
        }
        moves.truncate(multipv.max(1));
        Some(moves.iter().enumerate().map(|(index, mv)| self.line(mv, index + 1, moves.len())).collect())
    }

    fn line(&self, book_move: &BookMove<G::Move>, rank: usize, multipv: usize) -> BookLine {
        let BookMove { mv, score, depth, certainty, grade, games } = *book_move;
        let mut pv = Vec::new();
        let (mut position, mut next) = (self.position.clone(), Some(mv));
        while let Some(mv) = next.filter(|_| pv.len() < MAX_LINE) {
            pv.push(mv);
            position = self.game.play(&position, mv);
            next = self.book.moves(&position).first().map(|best| best.mv);
        }
        let pv_ends_game = self.game.outcome(&position).is_some();
        let known = Iteration { rank, multipv, pv_ends_game, ..Iteration::known(score, certainty, depth, pv) };
        let named = known.in_text(self.game, self.position, self.style);
        let info = named.with_chances(self.game.wdl_model(self.position), 0);
        BookLine { code: self.game.code(mv), info, grade, games }
    }
}

/// The answer made from a line of the book.
pub(super) fn best_move<G: Notation>(game: &G, line: BookLine, time: Duration) -> BestMove {
    let mut pv = line.info.pv.iter().cloned();
    let mv = pv.next();
    BestMove {
        is_pass: mv.as_ref().is_some_and(|mv| game.is_pass_word(mv)),
        code: mv.as_ref().map(|_| line.code),
        mv,
        ponder: pv.next(),
        info: Some(line.info.clone()),
        book: Some(line),
        statistics: SearchStatistics { nodes: 0, time },
        ..BestMove::default()
    }
}
