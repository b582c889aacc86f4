//! The examples at the end of the help of each subcommand.

/// Examples of `flipside`.
pub const FLIPSIDE: &str = r#"Examples:
  flipside --gtp --game minichess
  flipside --uci --threads 4 --hash 1024
  flipside solve --check ffo.obf"#;

/// Examples of `flipside play`.
pub const PLAY: &str = r#"Examples:
  flipside play
  flipside play --game minichess --black human --strength 60
  flipside play --black engine --white engine --tc 1+1"#;

/// Examples of `flipside perft`.
pub const PERFT: &str = r#"Examples:
  flipside perft 9
  flipside perft 5 --game minichess"#;

/// Examples of `flipside match`.
pub const MATCH: &str = r#"Examples:
  flipside match --engine 'name=a builtin' --engine 'name=b builtin option.Level=4' --nodes 1000 --games 20
  flipside match --config match.toml --json match.jsonl --resume"#;

/// Examples of `flipside lint`.
pub const LINT: &str = r#"Examples:
  flipside lint --cmd "flipside --gtp" --protocol gtp"#;

/// Examples of `flipside openings`.
pub const OPENINGS: &str = r#"Examples:
  flipside openings --plies 8 --count 50 > openings.txt"#;

/// Examples of `flipside solve`.
pub const SOLVE: &str = r#"Examples:
  flipside solve --check ffo.obf
  flipside solve --all-moves --json < positions.obf
  flipside solve --jobs 4 --resume answers.txt positions.obf"#;

/// Examples of `flipside analyze`.
pub const ANALYZE: &str = r#"Examples:
  flipside analyze game.ggf --svg game.svg
  echo f5d6c3d3c4 | flipside analyze --depth 10"#;

/// Examples of `flipside book`.
pub const BOOK: &str = r#"Examples:
  flipside book build --book my.book --positions 5000 --threads 4"#;

/// Examples of `flipside search`.
pub const SEARCH: &str = r#"Examples:
  flipside search --algorithm scout --order heuristic --table --depth 7
  flipside search --evaluation discs --depth 6 --compare"#;

/// Examples of `flipside trace`.
pub const TRACE: &str = r#"Examples:
  flipside trace --algorithm alphabeta-hard --tree '(((1 5 6) (8 3)) (L (1 W)))'
  flipside trace --depth 2 --evaluation discs --format svg --position \
      '---------------------------OX------XO--------------------------- X' > trace.svg"#;

/// Examples of `flipside growth`.
pub const GROWTH: &str = r#"Examples:
  flipside growth --branching 2..8 --depth 6
  flipside growth --game reversi --depth 1..8 --svg growth.svg"#;

/// Examples of `flipside tables`.
pub const TABLES: &str = r#"Examples:
  flipside tables
  flipside tables --probe "9 W ..k../...../...../...../...../R...K""#;

/// Examples of `flipside train`.
#[cfg(feature = "train")]
pub const TRAIN: &str = r#"Examples:
  flipside train selfplay --games 10000 --out my.games
  flipside train fit --games my.games --out my.bin"#;
