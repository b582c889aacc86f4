//! Signals that end a program: Ctrl-C, and those of terminals, shells and service managers.

use std::io;

/// Calls `act` with the number of each signal that asks the program to end, from a thread of its
/// own: SIGINT, SIGTERM, SIGQUIT, and SIGHUP unless `nohup` made the process ignore it.
///
/// # Errors
/// The system refuses a handler or a thread.
#[cfg(unix)]
pub fn on_end(act: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let wanted =
        [SIGINT, SIGTERM, SIGQUIT, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    watch(wanted, act)
}

/// Calls `act` at each Ctrl-C (SIGINT), which then has no other effect, from a thread of its own.
///
/// # Errors
/// The system refuses a handler or a thread.
#[cfg(unix)]
pub fn on_interrupt(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    watch([signal_hook::consts::SIGINT], move |_| act())
}

#[cfg(unix)]
fn watch(wanted: impl IntoIterator<Item = i32>, mut act: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let thread = std::thread::Builder::new().name("signals".into());
    thread.spawn(move || signals.forever().for_each(&mut act)).map(drop)
}

/// Calls `act` at each Ctrl-C, which then has no other effect.
///
/// # Errors
/// The system refuses a handler.
#[cfg(not(unix))]
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// Calls `act` at Ctrl-C, whose number is 2 everywhere.
///
/// # Errors
/// The system refuses a handler.
#[cfg(not(unix))]
pub fn on_end(mut act: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || act(2)).map_err(io::Error::other)
}

/// True if the parent made this process ignore the signal; only Linux can tell this without
/// `unsafe`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
