//! Everything that a line can mean, whatever its protocol.

use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::Duration;

/// A request to the session, parsed.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Answered by the protocol itself; goes through the queue so that answers keep their order.
    Say(String),
    /// Not understood, or arguments out of range; answered in its turn.
    Refuse(CommandError),
    /// Greets the host: UCI's `uci`, XBoard's `protover`. The answer lists the options.
    Introduce,
    /// Are you there, and done with all that came before?
    Ready,
    /// Another game: forget what was learned about the last one, back to the start position.
    NewGame,
    /// The start position of a square board of so many columns, if the game has that size.
    BoardSize(usize),
    /// Change the engine: a game by name.
    SelectGame(String),
    /// Set the position: a start (the game's own if `None`), then moves. On an error in the start
    /// nothing changes; `keep_prefix` decides whether moves before a bad one stay played.
    Setup {
        /// Position text in the given style.
        start: Option<String>,
        /// The moves from there.
        moves: Vec<Turn>,
        /// The words of the texts.
        style: Style,
        /// UCI keeps the moves before an illegal one, the others refuse the whole.
        keep_prefix: bool,
    },
    /// Play moves from the present position, all or none.
    Play {
        /// The moves.
        moves: Vec<Turn>,
        /// The words of the texts.
        style: Style,
    },
    /// Play the opponent's move and choose the answer to it; nothing is chosen if it cannot be played.
    Answer {
        /// The opponent's move.
        to: Turn,
        /// The words of its text.
        style: Style,
        /// How the answer is chosen.
        go: Go,
    },
    /// Take back this many turns (forced passes that were implied go with their move).
    Undo(u32),
    /// Choose a move.
    Go(Go),
    /// Evaluate until told otherwise.
    Analyze {
        /// For whom; `None` is the side to move.
        player: Option<Player>,
        /// How many lines of play.
        lines: usize,
        /// Ends it early.
        limits: GoLimits,
        /// True where the next line of input closes the analysis (GTP).
        until_input: bool,
    },
    /// Evaluate every position of the game so far, the last one first (NBoard's `analyze`), each
    /// within these limits.
    AnalyzeGame(GoLimits),
    /// Count the leaves of the tree below the position.
    Perft(u32),
    /// The pondered move was played: the search goes on under the clock, within these limits if
    /// any are told, else within those that it began with.
    PonderHit(Option<GoLimits>),
    /// End the search now and answer it.
    Stop,
    /// End the search now and drop its answer; then confirm with the number.
    Cancel(u64),
    /// Set an option by name.
    SetOption {
        /// Compared without regard to case.
        name: String,
        /// Absent for buttons.
        value: Option<String>,
    },
    /// Set the time control of both sides and their clocks.
    TimeControl(TimeControl),
    /// What a side's clock shows.
    Clock {
        /// Whose clock.
        player: Player,
        /// Main time, or what is left of the period.
        left: Duration,
        /// Moves still to make in the period; 0 in main time.
        stones: u32,
    },
    /// Ask about the position or the engine.
    Show(Query),
    /// Leave.
    Quit,
}

impl Command {
    /// True for questions that only a search can answer.
    pub fn starts_search(&self) -> bool {
        matches!(
            self,
            Command::Go(_)
                | Command::Answer { .. }
                | Command::Analyze { .. }
                | Command::AnalyzeGame(_)
                | Command::Perft(_)
        )
    }

    /// What is left of the command when its search is called off.
    pub fn without_search(self) -> Option<Command> {
        match self {
            Command::Answer { to, style, .. } => Some(Command::Play { moves: vec![to], style }),
            other => (!other.starts_search()).then_some(other),
        }
    }
}

/// A player, as a host says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Who moves first, or second.
    Side(Side),
    /// Who bears this name in the game, which knows whether that is the first or the second player. Lower case.
    Named(&'static str),
}

