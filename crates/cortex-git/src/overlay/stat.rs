//! Whether the file system's record of a file is the one in the index, so that the file need not be read.

use std::fs::Metadata;

use gix::index::entry::{Stat, stat::Options, stat::Time};

/// Two changes within one tick of the file system's clock look like one. Longer than the ticks in use.
const TICK_NANOSECONDS: u64 = 20_000_000;

/// What to compare, and when the index was written.
#[derive(Clone, Copy)]
pub(super) struct StatRule {
    pub(super) options: Options,
    pub(super) index_written: Time,
}

impl StatRule {
    /// Whether a file with this metadata certainly has the content that the index recorded.
    ///
    /// As git does, a file that may have been changed in the moment in which the index was written (a "racy" one) is
    /// not certain; nor is one whose size git set to zero to say so.
    pub(super) fn is_certain(
        &self,
        staged: &Stat,
        is_empty_blob: bool,
        metadata: &Metadata,
    ) -> bool {
        if staged.size == 0 && !is_empty_blob {
            return false;
        }
        // Some writers of the index leave fractions of seconds out.
        let options = Options {
            use_nsec: staged.mtime.nsecs != 0,
            ..self.options
        };
        staged.matches(&stat_of(metadata), options) && !self.is_racy(staged)
    }

    fn is_racy(&self, staged: &Stat) -> bool {
        if staged.mtime.nsecs == 0 || self.index_written.nsecs == 0 {
            return staged.mtime.secs >= self.index_written.secs;
        }
        nanoseconds(staged.mtime) + TICK_NANOSECONDS >= nanoseconds(self.index_written)
    }
}

fn nanoseconds(time: Time) -> u64 {
    u64::from(time.secs) * 1_000_000_000 + u64::from(time.nsecs)
}

/// The fields that git keeps, truncated as git truncates them.
#[cfg(unix)]
fn stat_of(metadata: &Metadata) -> Stat {
    use std::os::unix::fs::MetadataExt;
    Stat {
        mtime: Time {
            secs: metadata.mtime() as u32,
            nsecs: metadata.mtime_nsec() as u32,
        },
        ctime: Time {
            secs: metadata.ctime() as u32,
            nsecs: metadata.ctime_nsec() as u32,
        },
        dev: metadata.dev() as u32,
        ino: metadata.ino() as u32,
        uid: metadata.uid(),
        gid: metadata.gid(),
        size: metadata.len() as u32,
    }
}

/// The fields that git keeps, truncated as git truncates them.
#[cfg(not(unix))]
fn stat_of(metadata: &Metadata) -> Stat {
    let time = |time: std::io::Result<std::time::SystemTime>| {
        time.ok()
            .and_then(|time| Time::try_from(time).ok())
            .unwrap_or_default()
    };
    Stat {
        mtime: time(metadata.modified()),
        ctime: time(metadata.created()),
        size: metadata.len() as u32,
        ..Stat::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, Stat, StatRule, Time};

    #[track_caller]
    fn check_racy(staged: (u32, u32), written: (u32, u32), is_racy: bool) {
        let time = |(secs, nsecs)| Time { secs, nsecs };
        let rule = StatRule {
            options: Options::default(),
            index_written: time(written),
        };
        let staged = Stat {
            mtime: time(staged),
            ..Stat::default()
        };
        assert_eq!(rule.is_racy(&staged), is_racy);
    }

    #[test]
    fn a_file_is_racy_if_the_index_was_written_within_the_same_tick() {
        check_racy((10, 500_000_000), (10, 500_000_000), true);
        check_racy((10, 500_000_000), (10, 510_000_000), true);
        check_racy((10, 500_000_000), (10, 530_000_000), false);
        check_racy((11, 0), (10, 1), true);
    }

    #[test]
    fn without_fractions_a_tick_is_a_second() {
        check_racy((10, 0), (10, 900_000_000), true);
        check_racy((10, 500_000_000), (10, 0), true);
        check_racy((10, 0), (11, 0), false);
    }
}
