//! Processor levels: the recursion is written once and compiled for each of them.
//!
//! A level is chosen once, when an engine opens, never for each call. The body of the search is
//! `#[inline(always)]`, so it uses the processor features of the function that inlines it.
//! (Multiversioning of whole recursions: a kernel compiled for AVX2 behind a pointer is slower
//! than portable code, because nothing can be inlined into it.)

use super::evaluation::Eval;
use super::game::Game;
use super::node::Node;
use super::policy::SearchPolicy;
use super::types::{Depth, Score};
use super::worker::Worker;
use std::marker::PhantomData;

/// The proof that this processor has the features of a level: only a test of the processor creates
/// it.
///
/// Safe functions take it as proof, so it cannot be made by hand:
///
/// ```compile_fail,E0423
/// use flipside_core::search::level::{Base, Supported};
/// use std::marker::PhantomData;
///
/// let level: Supported<Base> = Supported(PhantomData);
/// ```
#[derive(Debug)]
pub struct Supported<L>(PhantomData<L>);

impl<L> Clone for Supported<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Supported<L> {}

impl Supported<Base> {
    /// Every processor has the features of [`Base`].
    pub const BASE: Supported<Base> = Supported(PhantomData);
}

impl<L: Level> Supported<L> {
    /// The proof, if the processor has the level's features and `FLIPSIDE_CPU=base|v3|v4` does not ask for a lower level.
    pub fn detect() -> Option<Supported<L>> {
        let is_asked = match asked() {
            Ok(Some("base")) => L::NAME == "base",
            Ok(Some("v3")) => L::NAME != "v4",
            _ => true,
        };
        (is_asked && L::is_available()).then_some(Supported(PhantomData))
    }

    /// Runs `job`, compiled for the level as far as it is inlined here: mark closures `#[inline(always)]`.
    #[inline(always)]
    pub fn inside<R>(self, job: impl FnOnce() -> R) -> R {
        // SAFETY: this value is the proof that the processor has the level's features.
        unsafe { L::inside(job) }
    }
}

/// Chooses the highest level that may be used; without it the highest one of the processor.
const VARIABLE: &str = "FLIPSIDE_CPU";
/// The words of the variable.
const LEVELS: [&str; 3] = ["base", "v3", "v4"];

/// The environment variable asks for a level that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FLIPSIDE_CPU: expected base, v3 or v4, saw '{0}'")]
pub struct UnknownLevel(String);

/// The highest level that `FLIPSIDE_CPU` allows; `None` if it is empty or not set.
///
/// # Errors
/// It names no level. Engines that are opened nevertheless use the highest level of the processor.
pub fn asked() -> Result<Option<&'static str>, UnknownLevel> {
    let Some(word) = std::env::var_os(VARIABLE).filter(|word| !word.is_empty()) else { return Ok(None) };
    let known = LEVELS.into_iter().find(|level| word == *level);
    known.map(Some).ok_or_else(|| UnknownLevel(word.to_string_lossy().into_owned()))
}

/// A set of processor features that a recursion is compiled for.
///
/// # Safety
/// [`Level::is_available`] must be right: where it is true, the level's unsafe functions are
/// called.
pub unsafe trait Level: Send + Sync + 'static {
    /// `base`, `v3` or `v4`.
    const NAME: &'static str;

    /// True if this processor has the level's features.
    fn is_available() -> bool;

    /// [`Worker::pvs_body`], compiled for this level.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn pvs<G: Game, E: Eval<G>, T: SearchPolicy<G, E, Level = Self>>(
        worker: &mut Worker<'_, G, E, T>,
        node: Node<'_, G, E>,
        window: (Score, Score),
        depth: Depth,
    ) -> Score;

    /// [`Worker::quiesce_body`], compiled for this level.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn quiesce<G: Game, E: Eval<G>, T: SearchPolicy<G, E, Level = Self>>(
        worker: &mut Worker<'_, G, E, T>,
        node: Node<'_, G, E>,
        window: (Score, Score),
    ) -> Score;

    /// Runs `job`, compiled for this level as far as it is inlined here: mark closures `#[inline(always)]`.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn inside<R>(job: impl FnOnce() -> R) -> R;
}

