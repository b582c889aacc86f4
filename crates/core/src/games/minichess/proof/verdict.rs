//! The result of a position under the move limit, with best play.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::all_moves;
use super::super::rules::MiniChess;
use super::prover::Prover;
use super::question::Question;
use crate::search::game::Game;
use crate::search::limits::Stop;
use crate::search::types::Side;
use std::cmp::Reverse;

/// Positions of the first try; each further try has four times as many.
const FIRST_TRY: u64 = 1 << 12;
/// The search for a shorter win has this many positions, and four times those of the proof.
const SHORTEST: u64 = 4_000_000;

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Neither side can force the end of the game within the limit.
    Draw,
    /// This side cannot; nothing was asked of the other one.
    NoWin {
        /// The side.
        side: Side,
    },
    /// A side can.
    Win {
        /// The winner.
        side: Side,
        /// Plies to the end of the game at most; the end for want of moves counts as one.
        plies: u32,
        /// True if no play of the winner forces an earlier end.
        is_shortest: bool,
    },
}

/// What was proven of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub outcome: Outcome,
    /// The principal variation, to the end of the game or, of a draw, as far as it was searched. Its moves keep the
    /// result; if the win is the shortest, they are best play, else any moves of the loser. Any moves, too, of a side that
    /// alone was asked about and does not win.
    pub line: Vec<Move>,
}

/// Proves the result of a position. With `wants_shortest` it also looks for the shortest win, with some effort; one that
/// is found by chance may be the shortest, too. `None` if stopped.
pub fn prove(prover: &mut Prover, board: &Board, wants_shortest: bool, stop: &Stop) -> Option<Verdict> {
    prove_for(prover, board, None, wants_shortest, stop)
}

/// Proves as [`prove`] does, or only whether one side wins, if one is given.
pub fn prove_for(
    prover: &mut Prover,
    board: &Board,
    only: Option<Side>,
    wants_shortest: bool,
    stop: &Stop,
) -> Option<Verdict> {
    if let Some(score) = MiniChess.outcome(board) {
        let side = if score > 0 { board.to_move() } else { board.to_move().other() };
        // The end for want of moves counts as a ply; the capture of a king was the last one.
        let plies = u32::from(board.all_of(Piece::King).count_ones() == 2);
        let outcome = if score == 0 { Outcome::Draw } else { Outcome::Win { side, plies, is_shortest: true } };
        return Some(Verdict { outcome, line: Vec::new() });
    }
    let outcome = result(prover, board, only, stop)?;
    let Outcome::Win { side, mut plies, .. } = outcome else {
        return Some(Verdict { outcome, line: held_line(prover, board, only, stop)? });
    };
    let effort = if wants_shortest { SHORTEST + 4 * prover.nodes() } else { 0 };
    let is_shortest = shorten(prover, board, side, &mut plies, effort, stop)?;
    let line = winning_line(prover, Question::new(board, side, plies), is_shortest, stop)?;
    Some(Verdict { outcome: Outcome::Win { side, plies, is_shortest }, line })
}

/// Proves the result of every position after a move; the moves are in their order of merit, the best first. `None` if
/// stopped.
pub fn prove_moves(
    prover: &mut Prover,
    board: &Board,
    wants_shortest: bool,
    stop: &Stop,
) -> Option<Vec<(Move, Verdict)>> {
    let moves = if MiniChess.outcome(board).is_some() { Vec::new() } else { all_moves(board).into_iter().collect() };
    let proven =
        moves.into_iter().map(|mv| Some((mv, prove(prover, &board.play(mv), wants_shortest, stop)?.after(mv))));
    let mut proven = proven.collect::<Option<Vec<_>>>()?;
    proven.sort_by_key(|(_, verdict)| Reverse(verdict.outcome.merit(board.to_move())));
    Some(proven)
}

impl Outcome {
    /// What it is worth to a side: the higher the better.
    fn merit(self, side: Side) -> i32 {
        match self {
            Outcome::Draw | Outcome::NoWin { .. } => 0,
            Outcome::Win { side: winner, plies, .. } if winner == side => i32::MAX - plies as i32,
            Outcome::Win { plies, .. } => i32::MIN + plies as i32,
        }
    }
}

impl Verdict {
    /// The verdict on a move, from that on the position after it.
    fn after(self, mv: Move) -> Verdict {
        let outcome = match self.outcome {
            Outcome::Win { side, plies, is_shortest } => Outcome::Win { side, plies: plies + 1, is_shortest },
            other => other,
        };
        Verdict { outcome, line: std::iter::once(mv).chain(self.line).collect() }
    }

