//! The parsed commands of all protocols.

use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Selectivity, Side};
use std::path::PathBuf;
use std::time::Duration;

/// A parsed command for the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Text that the protocol answers by itself; it goes through the queue so that answers keep their order.
    Reply(String),
    /// The line was not understood, or its arguments are out of range; the error is the answer, in its turn.
    Invalid(CommandError),
    /// The host's greeting: UCI's `uci`, XBoard's `protover`. The answer lists the options.
    Handshake,
    /// Answered when everything before it is done (UCI's `isready`).
    Ready,
    /// A new game: the start position, tables and histories cleared.
    NewGame,
    /// The start position of a square board with this many columns, if the game has that size.
    BoardSize(usize),
    /// Select another game by name.
    SelectGame(String),
    /// Set the position: a start, then moves. An error in the start changes nothing.
    SetPosition {
        /// Position text in the given style; the game's own start if `None`.
        start: Option<String>,
        /// The moves from there.
        moves: Vec<PlayedMove>,
        /// The notation of the texts.
        style: Style,
        /// Whether the moves before an illegal one stay played (UCI), or all is refused.
        keep_prefix: bool,
    },
    /// The position of an SGF file after at most `max_moves` of its moves.
    LoadSgf {
        /// The file.
        path: PathBuf,
        /// Moves to play.
        max_moves: usize,
    },
    /// Play moves from the present position, all or none.
    Play {
        /// The moves.
        moves: Vec<PlayedMove>,
        /// The notation of the texts.
        style: Style,
    },
    /// Play the opponent's move, then search for the answer; an illegal move starts no search.
    PlayAndGo {
        /// The opponent's move.
        played: PlayedMove,
        /// The notation of its text.
        style: Style,
        /// The search for the answer.
        go: Go,
    },
    /// Set a position, then search it; an invalid position starts no search.
    SetAndGo {
        /// Position text in the given style.
        start: String,
        /// The notation of the text.
        style: Style,
        /// The search.
        go: Go,
    },
    /// Try these moves first, where the searches to come meet them and know no better.
    Suggest {
        /// Position text in the given style.
        start: String,
        /// The moves from there.
        moves: Vec<PlayedMove>,
        /// The notation of the texts.
        style: Style,
    },
    /// Take back this many moves, with the forced passes that were implied around them.
    Undo(u32),
    /// Search for a move.
    Go(Go),
    /// Analyse the position without playing a move.
    Analyze {
        /// For whom; `None` is the side to move.
        player: Option<Player>,
        /// Principal variations to search.
        multipv: usize,
        /// Limits of the analysis.
        limits: GoLimits,
        /// True where the next line of input ends the analysis (GTP).
        until_input: bool,
    },
    /// Game analysis: score every position of the game so far, the last one first, each within these limits.
    AnalyzeGame(GoLimits),
    /// Count the leaves of the game tree to this depth in plies.
    Perft(u32),
    /// The pondered move was played: the searches asked for with [`Go::ponder`] so far go on under the clock. A
    /// protocol may supply the search: its limits then count from now on, and it starts if no search is pondering.
    PonderHit(Option<Go>),
    /// End the searches asked for so far; each answers with its best move.
    Stop,
    /// Drop the running search without an answer.
    DropSearch,
    /// Add the game so far to the opening book.
    LearnGame,
    /// Set an option by name.
    SetOption {
        /// Compared without regard to case.
        name: String,
        /// `None` for buttons.
        value: Option<String>,
    },
    /// Set the time control of both sides, and their clocks.
    TimeControl(TimeControl),
    /// Set a side's clock.
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
    /// Whether the command starts a search.
    pub fn starts_search(&self) -> bool {
        matches!(
            self,
            Command::Go(_)
                | Command::PlayAndGo { .. }
                | Command::SetAndGo { .. }
                | Command::Analyze { .. }
                | Command::AnalyzeGame(_)
                | Command::Perft(_)
        )
    }

    /// What is left of the command if its search is cancelled before it begins.
    pub fn without_search(self) -> Option<Command> {
        match self {
            Command::PlayAndGo { played, style, .. } => Some(Command::Play { moves: vec![played], style }),
            Command::SetAndGo { start, style, .. } => {
                Some(Command::SetPosition { start: Some(start), moves: Vec::new(), style, keep_prefix: false })
            }
            Command::PonderHit(Some(_)) => None,
            other => (!other.starts_search()).then_some(other),
        }
    }
}

/// A player as the host names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The first or the second to move.
    Side(Side),
    /// The player of this name, in lower case; the game knows which side that is.
    Named(&'static str),
}

impl Player {
    /// The player's side in a game with sides of these names, the first mover's first. In a game without black and
    /// white, black is the first mover.
    ///
    /// # Errors
    /// [`CommandError::NoSuchPlayer`] if the game has no such name.
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

/// A move as a host wrote it, or several moves in one text where no player is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The player, where the protocol names one. A forced pass of the side to move is then implied.
    pub player: Option<Player>,
    /// The move, in the command's notation.
    pub text: String,
}