/// The features that every processor of the target has.
#[derive(Clone, Copy, Debug)]
pub struct Base;

/// x86-64-v3: AVX2 and the bit manipulation instructions (2013 and later).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V3;

/// x86-64-v4: AVX-512 (F, BW, CD, DQ, VL).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V4;

/// Calls a macro for every level of the target with its type, its name and the features that its functions are compiled for. The
/// features are named only here: what tests a processor for a level and what is compiled for it cannot disagree.
macro_rules! for_each_level {
    ($implement:ident) => {
        $implement!(Base, "base", []);
        #[cfg(target_arch = "x86_64")]
        $implement!(V3, "v3", ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "fma"]);
        #[cfg(target_arch = "x86_64")]
        $implement!(
            V4,
            "v4",
            [
                "avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "fma", "avx512f", "avx512bw", "avx512cd", "avx512dq",
                "avx512vl"
            ]
        );
    };
}

pub(crate) use for_each_level;

/// Implements [`Level`] by compiling the recursion for its features.
macro_rules! implement_level {
    ($level:ident, $name:literal, [$($feature:tt),*]) => {
        // SAFETY: `is_available` tests the same features that the functions are compiled for.
        unsafe impl Level for $level {
            const NAME: &'static str = $name;

            fn is_available() -> bool {
                true $(&& std::arch::is_x86_feature_detected!($feature))*
            }

            $(#[target_feature(enable = $feature)])*
            unsafe fn pvs<G: Game, E: Eval<G>, T: SearchPolicy<G, E, Level = Self>>(
                worker: &mut Worker<'_, G, E, T>,
                node: Node<'_, G, E>,
                window: (Score, Score),
                depth: Depth,
            ) -> Score {
                worker.pvs_body(node, window, depth)
            }

            $(#[target_feature(enable = $feature)])*
            unsafe fn quiesce<G: Game, E: Eval<G>, T: SearchPolicy<G, E, Level = Self>>(
                worker: &mut Worker<'_, G, E, T>,
                node: Node<'_, G, E>,
                window: (Score, Score),
            ) -> Score {
                worker.quiesce_body(node, window)
            }

            $(#[target_feature(enable = $feature)])*
            unsafe fn inside<R>(job: impl FnOnce() -> R) -> R {
                job()
            }
        }
    };
}

for_each_level!(implement_level);

/// The best level of this processor, for loops that are not generic over levels.
#[derive(Clone, Copy, Debug)]
pub enum BestLevel {
    /// [`V4`].
    #[cfg(target_arch = "x86_64")]
    V4(Supported<V4>),
    /// [`V3`].
    #[cfg(target_arch = "x86_64")]
    V3(Supported<V3>),
    /// [`Base`].
    Base,
}

impl BestLevel {
    /// Asks the processor.
    pub fn detect() -> BestLevel {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(level) = Supported::detect() {
                return BestLevel::V4(level);
            }
            if let Some(level) = Supported::detect() {
                return BestLevel::V3(level);
            }
        }
        BestLevel::Base
    }

    /// `base`, `v3` or `v4`.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            BestLevel::V4(_) => V4::NAME,
            #[cfg(target_arch = "x86_64")]
            BestLevel::V3(_) => V3::NAME,
            BestLevel::Base => Base::NAME,
        }
    }

    /// Runs `job`, compiled for the level as far as it is inlined here: mark closures `#[inline(always)]`.
    #[inline(always)]
    pub fn inside<R>(self, job: impl FnOnce() -> R) -> R {
        match self {
            #[cfg(target_arch = "x86_64")]
            BestLevel::V4(level) => level.inside(job),
            #[cfg(target_arch = "x86_64")]
            BestLevel::V3(level) => level.inside(job),
            BestLevel::Base => job(),
        }
    }
}