    /// The verdict on a position with moves, from those on its moves as [`prove_moves`] has them; `None` without moves.
    pub fn of_moves(moves: &[(Move, Verdict)]) -> Option<Verdict> {
        let mut best = moves.first()?.1.clone();
        // A win that may be shorter than it is known to be may be shorter than the shortest of the others.
        if let Outcome::Win { side, is_shortest, .. } = &mut best.outcome {
            let bounds = |(_, verdict): &(Move, Verdict)| matches!(verdict.outcome, Outcome::Win { side: winner, is_shortest: false, .. } if winner == *side);
            *is_shortest = !moves.iter().any(bounds);
        }
        Some(best)
    }
}

/// Asks in turn whether either side wins, or of one side only, each time with more effort: at once for the whole limit,
/// which finds long wins where few moves matter, and by iterative deepening.
fn result(prover: &mut Prover, board: &Board, only: Option<Side>, stop: &Stop) -> Option<Outcome> {
    let mut effort = FIRST_TRY;
    let mut open = only.map_or_else(|| vec![board.to_move(), board.to_move().other()], |side| vec![side]);
    while !open.is_empty() {
        for side in open.clone() {
            let question = Question::new(board, side, board.plies_left());
            let mut answer = prover.answer_at_once(&question, effort, stop);
            if answer.is_none() && !stop.is_raised() {
                answer = prover.answer(&question, effort, stop);
            }
            match answer {
                Some(true) => {
                    let plies = u32::from(prover.known(&question).win);
                    return Some(Outcome::Win { side, plies, is_shortest: false });
                }
                Some(false) => open.retain(|&other| other != side),
                None if stop.is_raised() => return None,
                None => {}
            }
        }
        effort *= 4;
    }
    Some(only.map_or(Outcome::Draw, |side| Outcome::NoWin { side }))
}

/// Looks for shorter wins than `plies`; true if the last one found is the shortest.
fn shorten(prover: &mut Prover, board: &Board, side: Side, plies: &mut u32, effort: u64, stop: &Stop) -> Option<bool> {
    let shorter = Question::new(board, side, *plies - 1);
    let answer = match prover.known(&shorter).answer(shorter.plies) {
        None => prover.answer(&shorter, effort, stop),
        known => known,
    };
    if answer == Some(true) {
        *plies = u32::from(prover.known(&shorter).win);
    }
    // The first iteration that finds a win finds the shortest; a known one need not be.
    match answer {
        Some(true) if *plies > 1 => shorten(prover, board, side, plies, effort, stop),
        None if stop.is_raised() => None,
        answer => Some(answer.is_some()),
    }
}

/// A line of the winner's proof to the end of the game. If the win is the shortest, the loser holds out as long as it can.
fn winning_line(prover: &mut Prover, mut question: Question, is_shortest: bool, stop: &Stop) -> Option<Vec<Move>> {
    let mut line = Vec::new();
    while MiniChess.outcome(&question.board).is_none() {
        let (mv, next) = match question.attacker_moves() {
            true => quickest(prover, question, stop)?,
            false if is_shortest => slowest(prover, question, stop)?,
            false => question.moves().into_iter().next()?,
        };
        prover.answer_at_once(&next, u64::MAX, stop)?;
        line.push(mv);
        question = Question { plies: prover.known(&next).win.min(next.plies), ..next };
    }
    Some(line)
}

/// The attacker's move that is known to win first, or one that a search finds: the table may have lost it.
fn quickest(prover: &mut Prover, question: Question, stop: &Stop) -> Option<(Move, Question)> {
    let known = question.moves().into_iter().min_by_key(|(_, next)| prover.known(next).win)?;
    if prover.known(&known.1).win <= known.1.plies {
        return Some(known);
    }
    for (mv, next) in question.moves() {
        if prover.answer(&next, u64::MAX, stop)? {
            return Some((mv, next));
        }
    }
    None
}

/// The defender's move after which the attacker wins no earlier than the question says, known or found by a search.
fn slowest(prover: &mut Prover, question: Question, stop: &Stop) -> Option<(Move, Question)> {
    let earlier = |next: Question| Question { plies: next.plies.saturating_sub(1), ..next };
    let is_known = |prover: &Prover, next: Question| {
        let earlier = earlier(next);
        prover.known(&earlier).answer(earlier.plies) == Some(false)
    };
    if let Some(known) = question.moves().into_iter().find(|&(_, next)| is_known(prover, next)) {
        return Some(known);
    }
    for (mv, next) in question.moves() {
        if !prover.answer(&earlier(next), u64::MAX, stop)? {
            return Some((mv, next));
        }
    }
    None
}

