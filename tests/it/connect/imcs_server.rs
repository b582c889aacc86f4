//! A fake IMCS: its codes, its states with their odd line ends, and games against a player of random moves.

use super::server::Conn;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, Start};
use flipside_host::engine::registry;
use flipside_support::random::Random;

/// Answers the login, and the request for ratings.
pub fn log_in(conn: &mut Conn) {
    conn.send("100 imcs 2.5\r\n");
    assert_eq!(conn.line().as_deref(), Some("me flip geheim"));
    conn.send("201 hello flip\r\n");
    assert_eq!(conn.line().as_deref(), Some("ratings"));
    conn.send("212 ratings\r\n anna 1016\r\n flip 984\r\n.\r\n");
    assert_eq!(conn.line().as_deref(), Some("list"));
}

/// Plays a game with the client as `client`; its first move is rejected once if `rejects`. `leaves_at` is the ply at which
/// the server vanishes.
pub fn play(conn: &mut Conn, client: Side, mut rejects: bool, leaves_at: Option<usize>) {
    let mut board = registry::rules("minichess").expect("the rules");
    let mut random = Random(11);
    conn.send(&format!("10{} {} 0:30 0:30 game starts\r\n", client.of([5, 6]), client.of(['W', 'B'])));
    let mut plies = 0;
    while board.outcome().is_none() {
        if leaves_at == Some(plies) {
            return;
        }
        plies += 1;
        if board.side() != client {
            let legal = board.legal_moves(Style::Plain);
            let mv = legal[random.below(legal.len())].clone();
            play_move(&mut *board, &mv);
            conn.send(&format!("! {mv}\r\n"));
            continue;
        }
        prompt(&*board, conn);
        let mut mv = conn.line().expect("a move");
        if std::mem::take(&mut rejects) {
            conn.send(&format!("- illegal move {mv}\r\n"));
            prompt(&*board, conn);
            mv = conn.line().expect("another move");
        }
        if mv == "resign" {
            let winner = client.other().of(['W', 'B']);
            conn.send(&format!("= {winner} wins on opponent resignation\r\n"));
            return conn.send(&format!("{} {winner} wins on opponent resignation\r\n", client.other().of([231, 232])));
        }
        assert!(board.is_legal(&mv, Style::Plain), "{mv}");
        play_move(&mut *board, &mv);
    }
    let (code, words) = match board.outcome().expect("an end").winner {
        None => (230, "draw".to_string()),
        Some(side) => (side.of([231, 232]), format!("{} wins", side.of(['W', 'B']))),
    };
    conn.send(&format!("= {words}\r\n{code} {words}\r\n"));
}

fn play_move(board: &mut dyn DynEngine, mv: &str) {
    board.set_position(Start::Here, &[PlayedMove::new(mv)], Style::Plain, false).expect("a legal move");
}

/// The state and the clocks.
fn prompt(board: &dyn DynEngine, conn: &mut Conn) {
    let position = board.position(Style::Plain);
    let (header, rows) = position.rsplit_once(' ').expect("a state on one line");
    conn.send(&format!("\r\n{header}\n{}\n\r\n? 00:30.000 00:29.500\r\n", rows.replace('/', "\n")));
}
