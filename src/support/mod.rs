//! What knows no game and no search: random numbers, huge pages, generations, thread pools, an ordered worker pool,
//! files that are resumed.

pub mod generation;
pub mod hash;
pub mod huge_pages;
pub mod ordered_pool;
pub mod random;
pub mod resume;
pub mod seconds;
pub mod thread_pool;
