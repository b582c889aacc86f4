//! Writing the events for UCI.

use super::Uci;
use crate::api::event::{BestMove, BookLine, Bound, Event, Iteration, PerftCounts};
use crate::api::options::{OptionInfo, OptionKind, SHOW_WDL};
use crate::api::protocol::RequestId;
use crate::protocol::text;
use flipside_core::search::types::{UNIT, WIN, WIN_IN_MAX_PLY};

impl Uci {
    /// The text of an event.
    pub(super) fn write_event(&mut self, request_id: &RequestId, event: &Event) -> String {
        match event {
            Event::SearchStarted => {
                self.announced = None;
                String::new()
            }
            Event::IllegalSearchMoves(moves) => {
                format!("info string illegal moves in searchmoves: {}\n", text::one_line(&moves.join(" ")))
            }
            Event::Book(lines) => lines.iter().map(book_line).collect(),
            Event::Info(info) => self.info(info),
            Event::BestMove(best_move) => self.best_move(best_move),
            Event::Ready => "readyok\n".into(),
            Event::Handshake { options, .. } => introduction(options),
            Event::GameSelected { variant: Some(variant), variant_facts, options, .. } => {
                let facts = variant_facts.as_deref().unwrap_or_default();
                format!("info string variant {variant} {facts}\n") + &option_lines(options)
            }
            Event::OptionSet(option) if option.name == SHOW_WDL => {
                self.shows_wdl = option.value == "true";
                String::new()
            }
            Event::Perft(PerftCounts { divided, total }) => {
                let lines: String = divided.iter().map(|(mv, count)| format!("{mv}: {count}\n")).collect();
                format!("{lines}\nNodes searched: {total}\n\n")
            }
            Event::Board { picture, .. } => format!("{picture}\n"),
            Event::Text(text) => format!("info string {}\n", text::one_line(text)),
            Event::Error(error) => {
                let said = format!("info string {}\n", text::one_line(&error.to_string()));
                let unanswered = request_id.word == "go";
                if unanswered { said + "bestmove (none)\n" } else { said }
            }
            _ => String::new(),
        }
    }

    /// An info line, after an `info string` when the certainty changed.
    fn info(&mut self, info: &Iteration<String>) -> String {
        let mut text = String::new();
        if self.announced != Some(info.certainty) {
            self.announced = Some(info.certainty);
            text = format!("info string certainty {}\n", info.certainty);
        }
        text + &info_line(info, self.shows_wdl)
    }

    /// The last info line again with the whole cost of the search, then the move: referees take time and score from the
    /// last line before `bestmove`.
    fn best_move(&mut self, best_move: &BestMove) -> String {
        let mut text = match &best_move.info {
            Some(best) => self.info(&Iteration {
                nodes: best_move.statistics.nodes,
                time: best_move.statistics.time,
                ..best.clone()
            }),
            None => format!(
                "info depth 0 score cp 0 nodes {} time {}\n",
                best_move.statistics.nodes,
                best_move.statistics.time.as_millis()
            ),
        };
        if let Some(failure) = &best_move.failure {
            text.push_str(&format!("info string {}\n", text::one_line(failure)));
        }
        text.push_str("bestmove ");
        text.push_str(best_move.mv.as_deref().unwrap_or("(none)"));
        if let Some(ponder) = &best_move.ponder {
            text.push_str(" ponder ");
            text.push_str(ponder);
        }
        text + "\n"
    }
}

fn introduction(options: &[OptionInfo]) -> String {
    let names = format!("id name Flipside {}\nid author the Flipside authors\n", env!("CARGO_PKG_VERSION"));
    names + &option_lines(options) + "uciok\n"
}

fn option_lines(options: &[OptionInfo]) -> String {
    options.iter().map(option_line).collect()
}

fn option_line(option: &OptionInfo) -> String {
    let OptionInfo { name, default, .. } = option;
    match &option.kind {
        OptionKind::Spin { min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}\n")
        }
        OptionKind::Check => format!("option name {name} type check default {default}\n"),
        OptionKind::Combo(list) => {
            let list: String = list.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{list}\n")
        }
        OptionKind::Text => {
            let default = if default.is_empty() { "<empty>" } else { default };
            format!("option name {name} type string default {default}\n")
        }
        OptionKind::Button => format!("option name {name} type button\n"),
    }
}

/// A move of the opening book.
fn book_line(line: &BookLine) -> String {
    let info = &line.info;
    let mv = info.pv.first().map_or("", String::as_str);
    format!("info string book {mv} score {} {line}{}\n", score(info), pv(&info.pv))
}

fn info_line(info: &Iteration<String>, shows_wdl: bool) -> String {
    let millis = info.time.as_millis();
    let rate = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let chances = info.wdl.filter(|_| shows_wdl);
    let chances = chances.map_or(String::new(), |wdl| format!(" wdl {} {} {}", wdl.win, wdl.draw, wdl.loss));
    let line = if misleading(info) { String::new() } else { pv(&info.pv) };
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{chances} nodes {} nps {rate:.0} hashfull {} tbhits 0 time {millis}{line}\n",
        info.depth,
        info.seldepth.max(info.depth),
        info.rank,
        score(info),
        info.nodes,
        info.hashfull,
    )
}