/// A line in which each side's moves are known to hold the draw, or are found to near its end, which the table does not
/// keep. If only one side was asked about, it plays any moves.
fn held_line(prover: &mut Prover, board: &Board, only: Option<Side>, stop: &Stop) -> Option<Vec<Move>> {
    let (mut line, mut board) = (Vec::new(), *board);
    while MiniChess.outcome(&board).is_none() {
        let question = Question::new(&board, board.to_move().other(), board.plies_left());
        let mut held = None;
        for (mv, next) in question.moves() {
            let is_held = match next.is_shallow() {
                _ if only == Some(board.to_move()) => true,
                true => !prover.answer_at_once(&next, u64::MAX, stop)?,
                false => prover.known(&next).answer(next.plies) == Some(false),
            };
            if is_held {
                held = Some((mv, next));
                break;
            }
        }
        let Some((mv, next)) = held else { break };
        line.push(mv);
        board = next.board;
    }
    Some(line)
}

#[cfg(feature = "threads")]
#[cfg(test)]
mod tests {
    use super::super::certificate::{Reason, check, claims, roots};
    use super::super::fact_table::numbered;
    use super::super::leaves::{LEAF_PLIES, Leaves};
    use super::super::strategy;
    use super::*;
    use crate::games::certificate::CertificateError;
    use crate::games::minichess::board::LAST_NUMBER;
    use crate::games::minichess::state_text::read_state;
    use crate::games::minichess::tables::EndgameTables;
    use crate::games::minichess::tables::build::tests::{build_some, class_of};
    use crate::search::limits::Limits;
    use flipside_support::random::Random;
    use std::collections::HashMap;
    use std::sync::Arc;

    /// Values of positions with their move numbers.
    type Known = HashMap<([u64; 2], u8), i32>;

    /// Plies to the end of the game for the winner, negative for a loss of the side to move, 0 for a draw, by plain minimax.
    /// The end for want of moves counts as a ply.
    fn minimax(board: &Board, known: &mut Known) -> i32 {
        let key = numbered(board, Side::First);
        if let Some(&value) = known.get(&key) {
            return value;
        }
        let value = best_value(board, known);
        known.insert(key, value);
        value
    }

    fn best_value(board: &Board, known: &mut Known) -> i32 {
        match MiniChess.outcome(board) {
            Some(0) => return 0,
            // A king has just been taken.
            Some(_) if board.king(board.to_move()).is_none() => return i32::MIN,
            Some(_) => return -1,
            None => {}
        }
        let after = MiniChess.moves(board).map(|mv| match minimax(&board.play(mv), known) {
            i32::MIN => 1,
            plies if plies < 0 => 1 - plies,
            plies => -plies - i32::from(plies > 0),
        });
        // A quick win is better than a slow one, and a slow loss than a quick one.
        after
            .max_by_key(|&plies| {
                if plies > 0 {
                    1_000 - plies
                } else if plies < 0 {
                    -1_000 - plies
                } else {
                    0
                }
            })
            .unwrap_or(-1)
    }

    fn outcome_of(board: &Board, value: i32) -> Outcome {
        let side = if value > 0 { board.to_move() } else { board.to_move().other() };
        match value {
            0 => Outcome::Draw,
            _ => Outcome::Win { side, plies: value.unsigned_abs(), is_shortest: true },
        }
    }

    /// A board of random pieces with few plies left.
    fn random_board(random: &mut Random, pieces: usize, plies: u32) -> Option<Board> {
        let number = u32::from(LAST_NUMBER) - plies.div_ceil(2);
        let side = if plies.is_multiple_of(2) { Side::First } else { Side::Second };
        let mut board = Board::empty(side, number as u8);
        for index in 0..pieces {
            let kind = if index < 2 { Piece::King } else { Piece::ALL[[0, 1, 2, 3, 3, 4, 4][random.below(7)]] };
            let side = if index % 2 == 0 { Side::First } else { Side::Second };
            let square = random.below(30) as u8;
            let is_at_edge = kind == Piece::Pawn && !(5..25).contains(&square);
            if board.piece_at(square).is_some() || is_at_edge {
                return None;
            }
            board.put(side, kind, square);
        }
        Some(board)
    }

