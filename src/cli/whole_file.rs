//! Writing a result file whole or not at all.

use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::Builder;

/// Writes these bytes to a file, as [`write_with`] does.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_with(path, |out| out.write_all(bytes))
}

/// Writes to a temporary file beside `path` and renames it when it is whole: no reader sees a part, and an error leaves
/// neither a part nor the loss of an earlier file. Pipes and devices are written to as they are.
///
/// # Errors
/// The file cannot be written.
pub fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    // A link stays one: its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let is_special = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    let written = if is_special { write_through(&target, write) } else { replace(&target, write) };
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn write_through(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::options().write(true).open(path)?);
    write(&mut file)?;
    file.flush()
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // As a file that is simply created; the system's mask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    if let Ok(earlier) = fs::metadata(path) {
        file.as_file().set_permissions(earlier.permissions())?;
    }
    // Some systems report a full disk only now.
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
