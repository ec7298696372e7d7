//! Opening files that may be anything: folders of packages and work trees are filled by others.

use std::{fs::File, io, path::Path};

/// Opens an ordinary file for reading; anything else, such as a named pipe or a device, is refused without waiting
/// for its other end.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    // Opening a device can have effects of its own, so it is looked at first.
    let is_regular = |metadata: &std::fs::Metadata| metadata.is_file();
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file");
    if !is_regular(&std::fs::metadata(path)?) {
        return Err(refused());
    }
    let file = options.open(path)?;
    if !is_regular(&file.metadata()?) {
        return Err(refused());
    }
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::open_regular;

    #[test]
    fn a_pipe_a_device_and_a_folder_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("`mkfifo` starts").success());
        assert!(open_regular(&pipe).is_err());
        assert!(open_regular("/dev/zero".as_ref()).is_err());
        assert!(open_regular(folder.path()).is_err());
        let file = folder.path().join("file");
        std::fs::write(&file, "x").expect("a written file");
        assert!(open_regular(&file).is_ok());
    }
}
