//! The searches of MiniChess: each evaluation compiled for its processor levels.

use super::evaluation::material::MaterialEvaluation;
use super::evaluation::network::Network;
use super::evaluation::plain::PlainEvaluation;
use super::evaluation::tapered::TaperedEvaluation;
use super::evaluation::weights::TermWeights;
use super::policy::MiniChessPolicy;
use super::rules::MiniChess;
use super::tables::file;
use crate::games::searcher_settings::{OpenError, SearcherSettings};
use crate::games::weights_kind::{self, NETWORK, TUNED};
use crate::search::evaluation::Eval;
#[cfg(target_arch = "x86_64")]
use crate::search::level::V3;
use crate::search::level::{Level, Supported};
use crate::search::policy::Technique;
use crate::search::searcher::{self, Searcher};
use flipside_support::bounded_file;
use flipside_support::file_fault::FileFault;
use flipside_support::memory::MemoryError;
use std::sync::Arc;

/// An evaluation of MiniChess, selected by name.
#[derive(Clone)]
pub enum MiniChessEvaluation {
    /// The neural network.
    Network(Box<Network>),
    /// Hand-made terms.
    Plain(PlainEvaluation),
}

/// The evaluation that the settings name, with its weights.
///
/// # Errors
/// The evaluation does not exist, or the weights cannot be used.
pub fn evaluation(settings: &SearcherSettings<'_>) -> Result<MiniChessEvaluation, OpenError> {
    let error = |reason: &dyn FileFault| settings.weights_error(reason);
    let name = settings.evaluation;
    let is_network = ["default", Network::NAME].contains(&name);
    if let Some(path) = settings.weights {
        weights_kind::check(path, if is_network { NETWORK } else { TUNED }).map_err(|reason| error(&reason))?;
    }
    if is_network {
        let network = match settings.weights {
            None => Network::built_in(),
            Some(path) => {
                Network::read(&bounded_file::read(path, Network::MAX_FILE_SIZE).map_err(|reason| error(&reason))?)
            }
        };
        return Ok(MiniChessEvaluation::Network(Box::new(network.map_err(|reason| error(&reason))?)));
    }
    let plain = if let Some(material) = MaterialEvaluation::named(name) {
        settings.without_weights(|| format!("the evaluation '{name}' has none"))?;
        PlainEvaluation::Material(material)
    } else {
        let built_in = TaperedEvaluation::named(name).ok_or_else(|| settings.unknown_evaluation("minichess"))?;
        PlainEvaluation::Tapered(match settings.weights {
            None => built_in.map_err(|reason| error(&reason))?,
            Some(path) => {
                let text = bounded_file::read_text(path, TermWeights::MAX_FILE_SIZE);
                let text = text.map_err(|reason| error(&reason))?;
                TaperedEvaluation::new(&TermWeights::read(&text).map_err(|reason| error(&reason))?)
            }
        })
    };
    Ok(MiniChessEvaluation::Plain(plain))
}

/// Opens a search with an evaluation and a table of `hash` MiB, without the disabled techniques. The network is
/// compiled for the best level of this processor, the other evaluations only for its base level.
///
/// # Errors
/// There is not enough memory.
pub fn open(
    evaluation: MiniChessEvaluation,
    disabled: &[Technique],
    hash: usize,
) -> Result<Arc<dyn Searcher<MiniChess>>, MemoryError> {
    match evaluation {
        MiniChessEvaluation::Plain(plain) => at_level(Supported::BASE, plain, disabled, hash),
        MiniChessEvaluation::Network(network) => {
            #[cfg(target_arch = "x86_64")]
            if let Some(level) = Supported::<V3>::detect() {
                return at_level(level, *network, disabled, hash);
            }
            at_level(Supported::BASE, *network, disabled, hash)
        }
    }
}

fn at_level<L: Level, E: Eval<MiniChess>>(
    level: Supported<L>,
    eval: E,
    disabled: &[Technique],
    hash: usize,
) -> Result<Arc<dyn Searcher<MiniChess>>, MemoryError> {
    // The file is large: it is not read if its tables are not used.
    let tables = if disabled.contains(&Technique::Tables) { None } else { file::installed() };
    searcher::open(MiniChess, eval, MiniChessPolicy::new(level, disabled, tables), hash)
}