    /// Proves a position and checks its line and its certificate; returns the outcome and how many positions of its
    /// strategy rest on tables.
    fn proven(board: &Board, tables: Option<&Arc<EndgameTables>>) -> (Outcome, u64) {
        let mut prover = Prover::new(1, 1, tables.cloned()).expect("memory");
        let stop = Stop::new(&Limits::default());
        let verdict = prove(&mut prover, board, true, &stop).expect("not stopped");
        if let Outcome::Win { plies, is_shortest: true, .. } = verdict.outcome {
            let end = verdict.line.iter().fold(*board, |board, &mv| board.play(mv));
            let is_taken = end.all_of(Piece::King).count_ones() == 1;
            assert!(MiniChess.outcome(&end).is_some(), "{board:?} {verdict:?}");
            assert_eq!(verdict.line.len() as u32 + u32::from(!is_taken), plies, "{board:?} {verdict:?}");
        }
        let (claims, numbers) = claims(&mut prover, board, verdict.outcome, &stop).expect("not stopped");
        for (number, (attacker, plies, forces)) in numbers.into_iter().zip(roots(board, verdict.outcome)) {
            let claim = &claims[number];
            assert_eq!((claim.board, claim.attacker, claim.plies, claim.forces), (*board, attacker, plies, forces));
        }
        let by_table = check(&claims, tables.map(|tables| &**tables)).expect("a proof");
        let mut moves = Vec::new();
        let written = strategy::write(&mut prover, board, verdict.outcome, 1, &mut moves, &stop).expect("a strategy");
        let tables = tables.map(|tables| &**tables);
        let leaves = Leaves::new(1, 1).expect("memory");
        let walked =
            strategy::check(&mut &moves[..], board, verdict.outcome, tables, 1, leaves, &stop).expect("a proof");
        assert_eq!((walked, walked.moves), (written, moves.len() as u64), "{board:?}");
        // A strategy leaves positions of a few plies to the rules.
        let is_long = roots(board, verdict.outcome).iter().any(|(_, plies, _)| *plies > LEAF_PLIES);
        assert_eq!(walked.by_table > 0, by_table > 0 && is_long, "{board:?}");
        (verdict.outcome, walked.by_table)
    }

    /// Results and distances are those of plain minimax, with and without endgame tables, and their certificates hold.
    #[test]
    fn results_are_those_of_minimax() {
        let classes =
            ["K..QR", "K..Qr", "K..Rr"].map(|row| class_of(&format!("9 W k..../...../...../...../...../{row}")));
        let tables = Arc::new(build_some(&classes));
        let (mut random, mut known) = (Random(5), Known::new());
        let (mut decided, mut long, mut by_table) = (0, 0, 0);
        for round in 0..2_000 {
            // Plain minimax is slow: few pieces where many plies are left.
            let (plies, most) = [(2, 8), (3, 8), (4, 8), (5, 4), (8, 3), (9, 3)][round % 6];
            let pieces = 3 + round / 6 % (most - 2);
            let Some(board) = random_board(&mut random, pieces, plies) else { continue };
            if MiniChess.outcome(&board).is_some() {
                continue;
            }
            let value = minimax(&board, &mut known);
            assert_eq!(proven(&board, None).0, outcome_of(&board, value), "{board:?}");
            decided += u32::from(value != 0);
            long += u32::from(value.abs() > 2);
            // Only positions whose every end the tables know: kings and at most a queen and rooks.
            let heavy = board.all_of(Piece::King) | board.all_of(Piece::Queen) | board.all_of(Piece::Rook);
            if board.occupied() == heavy
                && board.occupied().count_ones() <= 5
                && board.all_of(Piece::Queen).count_ones() < 2
            {
                let (outcome, positions) = proven(&board, Some(&tables));
                assert_eq!(outcome, outcome_of(&board, value), "{board:?}");
                by_table += positions;
            }
        }
        assert!(decided > 100 && long > 10 && by_table > 50, "{decided} {long} {by_table}");
    }

