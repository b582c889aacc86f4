//! The process groups of the players: an engine and its helper processes end together. On Windows a job object groups
//! them; it misses a helper that starts in the microseconds before the engine enters its job.
//!
//! A group is killed only before its leader is waited for, because until then the system does not reuse its number.

use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The groups of all running players.
struct Registry {
    groups: Vec<Group>,
    /// Whether the match is over, so that no more players start.
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
    /// Starts the command as the leader of its own group, which Ctrl-C does not reach.
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
        registry.groups.push(Group::of(&child));
        Ok(GroupLeader { child, status: None })
    }

    /// The leader's process, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the leader has exited by itself.
    pub fn has_left(&mut self) -> bool {
        self.status.is_some() || has_left(&mut self.child)
    }

    /// Kills the rest of the group and returns the leader's status.
    ///
    /// # Errors
    /// The system does not return the status.
    pub fn end(&mut self) -> std::io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let id = self.child.id();
        {
            let mut registry = registry();
            let index = registry.groups.iter().position(|group| group.leader == id);
            if let Some(group) = index.map(|index| registry.groups.swap_remove(index)) {
                group.kill();
            }
        }
        // For systems without groups; unnecessary if the leader has exited.
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

/// Kills every group and prevents new ones.
pub fn kill_all() {
    let mut registry = registry();
    registry.closed = true;
    registry.groups.drain(..).for_each(Group::kill);
}

/// A player's process and its helper processes.
struct Group {
    /// The number of the player's process.
    leader: u32,
    /// Ends its processes when it is closed; `None` if the system refused it.
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

#[cfg(not(windows))]
impl Group {
    /// The group of a process that was started as a leader.
    fn of(leader: &Child) -> Group {
        Group { leader: leader.id() }
    }

    #[cfg(unix)]
    fn kill(self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(self.leader).ok().and_then(Pid::from_raw) {
            // An error means that the group has no processes left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill(self) {}
}

#[cfg(windows)]
impl Group {
    /// Puts a newly started process into a job of its own.
    fn of(leader: &Child) -> Group {
        use std::os::windows::io::AsRawHandle;
        use win32job::{ExtendedLimitInfo, Job};
        let mut limits = ExtendedLimitInfo::new();
        let created = Job::create_with_limit_info(limits.limit_kill_on_job_close());
        let job = created.and_then(|job| job.assign_process(leader.as_raw_handle() as isize).map(|()| job));
        let job = job.inspect_err(|error| log::warn!("helpers of process {} may be left: {error}", leader.id())).ok();
        Group { leader: leader.id(), job }
    }

    fn kill(self) {
        drop(self.job);
    }
}

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