fn pv(line: &[String]) -> String {
    if line.is_empty() { String::new() } else { format!(" pv {}", line.join(" ")) }
}

/// Referees take a draw score with a line of one move for the end of the game.
fn misleading(info: &Iteration<String>) -> bool {
    info.score == 0 && info.pv.len() == 1 && !info.pv_ends_game
}

/// Hundredths of a unit, or moves to a proven end. The last move of a game and the finished game itself have mate scores, too:
/// referees adjudicate by the score.
fn score(info: &Iteration<String>) -> String {
    let Iteration { score, pv_ends_game, ref pv, .. } = *info;
    if score.abs() >= WIN_IN_MAX_PLY {
        let plies = WIN - score.abs();
        let moves = (plies + 1) / 2;
        return format!("mate {}", if score > 0 { moves } else { -moves });
    }
    match (pv_ends_game, pv.len(), score) {
        (true, 0, s) if s < 0 => "mate 0".into(),
        // A draw may be worth up to a unit, but referees expect a draw score.
        (true, 1, s) if s.abs() <= UNIT => "cp 0".into(),
        (true, 1, s) => format!("mate {}", s.signum()),
        _ => format!("cp {score}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::command::CommandError;
    use crate::api::event::{SearchStatistics, example};
    use crate::api::settings::Settings;
    use flipside_core::games::names::GAMES;

    fn info(score: i32, line: &str, ends: bool) -> Iteration<String> {
        let pv: Vec<&str> = line.split_whitespace().collect();
        Iteration { pv_ends_game: ends, ..example(score, &pv) }
    }

    #[test]
    fn an_info_line_has_whole_numbers_and_its_line_last() {
        let text = Uci::default().write_event(&RequestId::default(), &Event::Info(info(-576, "P@e3 P@d7", false)));
        assert_eq!(
            text,
            "info string certainty end@73%\ninfo depth 8 seldepth 8 multipv 1 score cp -576 lowerbound nodes 1000 \
             nps 2000 hashfull 7 tbhits 0 time 500 pv P@e3 P@d7\n"
        );
    }

    #[test]
    fn chances_follow_the_score_where_the_host_wants_them() {
        let (mut uci, mut settings) = (Uci::default(), Settings::default());
        let mut line = |value: &str| {
            let (option, _) = settings.set(GAMES, "uci_showwdl", Some(value)).expect("an option");
            assert_eq!(uci.write_event(&RequestId::default(), &Event::OptionSet(option)), "");
            uci.write_event(&RequestId::default(), &Event::Info(info(-576, "P@e3 P@d7", false)))
        };
        assert!(line("true").contains(" score cp -576 lowerbound wdl 100 50 850 nodes 1000 "));
        assert!(!line("false").contains("wdl"));
    }

    #[test]
    fn ends_of_games_are_told_as_referees_guess_them() {
        assert_eq!(score(&info(600, "P@e3", true)), "mate 1");
        assert_eq!(score(&info(-600, "P@e3", true)), "mate -1");
        assert_eq!(score(&info(0, "P@e3", true)), "cp 0");
        assert_eq!(score(&info(UNIT, "P@e3", true)), "cp 0", "a draw that the host values");
        assert_eq!(score(&info(600, "P@e3", false)), "cp 600");
        assert_eq!(score(&info(-600, "", true)), "mate 0");
        assert_eq!(score(&info(WIN - 3, "a b c", true)), "mate 2");
        assert_eq!(score(&info(2 - WIN, "a b", true)), "mate -1");
        assert!(info_line(&info(0, "P@e3", true), false).contains(" pv "));
        assert!(!info_line(&info(0, "P@e3", false), false).contains(" pv "));
    }

    #[test]
    fn every_search_has_an_info_line_and_a_move() {
        let mut uci = Uci::default();
        let request_id = RequestId { id: None, word: "go".into() };
        let mut best_move = BestMove {
            mv: Some("P@e3".into()),
            code: None,
            ponder: Some("P@d3".into()),
            is_pass: false,
            info: None,
            book: None,
            statistics: SearchStatistics::default(),
            failure: None,
        };
        let text = uci.write_event(&request_id, &Event::BestMove(best_move.clone()));
        assert_eq!(text, "info depth 0 score cp 0 nodes 0 time 0\nbestmove P@e3 ponder P@d3\n");
        (best_move.mv, best_move.ponder) = (None, None);
        assert!(uci.write_event(&request_id, &Event::BestMove(best_move)).ends_with("bestmove (none)\n"));
        let failed = uci.write_event(&request_id, &Event::Error(CommandError::Internal("no\nthread".into())));
        assert_eq!(failed, "info string internal error: no thread\nbestmove (none)\n");
    }
}