    /// The best of the moves has the result of the position.
    #[test]
    fn moves_are_proven_one_by_one() {
        let stop = Stop::new(&Limits::default());
        for (state, results) in [
            ("30 W .k.../...../...../.K.../...../...Q.", "5"),
            ("30 B k..../...../.K.../..Q../...../.....", "-4"),
            ("9 W k..../...../...../...../...../R...K", "1"),
            ("40 W kqbnr/ppppp/...../...../PPPPP/RNBQK", "0"),
        ] {
            let board = read_state(state).expect("a position");
            let mut prover = Prover::new(1, 1, None).expect("memory");
            let moves = prove_moves(&mut prover, &board, true, &stop).expect("not stopped");
            assert_eq!(moves.len(), MiniChess.moves(&board).count());
            let verdict = Verdict::of_moves(&moves).expect("moves");
            let alone = prove(&mut prover, &board, true, &stop).expect("not stopped");
            assert_eq!(verdict.outcome, alone.outcome, "{state}");
            assert_eq!(verdict.outcome, outcome_of(&board, results.parse().expect("a number")), "{state}");
            let value = |verdict: &Verdict| verdict.outcome.merit(board.to_move());
            assert!(moves.is_sorted_by(|(_, a), (_, b)| value(a) >= value(b)), "{moves:?}");
            for (mv, verdict) in &moves {
                assert_eq!(verdict.line.first(), Some(mv));
            }
        }
        let over = read_state("41 W k..../...../...../...../...../R...K").expect("a position");
        let moves =
            prove_moves(&mut Prover::new(1, 1, None).expect("memory"), &over, true, &stop).expect("not stopped");
        assert_eq!((moves.len(), Verdict::of_moves(&moves)), (0, None));
    }

    /// A long win: the loser's moves hold out as long as the distance says, whatever bounds other moves have.
    #[test]
    fn lines_of_long_wins_are_as_long_as_the_distance() {
        let board = read_state("30 W ...../..k../...../...../...../R...K").expect("a position");
        let outcome = proven(&board, None).0;
        assert!(matches!(outcome, Outcome::Win { plies: 17, is_shortest: true, .. }), "{outcome:?}");
        // At once, without looking for shorter ones.
        let mut prover = Prover::new(1, 1, None).expect("memory");
        let verdict = prove(&mut prover, &board, false, &Stop::new(&Limits::default())).expect("not stopped");
        let end = verdict.line.iter().fold(board, |board, &mv| board.play(mv));
        assert!(MiniChess.outcome(&end).is_some(), "{verdict:?}");
    }

    /// A side without a move has lost.
    #[test]
    fn blocked_sides_have_lost() {
        let board = read_state("21 W ....k/...../.p.p./pPpPp/BRP.P/KQN..").expect("a position");
        assert_eq!(proven(&board, None).0, Outcome::Win { side: Side::Second, plies: 1, is_shortest: true });
        // The move that blocks it wins, unless it is the last one before the draw: the pawn still on d5 goes to d4.
        for (number, outcome) in
            [(20, Outcome::Win { side: Side::Second, plies: 2, is_shortest: true }), (40, Outcome::Draw)]
        {
            let board = read_state(&format!("{number} B ....k/...p./.p.../pPpPp/BRP.P/KQN..")).expect("a position");
            assert_eq!(proven(&board, None).0, outcome, "{number}");
        }
    }

    /// A claim about all moves without one of them, and one that promises too much, prove nothing.
    #[test]
    fn false_certificates_are_refused() {
        let board = read_state("30 B ..k../...../...../..Q../...../....K").expect("a position");
        let stop = Stop::new(&Limits::default());
        let mut prover = Prover::new(1, 1, None).expect("memory");
        let verdict = prove(&mut prover, &board, true, &stop).expect("not stopped");
        assert_eq!(verdict.outcome, Outcome::Win { side: Side::First, plies: 10, is_shortest: true });
        let (claims, _) = claims(&mut prover, &board, verdict.outcome, &stop).expect("not stopped");
        assert_eq!(check(&claims, None), Ok(0));
        let first = claims.iter().position(|claim| matches!(claim.reason, Reason::Moves(_))).expect("moves");
        let all = claims.iter().position(|claim| matches!(&claim.reason, Reason::Moves(moves) if moves.len() > 1));
        let mut changed = claims.clone();
        if let Some(Reason::Moves(moves)) = all.map(|all| &mut changed[all].reason) {
            moves.pop();
        }
        assert!(matches!(check(&changed, None), Err(CertificateError::MissingMove(..))), "{all:?}");
        let mut changed = claims.clone();
        changed[first].forces = !changed[first].forces;
        assert!(check(&changed, None).is_err());
        let mut changed = claims.clone();
        changed[first].reason = Reason::Table;
        assert_eq!(check(&changed, None), Err(CertificateError::NoTables(first)));
        let mut changed = claims;
        changed.truncate(1);
        assert!(check(&changed, None).is_err());
    }
}
