//! Analyses positions, several in parallel, and caches their verdicts.

use super::canonical::CanonicalPosition;
use super::effort::Effort;
use super::position_analysis::{MoveValue, PositionAnalysis};
use super::verdict::Thresholds;
use crate::cli::io::interrupt::Interrupt;
use anyhow::{Context, ensure};
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::limits::{Limits, Stop};
use flipside_host::api::settings::Settings;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::dyn_position::{DynPosition, SharedPosition};
use flipside_host::engine::registry;
use flipside_support::ordered_pool;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Most cached verdicts. Beyond that the cache is cleared, and verdicts are found again when needed.
const MOST_KNOWN: usize = 20_000;

/// Analyses positions of one game.
pub struct Analyser {
    effort: Effort,
    interrupt: Interrupt,
    /// One engine for each position that is analysed at the same time.
    engines: Vec<Box<dyn DynEngine>>,
    /// The verdicts of canonical positions.
    known: HashMap<SharedPosition, PositionAnalysis>,
}

impl Analyser {
    /// An analyser for the game, evaluation and tables of the settings. It analyses `threads` positions in parallel,
    /// each with one thread and tables of its own.
    ///
    /// # Errors
    /// The engine cannot be opened.
    pub fn new(
        settings: &Settings,
        effort: Effort,
        threads: usize,
        interrupt: &Interrupt,
    ) -> Result<Analyser, OpenError> {
        // Verdicts must not depend on settings that weaken or bias an engine.
        let Settings { game, evaluation, weights, hash, .. } = settings.clone();
        let settings = Settings { game, evaluation, weights, hash, ..Settings::default() };
        let engines = (0..threads.max(1)).map(|_| registry::open(&settings)).collect::<Result<_, _>>()?;
        Ok(Analyser { effort, interrupt: interrupt.clone(), engines, known: HashMap::new() })
    }

    /// The analyses of these positions, none of which may end the game; `None` if interrupted. Calls `done` after each
    /// position.
    ///
    /// # Errors
    /// A search failed inside.
    pub fn analyse(
        &mut self,
        positions: &[SharedPosition],
        mut done: impl FnMut(),
    ) -> anyhow::Result<Option<Vec<PositionAnalysis>>> {
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        let canonical: Vec<_> = positions.iter().map(CanonicalPosition::new).collect();
        let mut seen = HashSet::new();
        let is_new = |canonical: &&CanonicalPosition| {
            !self.known.contains_key(&canonical.position) && seen.insert(Arc::clone(&canonical.position))
        };
        let due: Vec<_> = canonical.iter().filter(is_new).collect();
        (due.len()..positions.len()).for_each(|_| done());
        let mut found = Vec::new();
        let (effort, interrupt) = (self.effort, &self.interrupt);
        let analyse = |engine: &mut &mut Box<dyn DynEngine>, position| {
            analyse_position(engine.as_mut(), position, effort, interrupt)
        };
        let keep = |analysis: anyhow::Result<Option<PositionAnalysis>>| {
            // A missing analysis without an error means an interrupt.
            found.push(analysis.map_err(Some)?.ok_or(None)?);
            done();
            Ok(())
        };
        let images: Vec<_> = due.iter().map(|canonical| Arc::clone(&canonical.position)).collect();
        match ordered_pool::run(self.engines.iter_mut().collect(), due.into_iter(), analyse, keep) {
            Ok(()) => {}
            Err(None) => return Ok(None),
            Err(Some(error)) => return Err(error),
        }
        self.known.extend(images.into_iter().zip(found));
        let all = canonical.iter().map(|image| Some(self.known.get(&image.position)?.turned_back(image)));
        all.collect::<Option<Vec<_>>>().context("a position was not analysed").map(Some)
    }
}

