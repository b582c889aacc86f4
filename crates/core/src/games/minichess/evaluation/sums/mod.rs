//! The network's inner loops: sums over the neurons of a layer in sixteen bits, and the products of the output layer.
//!
//! Intrinsics where every processor of the target has the same vectors (aarch64, WebAssembly with
//! SIMD128). On x86-64 the compiler vectorises the portable loops, as wide as the level of the
//! recursion that inlines them.

#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128;

pub use portable::NEURONS;

#[cfg(target_arch = "aarch64")]
pub use neon::{add, exchange, screlu_dot, subtract};
#[cfg(not(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub use portable::{add, exchange, screlu_dot, subtract};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::{add, exchange, screlu_dot, subtract};
