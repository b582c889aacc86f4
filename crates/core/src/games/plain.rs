//! The plain games: rules and notation only, without an evaluation or a search policy of their
//! own.

/// Calls a macro with the name, the other names and the value of every plain game. A new one is a
/// file beside this one, its `mod` line, and one line here: that adds it to the registry, the
/// options, the help and the protocols.
#[macro_export]
macro_rules! plain_games {
    ($visit:ident) => {
        $visit! {
            "tic-tac-toe" ["tictactoe"] => $crate::games::tic_tac_toe::TicTacToe,
            "connect-four" ["connectfour", "connect4", "four-in-a-row"] => $crate::games::connect_four::ConnectFour,
        }
    };
}

pub use plain_games;
