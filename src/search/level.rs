//! Processor levels: the recursion is written once and compiled for each of them.
//!
//! A level is chosen once, when an engine opens, never for each call. The body of the search is `#[inline(always)]` and takes
//! on the processor features of the function that inlines it. (Multiversioning of whole recursions: a kernel compiled for
//! AVX2 behind a pointer is slower than none, because nothing can be inlined into it.)

use super::evaluation::Eval;
use super::game::Game;
use super::node::Node;
use super::policy::SearchPolicy;
use super::types::{Depth, Score};
use super::worker::Worker;

/// A set of processor features that a recursion is compiled for.
pub trait Level: Send + Sync + 'static {
    /// `base`, `v3` or `v4`.
    const NAME: &'static str;

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

impl Level for Base {
    const NAME: &'static str = "base";

    unsafe fn pvs<G: Game, E: Eval<G>, T: SearchPolicy<G, E, Level = Self>>(
        worker: &mut Worker<'_, G, E, T>,
        node: Node<'_, G, E>,
        window: (Score, Score),
        depth: Depth,
    ) -> Score {
        worker.pvs_body(node, window, depth)
    }

    unsafe fn quiesce<G: Game, E: Eval<G>, T: SearchPolicy<G, E, Level = Self>>(
        worker: &mut Worker<'_, G, E, T>,
        node: Node<'_, G, E>,
        window: (Score, Score),
    ) -> Score {
        worker.quiesce_body(node, window)
    }

    unsafe fn inside<R>(job: impl FnOnce() -> R) -> R {
        job()
    }
}

/// Writes a [`Level`] whose recursion is compiled for the given x86-64 features.
#[macro_export]
macro_rules! x86_level {
    ($(#[$doc:meta])* $name:ident, $text:literal, $features:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $crate::search::level::Level for $name {
            const NAME: &'static str = $text;

            #[target_feature(enable = $features)]
            unsafe fn pvs<
                G: $crate::search::game::Game,
                E: $crate::search::evaluation::Eval<G>,
                T: $crate::search::policy::SearchPolicy<G, E, Level = Self>,
            >(
                worker: &mut $crate::search::worker::Worker<'_, G, E, T>,
                node: $crate::search::node::Node<'_, G, E>,
                window: ($crate::search::types::Score, $crate::search::types::Score),
                depth: $crate::search::types::Depth,
            ) -> $crate::search::types::Score {
                worker.pvs_body(node, window, depth)
            }

            #[target_feature(enable = $features)]
            unsafe fn quiesce<
                G: $crate::search::game::Game,
                E: $crate::search::evaluation::Eval<G>,
                T: $crate::search::policy::SearchPolicy<G, E, Level = Self>,
            >(
                worker: &mut $crate::search::worker::Worker<'_, G, E, T>,
                node: $crate::search::node::Node<'_, G, E>,
                window: ($crate::search::types::Score, $crate::search::types::Score),
            ) -> $crate::search::types::Score {
                worker.quiesce_body(node, window)
            }

            #[target_feature(enable = $features)]
            unsafe fn inside<R>(job: impl FnOnce() -> R) -> R {
                job()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
x86_level!(
    /// x86-64-v3: AVX2 and the bit manipulation instructions (2013 and later).
    V3, "v3", "avx2,bmi1,bmi2,lzcnt,popcnt,fma"
);
#[cfg(target_arch = "x86_64")]
x86_level!(
    /// x86-64-v4: AVX-512 (F, BW, CD, DQ, VL).
    V4, "v4", "avx2,bmi1,bmi2,lzcnt,popcnt,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
);

/// The levels that a binary may be asked to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelName {
    /// [`Base`].
    Base,
    /// `V3` (x86-64 only).
    V3,
    /// `V4` (x86-64 only).
    V4,
}

impl LevelName {
    /// The best level that this processor has, lowered by `FLIPSIDE_CPU=base|v3|v4` where that
    /// asks for less. Asking for more than the processor has is ignored.
    pub fn detect() -> LevelName {
        let best = Self::of_processor();
        match std::env::var("FLIPSIDE_CPU").as_deref() {
            Ok("base") => LevelName::Base,
            Ok("v3") => best.min(LevelName::V3),
            _ => best,
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn of_processor() -> LevelName {
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("fma");
        let v4 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        match (v3, v4) {
            (true, true) => LevelName::V4,
            (true, false) => LevelName::V3,
            _ => LevelName::Base,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of_processor() -> LevelName {
        LevelName::Base
    }
}
