//! Writing a result file whole or not at all.

use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Writes these bytes to a file, as [`write_with`] does.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_with(path, |out| out.write_all(bytes))
}

/// Writes to a temporary file beside `path` and renames it when it is complete. Readers never see a partial file, and
/// an error leaves the earlier file as it was. Pipes and devices are written directly.
///
/// # Errors
/// The file cannot be written.
pub fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    // A link stays a link: its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let is_special = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    let written = if is_special { write_through(&target, write) } else { replace(&target, write) };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Checks before long work that a file of `length` bytes can be written: writes that many zeros to a temporary file
/// beside it and removes the file. Pipes and devices are left alone.
///
/// # Errors
/// The file cannot be written.
pub fn check_room(path: &Path, length: usize) -> anyhow::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let tried = match fs::metadata(&target) {
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(()),
        _ => part_of(&target).and_then(|mut part| {
            io::copy(&mut io::repeat(0).take(length as u64), part.as_file_mut())?;
            part.as_file().sync_all()
        }),
    };
    tried.with_context(|| format!("cannot write {}", path.display()))
}

fn write_through(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::options().write(true).open(path)?);
    write(&mut file)?;
    file.flush()
}

/// A temporary file beside the file.
fn part_of(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}.");
    // A file of its own making has the usual mode, and its errors do not name the temporary file.
    let create = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    Builder::new().prefix(&prefix).suffix(".part").make_in(folder, create)
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = part_of(path)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    if let Ok(earlier) = fs::metadata(path) {
        file.as_file().set_permissions(earlier.permissions())?;
    }
    // Some systems report a full disk only here.
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// The file of number `number` of several: `game.svg`, `game-2.svg`, `game-3.svg`, ...
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or(String::new(), |extension| format!(".{}", extension.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_support::random::Random;
    use std::path::PathBuf;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    /// Size in bytes of a file that takes some time to write.
    const WHOLE: usize = 4 << 20;
    /// The variable that tells a child which file to write.
    const CHILD_FILE: &str = "FLIPSIDE_TEST_WHOLE_FILE";

    /// The child process of the test below: it replaces the file repeatedly until it is killed.
    #[test]
    fn a_child_that_writes_until_it_is_killed() {
        let Some(path) = std::env::var_os(CHILD_FILE).map(PathBuf::from) else { return };
        for letter in (b'a'..=b'z').cycle() {
            write(&path, &vec![letter; WHOLE]).expect("a file");
        }
    }

    /// A kill at any moment of a write leaves the earlier file or the new one, whole. `tables`, `train` and all charts
    /// are written this way. The test makes four kills, or the number in `FLIPSIDE_KILLS`.
    #[test]
    fn kills_leave_a_whole_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result");
        let kills = std::env::var("FLIPSIDE_KILLS").map_or(4, |text| text.parse().expect("a number"));
        let mut random = Random(4);
        let mut replaced = 0;
        for _ in 0..kills {
            let program = std::env::current_exe().expect("a program");
            let test = "cli::io::whole_file::tests::a_child_that_writes_until_it_is_killed";
            let mut command = Command::new(program);
            let mut child =
                command.args(["--exact", test]).env(CHILD_FILE, &path).stdout(Stdio::null()).spawn().expect("a child");
            // The file shows that the child has begun; the kill comes a random time later.
            let first = fs::read(&path).unwrap_or_default();
            while fs::read(&path).unwrap_or_default() == first {
                assert!(child.try_wait().expect("a child").is_none(), "the child has ended");
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_micros(random.below(20_000) as u64));
            child.kill().expect("a child");
            child.wait().expect("a child");
            let found = fs::read(&path).expect("the file");
            assert!(found.len() == WHOLE && found.iter().all(|byte| *byte == found[0]), "{} bytes", found.len());
            replaced += usize::from(names(folder.path()).len() > 1);
            // A kill leaves temporary files beside the file; they would fill the disk here.
            for name in names(folder.path()).into_iter().filter(|name| name != "result") {
                fs::remove_file(folder.path().join(name)).expect("a part");
            }
        }
        assert!(kills < 100 || replaced > 0, "no kill met a write");
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result");
        write(&path, b"first").expect("a file");
        let failed = write_with(&path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::Error::other("full"))
        });
        assert_eq!(format!("{:#}", failed.expect_err("full")), format!("cannot write {}: full", path.display()));
        assert_eq!(
            (fs::read(&path).expect("the file"), names(folder.path())),
            (b"first".to_vec(), vec!["result".into()])
        );
        write(&path, b"second").expect("a file");
        assert_eq!(
            (fs::read(&path).expect("the file"), names(folder.path())),
            (b"second".to_vec(), vec!["result".into()])
        );
        assert!(write(&folder.path().join("none").join("result"), b"x").is_err());
    }

    #[test]
    fn room_is_looked_for_and_given_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result");
        check_room(&path, 1 << 20).expect("room");
        assert_eq!(names(folder.path()), Vec::<String>::new());
        write(&path, b"first").expect("a file");
        check_room(&path, 1 << 20).expect("room");
        assert_eq!(fs::read(&path).expect("the file"), b"first");
        assert!(check_room(folder.path(), 1).is_err() && check_room(&folder.path().join("none/result"), 1).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_modes_stay_what_they_are() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("result"), folder.path().join("link"));
        let plain = folder.path().join("plain");
        File::create(&plain).expect("a file");
        write(&path, b"first").expect("a file");
        let mode = |path: &Path| fs::metadata(path).expect("the file").permissions().mode() & 0o777;
        assert_eq!(mode(&path), mode(&plain));
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("a mode");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        write(&link, b"second").expect("a file");
        assert!(link.is_symlink());
        assert_eq!((fs::read(&path).expect("the file"), mode(&path)), (b"second".to_vec(), 0o640));
        write(Path::new("/dev/null"), b"nothing").expect("a device");
        assert!(!Path::new("/dev/null").is_file());
    }
}
