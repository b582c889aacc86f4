//! What knows no game and no search: random numbers, huge pages, generations, thread pools.

pub mod generation;
pub mod huge_pages;
pub mod random;
pub mod seconds;
pub mod thread_pool;
