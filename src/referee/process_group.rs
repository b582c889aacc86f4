//! The process groups of the players: an engine and the helpers that it starts end together.
//!
//! A group is killed only while its leader is not yet waited for: until then the system gives its number to no other.

use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The groups of all players that are running.
struct Registry {
    groups: Vec<u32>,
    /// The match is over: no player is started any more.
    closed: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { groups: Vec::new(), closed: false });

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The leader of a process group. Dropping it kills the group.
pub struct GroupLeader {
    child: Child,
    status: Option<ExitStatus>,
}

impl GroupLeader {
    /// Starts the command as the leader of a group of its own, which Ctrl-C does not reach.
    ///
    /// # Errors
    /// The command cannot be started, or [`kill_all`] was called.
    pub fn start(mut command: Command) -> std::io::Result<GroupLeader> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut registry = registry();
        if registry.closed {
            return Err(std::io::Error::other("the match is over"));
        }
        let child = command.spawn()?;
        registry.groups.push(child.id());
        Ok(GroupLeader { child, status: None })
    }

    /// The leader's process, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// True once the leader has left by itself.
    pub fn has_left(&mut self) -> bool {
        self.status.is_some() || has_left(&mut self.child)
    }

    /// Kills what is left of the group; the leader's status.
    ///
    /// # Errors
    /// The system does not tell the status.
    pub fn end(&mut self) -> std::io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let id = self.child.id();
        {
            let mut registry = registry();
            kill(id);
            registry.groups.retain(|&other| other != id);
        }
        // Without process groups, and needless where the leader has left.
        let _ = self.child.kill();
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for GroupLeader {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            log::warn!("cannot wait for process {}: {error}", self.child.id());
        }
    }
}

/// Kills every group, and lets none be started any more.
pub fn kill_all() {
    let mut registry = registry();
    registry.closed = true;
    registry.groups.iter().for_each(|&id| kill(id));
}

#[cfg(unix)]
fn kill(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // An error says that nothing of the group is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// Whether the process has ended, without reaping it.
#[cfg(unix)]
fn has_left(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), ended), Ok(None))
}

#[cfg(not(unix))]
fn has_left(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}
