//! What a certificate of every game has in common: numbered claims, each of which rests on later
//! ones.

/// Why a certificate proves nothing. The first number is that of the claim, from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// A claim names another one that does not exist.
    #[error("claim {0} rests on claim {1}, which the file does not hold")]
    Missing(usize, usize),
    /// A claim rests on one that comes no later: it may rest on itself.
    #[error("claim {0} rests on claim {1}, which does not follow it")]
    Order(usize, usize),
    /// A move that the rules do not allow.
    #[error("claim {0}: {1} is not legal")]
    Illegal(usize, String),
    /// Some claims hold only if every move is considered.
    #[error("claim {0}: the legal move {1} is missing")]
    MissingMove(usize, String),
    /// The claim behind a move is about another position.
    #[error("claim {0}: {1} leads to another position than that of claim {2}")]
    OtherPosition(usize, String, usize),
    /// The claim about a move does not prove what is needed.
    #[error("claim {0}: claim {2} after {1} does not prove it")]
    TooWeak(usize, String, usize),
    /// Reversi: a score that no position has.
    #[error("claim {0}: expected a score of -64 to 64, found {1}")]
    Score(usize, i32),
    /// Reversi: the game is not over, or its result differs.
    #[error("claim {0}: {1}")]
    Result(usize, &'static str),
    /// MiniChess: the rules say otherwise, or too little.
    #[error("claim {0} does not follow from the rules")]
    Rules(usize),
    /// MiniChess: the table says otherwise.
    #[error("claim {0} does not follow from the endgame tables")]
    Table(usize),
    /// MiniChess: the tables are needed and not there.
    #[error("claim {0} needs the endgame tables, which flipside tables makes")]
    NoTables(usize),
}

/// The claim `next`, on which the claim `index` rests.
///
/// # Errors
/// There is none, or it comes no later, so that claims could prove each other.
pub fn behind<C>(claims: &[C], index: usize, next: usize) -> Result<&C, CertificateError> {
    let claim = claims.get(next).ok_or(CertificateError::Missing(index, next))?;
    if next > index { Ok(claim) } else { Err(CertificateError::Order(index, next)) }
}
