//! Tools that are independent of games and the search: bounded files and their faults, clock, random numbers,
//! checksums, processor time, deflated data, memory and huge pages, pages of the program, generations, cache lines,
//! thread pools, threads that wait, virtual processors, an ordered worker pool, resumed files, JSON lines, SVG,
//! diagnostics, ranges, durations, signals, byte-order marks.

pub mod bounded_file;
pub mod byte_planes;
pub mod cache_line;
pub mod clock;
pub mod diagnostics;
pub mod file_fault;
pub mod generation;
pub mod hash;
pub mod host_stop;
pub mod huge_pages;
pub mod inflate;
#[cfg(feature = "json")]
pub mod json;
pub mod memory;
pub mod ordered_pool;
pub mod parker;
#[cfg(feature = "processor-time")]
pub mod processor_time;
pub mod program_pages;
pub mod random;
pub mod range;
pub mod resume;
pub mod seconds;
#[cfg(feature = "signals")]
pub mod signals;
pub mod svg;
pub mod text;
pub mod thread_pool;
pub mod virtual_processors;