impl PlayedMove {
    /// A move without its player.
    pub fn new(text: &str) -> PlayedMove {
        PlayedMove { player: None, text: text.to_string() }
    }

    /// A move of this side.
    pub fn by(side: Side, text: String) -> PlayedMove {
        PlayedMove { player: Some(side.into()), text }
    }
}

/// A search for a move, as in UCI's `go`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// For whom; `None` is the side to move. A forced pass of the other side is then implied.
    pub player: Option<Player>,
    /// Whether the best move is played on the session's board.
    pub play: bool,
    /// Limits of the search.
    pub limits: GoLimits,
    /// Only these moves are searched; all if empty.
    pub searchmoves: Vec<String>,
    /// Think on the opponent's time: no answer before [`Command::PonderHit`] or [`Command::Stop`].
    pub ponder: bool,
    /// Set where the host wants to know the position's value rather than a move for a game.
    pub value: Option<ValueQuestion>,
}

/// What a host asks about the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueQuestion {
    /// In hundredths for the side to move; values outside are answered by bounds.
    pub window: (Score, Score),
    /// How sure the value must be.
    pub selectivity: Selectivity,
}

/// Limits of a search as a host gives them. A missing limit falls back to the clock, then to the command line, and at
/// last to two seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoLimits {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// Until a win within this many moves is proven.
    pub mate: Option<u32>,
    /// Until told to stop; no answer before that.
    pub infinite: bool,
    /// The clocks of both sides, the first player's first.
    pub clocks: [Option<Duration>; 2],
    /// Increments a move, the first player's first.
    pub increments: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

/// How much time a game gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeControl {
    /// No limit.
    Unlimited,
    /// Main time for the whole game, and an increment a move (Fischer).
    Game {
        /// On the clock at the start.
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
    /// Byo-yomi: main time, then `periods` periods. A move that takes a whole period uses it up; one that takes less
    /// leaves it whole.
    ByoYomi {
        /// Before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// How many there are, at least 1.
        periods: u32,
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

/// What a host may ask for.
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
    /// The empty squares that the rules forbid to the first player.
    ForbiddenMoves,
    /// The side to move.
    Side,
    /// The result of a finished game.
    Result,
    /// Discs or points of both sides now.
    Points,
    /// The options and their values.
    Options,
    /// What the last search cost.
    Statistics,
    /// What the search under way has cost so far.
    Progress,
    /// The opening book's entry for the position before the last `moves_back` moves, passes included.
    Book {
        /// 0 for the present position.
        moves_back: usize,
    },
    /// The processor time that the engine has used.
    ProcessorTime,
    /// The games that can be selected.
    Games,
    /// The name of the present game.
    Game,
    /// Width and height of the board.
    Size,
}

/// Why a command fails. The texts are GTP's; other protocols may have their own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No such command.
    #[error("unknown command: {0}")]
    UnknownCommand(String),
    /// Wrong number or form of arguments; holds the correct form.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// The game has no player of this name.
    #[error("invalid color: expected {} or {}, saw '{name}'", sides[0], sides[1])]
    NoSuchPlayer {
        /// The names in this game.
        sides: [&'static str; 2],
        /// The name that the host sent.
        name: &'static str,
    },
    /// The move cannot be played: the move and the reason.
    #[error("illegal move: {0}: {1}")]
    IllegalMove(String, String),
    /// The position text is invalid; holds the reason.
    #[error("bad position: {0}")]
    BadPosition(String),
    /// The engine has no game of this name.
    #[error("unsupported game: {0}")]
    UnsupportedGame(String),
    /// The game has no board of this size.
    #[error("unacceptable size")]
    UnacceptableSize,
    /// Fewer moves have been played than are to be taken back.
    #[error("cannot undo")]
    CannotUndo,
    /// The game is not over.
    #[error("cannot score")]
    CannotScore,
    /// A file could not be read.
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    /// The host may not name files.
    #[error("files are forbidden (--no-files)")]
    FilesForbidden,
    /// The engine has no such option.
    #[error("unknown option: {0}")]
    UnknownOption(String),
    /// The option does not take this value: the option and the value.
    #[error("bad value for {0}: {1}")]
    BadValue(String, String),
    /// No opening book can answer; holds the reason.
    #[error("no opening book: {0}")]
    NoBook(String),
    /// The opening book learned nothing; holds the reason.
    #[error("cannot teach the opening book: {0}")]
    CannotLearn(String),
    /// Not possible in this state.
    #[error("{0}")]
    Unavailable(String),
    /// An internal error; the engine keeps running.
    #[error("internal error: {0}")]
    Internal(String),
}
