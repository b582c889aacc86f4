//! A fake GGS: login, one match, and its Othello games against a player of random moves.

use super::server::Conn;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, Start};
use flipside_host::engine::registry;
use flipside_support::random::Random;

/// How the server tells games.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Ggf,
    Picture,
}

/// A game on the server.
pub struct Game {
    id: String,
    board: Box<dyn DynEngine>,
    /// The client's side.
    client: Side,
    form: Form,
    last: String,
}

/// Answers the login of a client up to its first settings.
pub fn log_in(conn: &mut Conn, name: &str, password: &str) {
    conn.send("\u{7}Welcome to a server\r\nof tests\r\n: Enter login (yours, or one you'd like to use).");
    assert_eq!(conn.line().as_deref(), Some(name));
    conn.send("\r\n: Enter your password.\r\n");
    assert_eq!(conn.line().as_deref(), Some(password));
    conn.send("READY\r\nsome news without a bar\r\nREADY\r\nREADY\r\n");
    conn.until("tell /os open 1", "READY\r\n");
}

impl Game {
    /// A game from the usual start, or from a position with that many more discs.
    pub fn new(id: &str, client: Side, discs: usize, form: Form) -> Game {
        let mut board = registry::rules("reversi").expect("the rules");
        let mut random = Random(7);
        for _ in 0..discs {
            let legal = board.legal_moves(Style::Plain);
            let mv = PlayedMove::new(&legal[random.below(legal.len())]);
            board.set_position(Start::Here, &[mv], Style::Plain, false).expect("a legal move");
        }
        let start = board.position(Style::Ggf);
        board.set_position(Start::Text(&start), &[], Style::Ggf, false).expect("a start");
        Game { id: id.into(), board, client, form, last: "PASS".into() }
    }

    fn is_over(&self) -> bool {
        self.board.outcome().is_some()
    }

    /// `join` or `update`, with READY after it.
    pub fn tell(&self, word: &str, conn: &mut Conn) {
        let [black, white] = self.client.of([["flip", "alice"], ["alice", "flip"]]);
        let text = match (self.form, word) {
            (Form::Ggf, "join") => {
                let history = self.board.history(Style::Ggf).into_iter();
                let moves: String = history.map(|(side, mv)| format!("{}[{mv}//1]", side.of(["B", "W"]))).collect();
                format!(
                    " (;GM[Othello]PC[GGS/os]PB[{black}]PW[{white}]RB[1720]RW[1720]TI[01:00//02:00]TY[8]RE[?]BO[{}]{moves};)\r\n",
                    self.board.start_position(Style::Ggf)
                )
            }
            (Form::Ggf, _) => format!(" {}\r\n", self.last),
            (Form::Picture, _) => self.picture(black, white),
        };
        conn.send(&format!("/os: {word} {}{text}READY\r\n", self.id));
    }

    fn picture(&self, black: &str, white: &str) -> String {
        let text = self.board.position(Style::Ggf);
        let squares: Vec<char> = text.chars().filter(|c| "-*O".contains(*c)).collect();
        let (board, mover) = squares.split_at(64);
        let row = |(index, row): (usize, &[char])| {
            let squares: String = row.iter().map(|square| format!("{square} ")).collect();
            format!("| {0} {squares}{0} \r\n", index + 1)
        };
        let rows: String = board.chunks(8).enumerate().map(row).collect();
        format!(
            " 8 K?\r\n|  1: {}\r\n|{black:8} (1720.0 *) 00:59,0:0//02:00,0:0\r\n|{white:8} (1720.0 O) 01:00,0:0//02:00,0:0\r\n\
             |\r\n|   A B C D E F G H\r\n{rows}|   A B C D E F G H\r\n|\r\n|{} to move\r\n",
            self.last, mover[0]
        )
    }

    /// Plays a move of a side and tells it.
    fn play(&mut self, side: Side, text: &str, conn: &mut Conn) {
        let mv = text.split('/').next().unwrap_or_default();
        let played = self.board.set_position(Start::Here, &[PlayedMove::by(side, mv.into())], Style::Plain, false);
        match played {
            Ok(()) => {
                self.last = text.to_string();
                self.tell("update", conn);
            }
            Err(_) => conn.send(&format!("/os: error {} illegal move\r\nREADY\r\n", self.id)),
        }
    }

    /// The opponent moves while it is its turn.
    fn answer(&mut self, random: &mut Random, conn: &mut Conn) {
        while !self.is_over() && self.board.side() != self.client {
            let legal = self.board.legal_moves(Style::Plain);
            let mv = legal[random.below(legal.len())].clone();
            let word = if self.board.is_pass(&mv) { "PA".to_string() } else { format!("{mv}//1.5") };
            self.play(self.client.other(), &word, conn);
        }
    }

    /// The result for the client, as the server writes it.
    fn result(&self) -> String {
        let outcome = self.board.outcome().expect("an end");
        let margin = outcome.margin.unwrap_or_default() as i32;
        let sign = if outcome.winner == Some(self.client) { 1 } else { -1 };
        format!("{:+}.00", sign * margin)
    }
}

/// Plays games until all are over; the client's first move of the match is rejected once if `rejects`. Returns the lines
/// that were no moves.
pub fn play(conn: &mut Conn, games: &mut [Game], mut rejects: bool, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut others = Vec::new();
    for game in games.iter_mut() {
        game.tell("join", conn);
        game.answer(&mut random, conn);
    }
    while games.iter().any(|game| !game.is_over()) {
        let line = conn.line().expect("the client plays on");
        let Some(rest) = line.strip_prefix("tell /os play ") else {
            others.push(line);
            conn.send("READY\r\n");
            continue;
        };
        let (id, mv) = rest.split_once(' ').expect("an id and a move");
        let game = games.iter_mut().find(|game| game.id == id).expect("a game");
        assert_eq!(game.board.side(), game.client, "{line}: it is not the client's turn");
        if std::mem::take(&mut rejects) {
            conn.send(&format!("/os: error {id} illegal move\r\nREADY\r\n"));
            continue;
        }
        game.play(game.client, mv, conn);
        game.answer(&mut random, conn);
        if game.is_over() && games.len() > 1 {
            let game = games.iter().find(|game| game.id == id).expect("a game");
            conn.send(&format!("/os: end {id} ( flip vs. alice ) {}\r\nREADY\r\n", game.result()));
        }
    }
    let result = games[0].result();
    conn.send(&format!("/os: - match .5 1720 flip 1720 alice 8 U {result}\r\nREADY\r\n"));
    others
}