/// Searches all moves at once, from empty tables. Moves to symmetric positions are searched as one.
fn analyse_position(
    engine: &mut dyn DynEngine,
    position: &CanonicalPosition,
    effort: Effort,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<PositionAnalysis>> {
    let classes = classes(&*position.position);
    ensure!(!classes.is_empty(), "the game is over in a position to analyse");
    engine.clear_hash();
    let first: Vec<u16> = classes.iter().map(|class| class[0]).collect();
    let search = |limits: Limits| {
        let stop = interrupt.watch(Stop::new(&limits));
        engine.score_moves(&*position.position, &first, limits, stop).map_err(anyhow::Error::msg)
    };
    let mut lines = search(effort.limits(position.empties))?;
    if lines.len() < classes.len() && !interrupt.is_raised() {
        // The nodes were too few for a score of every move.
        lines = search(Limits::depth(1))?;
    }
    if interrupt.is_raised() {
        return Ok(None);
    }
    let best = lines.first().context("a search found nothing")?;
    let mut moves = Vec::new();
    for line in &lines {
        let class = classes.iter().find(|class| line.pv.first() == class.first());
        let value = |&mv: &u16| MoveValue { mv, score: line.score, certainty: line.certainty };
        moves.extend(class.into_iter().flatten().map(value));
    }
    Ok(Some(PositionAnalysis {
        moves,
        pv: best.pv.clone(),
        depth: best.depth,
        nodes: best.nodes,
        thresholds: Thresholds::new(best.depth, position.empties),
    }))
}

/// The legal moves, grouped by the symmetric positions that they lead to.
fn classes(position: &dyn DynPosition) -> Vec<Vec<u16>> {
    let mut classes: Vec<(SharedPosition, Vec<u16>)> = Vec::new();
    for mv in position.moves() {
        let Some(child) = position.after(mv) else { continue };
        let image = CanonicalPosition::new(&child).position;
        match classes.iter_mut().find(|(of_class, _)| **of_class == *image) {
            Some((_, class)) => class.push(mv),
            None => classes.push((image, vec![mv])),
        }
    }
    classes.into_iter().map(|(_, class)| class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::search::notation::Style;
    use flipside_core::search::types::Certainty;
    use flipside_host::engine::dyn_engine::Start;

    fn analyser(game: &str, depth: u32, threads: usize) -> Analyser {
        let settings = Settings { game: game.into(), hash: 2, ..Settings::default() };
        Analyser::new(&settings, Effort::new(None, Some(depth), Some(10)), threads, &Interrupt::default())
            .expect("an engine")
    }

    fn analyse(analyser: &mut Analyser, positions: &[&str]) -> Vec<PositionAnalysis> {
        let mut board = registry::rules(analyser.engines[0].game()).expect("a built-in game");
        let position = |text: &&str| {
            board.set_position(Start::Text(text), &[], Style::Plain, false).expect("a position");
            board.present()
        };
        let positions: Vec<_> = positions.iter().map(position).collect();
        analyser.analyse(&positions, || ()).expect("no failure").expect("no interrupt")
    }

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn symmetric_moves_are_worth_the_same() {
        let found = &analyse(&mut analyser("reversi", 5, 1), &[START])[0];
        assert_eq!(found.moves.len(), 4);
        for value in &found.moves {
            assert_eq!(found.assess(value.mv).map(|assessment| assessment.loss), Some(0), "{value:?}");
        }
    }

    /// An analysis does not depend on the order of positions, the threads or the cache.
    #[test]
    fn an_analysis_is_the_same_in_any_company() {
        let all = [
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
            "-XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX- X",
            "-XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX- O",
            START,
        ];
        let mut reversed = all;
        reversed.reverse();
        let together = analyse(&mut analyser("reversi", 5, 2), &all);
        let mut backwards = analyser("reversi", 5, 1);
        analyse(&mut backwards, &reversed[..2]);
        let again = analyse(&mut backwards, &reversed);
        for (index, position) in all.iter().enumerate() {
            let alone = &analyse(&mut analyser("reversi", 5, 1), &[position])[0];
            assert_eq!((alone, alone), (&together[index], &again[all.len() - 1 - index]), "{position}");
        }
    }

    #[test]
    fn the_end_of_a_game_is_exact() {
        let few = "-XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX- X";
        let found = &analyse(&mut analyser("reversi", 1, 1), &[few])[0];
        assert!(found.moves.iter().all(|value| value.certainty == Certainty::Exact), "{found:?}");
        assert_eq!(found.depth, 10);
    }

    #[test]
    fn other_games_are_analysed_too() {
        let start = registry::open(&Settings { game: "tic-tac-toe".into(), hash: 1, ..Settings::default() });
        let start = start.expect("a built-in game").position(Style::Plain);
        let found = &analyse(&mut analyser("tic-tac-toe", 9, 1), &[&start])[0];
        assert_eq!((found.moves.len(), found.best().score), (9, 0));
    }
}
