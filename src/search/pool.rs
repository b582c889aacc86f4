//! The threads of one search. They share the table; the first one is believed in the end.

/// Runs `main` on this thread and `help(n)` on `threads - 1` others, n counting from 1; returns
/// when all have ended. A helper that panics is logged and forgotten: its work was advice.
pub fn run<R>(threads: usize, help: impl Fn(usize) + Sync, main: impl FnOnce() -> R) -> R {
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .filter_map(|number| {
                let help = &help;
                let builder = std::thread::Builder::new().name(format!("search-{number}")).stack_size(STACK);
                builder.spawn_scoped(scope, move || help(number)).inspect_err(|error| log::warn!("{error}")).ok()
            })
            .collect();
        let result = main();
        for helper in helpers {
            if helper.join().is_err() {
                log::error!("a helping search thread panicked");
            }
        }
        result
    })
}

/// Bytes of stack for a search thread: the recursion keeps its move lists there.
pub const STACK: usize = 16 << 20;