impl Player {
    /// Which side that is in a game with sides of these names, the first mover's first. Where nobody is called black or
    /// white, black begins.
    ///
    /// # Errors
    /// [`CommandError::NoSuchPlayer`], when the game knows no such name.
    pub fn side(self, [first, second]: [&'static str; 2]) -> Result<Side, CommandError> {
        match self {
            Player::Side(side) => Ok(side),
            Player::Named(name) if name == first => Ok(Side::First),
            Player::Named(name) if name == second => Ok(Side::Second),
            Player::Named("black") => Ok(Side::First),
            Player::Named("white") => Ok(Side::Second),
            Player::Named(name) => Err(CommandError::NoSuchPlayer { sides: [first, second], name }),
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        Player::Side(side)
    }
}

/// One move of a game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who plays it, where the protocol says so. A forced pass of the side to move is then implied.
    pub player: Option<Player>,
    /// The move, in the words of the command's style.
    pub text: String,
}

impl Turn {
    /// A move whose player is not told.
    pub fn new(text: &str) -> Turn {
        Turn { player: None, text: text.to_string() }
    }

    /// A move of this side.
    pub fn by(side: Side, text: String) -> Turn {
        Turn { player: Some(side.into()), text }
    }
}

/// A request for a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// For whom; `None` is the side to move. A forced pass of the other is then implied.
    pub player: Option<Player>,
    /// Whether the chosen move is played on the session's board.
    pub play: bool,
    /// What the host allows.
    pub limits: GoLimits,
    /// Only these moves are looked at; all if empty.
    pub only: Vec<String>,
    /// Think on the opponent's time: no answer before `PonderHit` or `Stop`.
    pub ponder: bool,
}

/// Limits as a host words them; what is absent falls back to the clock, the command line, and
/// at last to two seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoLimits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// Proven win within so many moves.
    pub mate: Option<u32>,
    /// Until told to stop; no answer before that.
    pub infinite: bool,
    /// The clocks of both sides, the first player's before the second's.
    pub clocks: [Option<Duration>; 2],
    /// Increments a move.
    pub increments: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// How much time a game gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeControl {
    /// As much as one likes.
    Unlimited,
    /// Main time for the whole game, and an increment a move (Fischer).
    Game {
        /// Seconds on the clock at the start.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// Canadian: main time, then `stones` moves in each `period`. One stone is a fixed time a move.
    Canadian {
        /// Before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves in it, at least 1.
        stones: u32,
    },
    /// Classical: `moves` moves in `main`, again and again, with an increment.
    Classical {
        /// Moves in a session, at least 1.
        moves: u32,
        /// Time for them.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// What a host may want to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The board, drawn.
    Board,
    /// The position on one line.
    Position,
    /// The moves played so far.
    Moves,
    /// The legal moves.
    LegalMoves,
    /// Whose turn it is.
    Side,
    /// The result of a finished game.
    Result,
    /// Discs or points of both sides now.
    Points,
    /// The options and their values.
    Options,
    /// What the last search did.
    Statistics,
    /// The games that can be selected.
    Games,
    /// The name of the present game.
    Game,
    /// Width and height of the board.
    Size,
}

/// Why a request cannot be served; each protocol has its own words for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No such command.
    #[error("unknown command: {0}")]
    UnknownCommand(String),
    /// Wrong number or form of arguments: what would be right.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// Nobody bears this name in the game.
    #[error("invalid color: expected {} or {}, saw '{name}'", sides[0], sides[1])]
    NoSuchPlayer {
        /// The names that the game knows.
        sides: [&'static str; 2],
        /// The one that it does not.
        name: &'static str,
    },
    /// The move cannot be played: the move and the reason.
    #[error("illegal move: {0}: {1}")]
    IllegalMove(String, String),
    /// The position text is wrong.
    #[error("bad position: {0}")]
    BadPosition(String),
    /// No such game, or not by this name.
    #[error("unsupported game: {0}")]
    UnsupportedGame(String),
    /// The board has another size.
    #[error("unacceptable size")]
    UnacceptableSize,
    /// Nothing to take back.
    #[error("cannot undo")]
    CannotUndo,
    /// The game is not over.
    #[error("cannot score")]
    CannotScore,
    /// A file could not be read.
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    /// No such option.
    #[error("unknown option: {0}")]
    UnknownOption(String),
    /// The option does not take this value.
    #[error("bad value for {0}: {1}")]
    BadValue(String, String),
    /// Not in this state.
    #[error("{0}")]
    Unavailable(String),
    /// Something broke inside; the engine goes on.
    #[error("internal error: {0}")]
    Internal(String),
}
