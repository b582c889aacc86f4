//! How much memory large tables may take: a table that is too large is refused instead of ending
//! the process.
//!
//! Systems promise more memory than they have (overcommitment) and end a process that uses it. So
//! a table is allocated only if it fits, beside the process's other tables, into the memory of the
//! machine or of its control group (container). Other systems than Linux do not tell that, so
//! there only the allocation itself can fail.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const MIB: usize = 1 << 20;

/// Why a table cannot be allocated. Sizes are in MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// More than the machine has.
    #[error("a table of {wanted} MiB beside others of {taken} MiB: this machine has {machine} MiB of memory")]
    TooMuch {
        /// The size of the table.
        wanted: usize,
        /// What the process's other tables take.
        taken: usize,
        /// The memory of the machine or of the control group.
        machine: usize,
    },
    /// The system grants no more.
    #[error("a table of {wanted} MiB: the system does not grant that much memory")]
    Refused {
        /// The size of the table.
        wanted: usize,
    },
}

/// Bytes of all tables of the process.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// A reservation of some bytes of memory, given back on drop.
#[derive(Debug)]
pub struct Reservation(usize);

impl Reservation {
    /// Reserves this many bytes.
    ///
    /// # Errors
    /// The tables of the process would not fit into the machine's memory.
    pub fn new(bytes: usize) -> Result<Reservation, MemoryError> {
        static MACHINE: LazyLock<Option<usize>> = LazyLock::new(|| machine_memory(Path::new("/")));
        let machine = MACHINE.unwrap_or(usize::MAX);
        let add = |taken: usize| taken.checked_add(bytes).filter(|&sum| sum <= machine);
        match TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(_) => Ok(Reservation(bytes)),
            Err(taken) => Err(MemoryError::TooMuch { wanted: bytes / MIB, taken: taken / MIB, machine: machine / MIB }),
        }
    }

    /// The error of an allocation that the system refused.
    pub fn refused(&self) -> MemoryError {
        MemoryError::Refused { wanted: self.0 / MIB }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Bytes of memory of the machine, or of the process's control group if that has less; `None` if
/// neither is known. The system's files are below `root`.
fn machine_memory(root: &Path) -> Option<usize> {
    let read = |file: &str| std::fs::read_to_string(root.join(file)).ok();
    let installed = read("proc/meminfo").and_then(|text| {
        let kib = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.split_whitespace().next()?;
        kib.parse::<usize>().ok()?.checked_mul(1024)
    });
    let groups = read("proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().flat_map(|line| {
        // `0::/path` in version 2, `4:memory:/path` in version 1.
        let mut parts = line.splitn(3, ':').skip(1);
        let (folder, file) = match parts.next() {
            Some("") => ("sys/fs/cgroup", "memory.max"),
            Some(controllers) if controllers.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        let path = parts.next().unwrap_or_default().trim_start_matches('/').to_string();
        // A limit holds for all groups below it.
        let groups = Path::new(&path).ancestors();
        groups.filter_map(|group| read(Path::new(folder).join(group).join(file).to_str()?)).collect()
    });
    // `max`, or a number near the largest, means no limit.
    let limits = limits.filter_map(|limit| limit.trim().parse().ok());
    limits.chain(installed).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory of a system with these files.
    fn memory_with(files: &[(&str, &str)]) -> Option<usize> {
        let root = std::env::temp_dir().join(format!("flipside-memory-{}", std::process::id()));
        for (file, text) in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let memory = machine_memory(&root);
        let _ = std::fs::remove_dir_all(&root);
        memory
    }

    #[test]
    fn the_least_of_machine_and_groups_counts() {
        let installed = ("proc/meminfo", "MemFree:        1 kB\nMemTotal:       8 kB\n");
        assert_eq!(memory_with(&[]), None);
        assert_eq!(memory_with(&[installed]), Some(8192));
        let group = ("proc/self/cgroup", "0::/a/b\n");
        let of = |above: &str, own: &str| {
            memory_with(&[installed, group, ("sys/fs/cgroup/memory.max", above), ("sys/fs/cgroup/a/b/memory.max", own)])
        };
        assert_eq!(of("max\n", "max\n"), Some(8192));
        assert_eq!(of("max\n", "4096\n"), Some(4096));
        assert_eq!(of("1024\n", "4096\n"), Some(1024));
        let first_version = [
            installed,
            ("proc/self/cgroup", "2:cpu,memory:/a\n1:pids:/\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "512\n"),
        ];
        assert_eq!(memory_with(&first_version), Some(512));
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        if machine_memory(Path::new("/")).is_some() {
            assert!(matches!(Reservation::new(usize::MAX / 2), Err(MemoryError::TooMuch { .. })));
        }
        drop(Reservation::new(1 << 20).expect("a mebibyte"));
    }
}
