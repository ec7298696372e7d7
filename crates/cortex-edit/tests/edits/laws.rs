//! Laws of every edit: what is applied is what the patch says, and undoing it gives every byte back.

use std::fs;

use cortex_edit::EditError;
use cortex_fixture::Fixture;
use cortex_wire::{CheckRule, EditVerdict, OpState};
use proptest::prelude::*;

use crate::world::World;

const PROGRAM: &str = "\
//- /src/Shapes.cs
namespace Shapes;

/// <summary>Something with an <see cref=\"Area\"/>.</summary>
public interface IShape { double Area(double scale); string Name { get; } }

public abstract class Shape : IShape
{
    protected readonly double side;
    protected Shape(double side) => this.side = side;
    public abstract double Area(double scale);
    public virtual string Name => nameof(Shape);
}

public sealed class Square : Shape
{
    public Square(double side) : base(side) { }
    public override double Area(double scale) => side * side * scale;
    public override string Name => base.Name + nameof(Square);
}
//- /src/Use.cs
using System.Collections.Generic;
using System.Linq;

namespace Shapes.Use
{
    public record Item(IShape Shape, int Count);

    public static class Totals
    {
        public static double Total(this IEnumerable<Item> items, double scale)
        {
            double total = 0;
            foreach (var item in items)
            {
                total += item.Shape.Area(scale: scale) * item.Count;
            }
            return total + items.Select(it => it.Shape.Name.Length).Sum();
        }

        public static double OfSquares(int count) =>
            Enumerable.Range(0, count).Select(x => new Item(new Square(x), Count: x)).Total(2);
    }
}
";

/// Everything in the program that has a name.
const SYMBOLS: [&str; 16] = [
    "IShape",
    "Shape",
    "Square",
    "Shapes.Use.Item",
    "Totals",
    "Totals.Total",
    "Totals.OfSquares",
    "Item.Count",
    "Item.Shape",
    "Shape.side",
    "Square.Area",
    "Shape.Name",
    "src/Use.cs:10:20",
    "src/Use.cs:11:26",
    "src/Shapes.cs:9:28",
    "src/Use.cs:16:41",
];

/// Names that are free, taken, hidden or contextual in the program.
const NAMES: [&str; 14] = [
    "Fresh", "Area", "Name", "Count", "Item", "Shape", "items", "scale", "total", "Select", "side",
    "record", "x", "IShape",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_applied_is_the_patch_and_can_be_undone(
        symbol in prop::sample::select(&SYMBOLS[..]),
        name in prop::sample::select(&NAMES[..]),
    ) {
        let world = World::new(PROGRAM);
        let before = world.files();
        let mut op = match world.rename(symbol, name) {
            Ok(op) => op,
            Err(EditError::NoChange { .. } | EditError::Refused { .. }) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{symbol}: {error}"))),
        };
        // Planning wrote nothing.
        prop_assert_eq!(&world.files(), &before);
        if op.answer.verdict == EditVerdict::ChangedMeaning {
            prop_assert!(world.apply(&mut op).is_err());
            prop_assert_eq!(&world.files(), &before);
            return Ok(());
        }
        let patch = world.work().parent().expect("a folder").join("patch.diff");
        fs::write(&patch, &op.answer.patch).expect("a file");
        let patch = patch.to_string_lossy();
        Fixture::git(&world.work(), &["apply", &patch]).expect("git takes the patch");
        let by_git = world.files();
        Fixture::git(&world.work(), &["apply", "-R", &patch]).expect("git takes it back");
        prop_assert_eq!(&world.files(), &before);

        world.apply(&mut op).expect("it can be applied");
        prop_assert_eq!(op.state(), OpState::Applied);
        prop_assert_eq!(&world.files(), &by_git);
        prop_assert_eq!(world.root(), world.root_from_nothing());

        world.undo(&mut op).expect("it can be undone");
        prop_assert_eq!(&world.files(), &before);
    }

    #[test]
    fn a_fresh_name_is_proven_and_the_old_one_brings_the_program_back(
        symbol in prop::sample::select(&SYMBOLS[..12]),
    ) {
        let world = World::new(PROGRAM);
        let before = world.files();
        let mut there = world.rename(symbol, "Fresh").expect("it can be planned");
        prop_assert_eq!(there.answer.verdict, EditVerdict::Proven, "{:?}", there.answer.differences);
        world.apply(&mut there).expect("it can be applied");
        let old = symbol.rsplit('.').next().expect("a name");
        let renamed = match symbol.rsplit_once('.') {
            Some((ty, _)) if ty != "Shapes.Use" => format!("{ty}.Fresh"),
            _ => "Fresh".to_owned(),
        };
        let mut back = world.rename(&renamed, old).expect("it can be planned");
        prop_assert_eq!(back.answer.verdict, EditVerdict::Proven, "{:?}", back.answer.differences);
        world.apply(&mut back).expect("it can be applied");
        prop_assert_eq!(&world.files(), &before);
    }
}

#[test]
fn a_file_that_was_edited_since_is_left_alone() {
    let world = World::new("//- /A.cs\nclass Old { Old o; }\n//- /B.cs\nclass U { Old o; }");
    let mut op = world.rename("Old", "New").expect("it can be planned");
    let path = op.answer.files[1].file.as_str().to_owned();
    let file = world.work().join(path);
    fs::write(&file, "class U { Old o; int more; }").expect("a file");
    let before = world.files();
    let error = world.apply(&mut op).expect_err("the file has changed");
    assert!(matches!(error, EditError::Changed { .. }), "{error}");
    assert_eq!(world.files(), before);
    assert_eq!(op.state(), OpState::Proven);
}

/// The state of a process that was killed after so many of its files were written.
fn killed_after(n_written: usize) -> (World, std::collections::BTreeMap<String, Vec<u8>>) {
    let world = World::new("//- /A.cs\nclass Old { Old o; }\n//- /B.cs\nclass U { Old o; }");
    let before = world.files();
    let mut op = world.rename("Old", "New").expect("it can be planned");
    let folder = world.work().parent().expect("a folder").join("store/ops");
    let folder = folder.join(op.id());
    let record = fs::read(folder.join("op.json")).expect("a record");
    world.apply(&mut op).expect("it can be applied");
    fs::write(folder.join("op.json"), record).expect("a file");
    fs::rename(
        folder.join("apply/done.json"),
        folder.join("apply/journal.json"),
    )
    .expect("a file");
    let after = world.files();
    // It was about to write one more.
    let temporary = format!(".git-cortex-edit-{}.tmp", op.id());
    let paths: Vec<_> = op.answer.files.iter().map(|it| it.file.as_str()).collect();
    let folder = world.work().join(paths[0]);
    fs::write(folder.with_file_name(temporary), "class").expect("a file");
    let differing = before
        .iter()
        .filter(|(path, text)| after.get(*path) != Some(text));
    for (path, text) in differing.skip(n_written) {
        fs::write(world.work().join(path), text).expect("a file");
    }
    (world, before)
}

#[test]
fn what_was_left_half_done_is_restored() {
    for n_written in 0..=2 {
        let (world, before) = killed_after(n_written);
        let restored = cortex_edit::recover(&world.index.repo, &world.ops).expect("it is restored");
        assert_eq!(restored.len(), 1);
        assert_eq!(world.files(), before, "after {n_written} files");
        assert!(
            cortex_edit::recover(&world.index.repo, &world.ops)
                .expect("it is read")
                .is_empty()
        );
    }
}

#[test]
fn recovery_leaves_alone_what_somebody_edited_since() {
    let (world, before) = killed_after(2);
    let path = before
        .keys()
        .find(|path| path.ends_with("B.cs"))
        .expect("a file");
    fs::write(world.work().join(path), "class Edited { }").expect("a file");
    cortex_edit::recover(&world.index.repo, &world.ops).expect("it is restored");
    let files = world.files();
    assert_eq!(files[path], b"class Edited { }");
    let others = before.iter().filter(|(other, _)| *other != path);
    for (other, text) in others {
        assert_eq!(&files[other], text);
    }
}

#[test]
fn what_is_under_way_is_not_taken_for_what_was_left() {
    let (world, before) = killed_after(2);
    let under_way = world.files();
    let lock = world.ops.lock().expect("nobody has it");
    std::thread::scope(|scope| {
        let recovery = scope.spawn(|| cortex_edit::recover(&world.index.repo, &world.ops));
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(world.files(), under_way);
        drop(lock);
        let restored = recovery.join().expect("it does not panic");
        assert_eq!(restored.expect("it is restored").len(), 1);
    });
    assert_eq!(world.files(), before);
}

#[test]
fn an_undo_that_did_not_end_can_be_asked_for_again() {
    let world = World::new("//- /A.cs\nclass Old { Old o; }");
    let before = world.files();
    let mut op = world.rename("Old", "New").expect("it can be planned");
    world.apply(&mut op).expect("it can be applied");
    let folder = world.work().parent().expect("a folder").join("store/ops");
    let folder = folder.join(op.id());
    let record = fs::read(folder.join("op.json")).expect("a record");
    world.undo(&mut op).expect("it can be undone");
    // Killed before the record was written.
    fs::write(folder.join("op.json"), record).expect("a file");
    let done = fs::read(folder.join("apply/done.json")).expect("a journal");
    let mut journal: serde_json::Value = serde_json::from_slice(&done).expect("JSON");
    if journal["then"] == "applied" {
        let change = &mut journal["changes"][0];
        let (before, after) = (change["before"].take(), change["after"].take());
        (change["before"], change["after"]) = (after, before);
        journal["then"] = "undone".into();
    }
    fs::write(folder.join("apply/journal.json"), journal.to_string()).expect("a file");
    let mut again = world.ops.read(op.id()).expect("a record");
    world.undo(&mut again).expect("it can be undone");
    assert_eq!(world.files(), before);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_symbolic_link() {
    let world = World::new("//- /A.cs\nclass Old { Old o; }");
    let mut op = world.rename("Old", "New").expect("it can be planned");
    let path = op.answer.files[0].file.as_str().to_owned();
    let file = world.work().join(&path);
    let outside = world.work().parent().expect("a folder").join("outside.cs");
    fs::copy(&file, &outside).expect("a file");
    fs::remove_file(&file).expect("a file");
    std::os::unix::fs::symlink(&outside, &file).expect("a link");
    let error = world.apply(&mut op).expect_err("a link is in the way");
    assert!(matches!(error, EditError::Unsafe { .. }), "{error}");
    let text = fs::read_to_string(&outside).expect("a file");
    assert!(text.contains("class Old"));
}

/// The rules that records of operations break.
fn wrong_records(world: &World) -> Vec<(CheckRule, String)> {
    let found = cortex_edit::check_records(&world.index.repo, &world.ops);
    let found = found.expect("records are read");
    assert!(found.problems.len() <= found.n_ops);
    let problems = found.problems.into_iter();
    problems
        .map(|problem| (problem.rule, problem.detail))
        .collect()
}

#[test]
fn records_say_what_waits_and_what_was_applied_unseen() {
    let world = World::new("//- /A.cs\nclass Old { Old o; }");
    assert_eq!(wrong_records(&world), []);
    let mut op = world.rename("Old", "New").expect("it can be planned");
    let waiting = wrong_records(&world);
    assert_eq!(waiting[0].0, CheckRule::OpUnreviewed);
    assert!(waiting[0].1.contains("proven, and nobody"), "{waiting:?}");
    world.apply(&mut op).expect("it can be applied");
    let unseen = wrong_records(&world);
    assert_eq!(unseen[0].0, CheckRule::OpUnreviewed);
    assert!(unseen[0].1.contains("applied, although"), "{unseen:?}");
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(wrong_records(&world), []);
}

#[test]
fn a_change_that_is_nowhere_is_not_applied() {
    let world = World::new("//- /A.cs\nclass Old { Old o; }");
    let before = world.files();
    let mut op = world.rename("Old", "New").expect("it can be planned");
    world.apply(&mut op).expect("it can be applied");
    op.approval = Some(cortex_wire::Approval {
        by: "A".to_owned(),
        how: cortex_wire::ApprovedHow::Terminal,
        digest: op.digest.clone(),
        time: String::new(),
        signature: None,
    });
    world.ops.write(&op).expect("it is written");
    assert_eq!(wrong_records(&world), []);
    // Somebody checks the old files out again, untracked ones included.
    let applied = world.files();
    let restore = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        for path in world.files().keys() {
            fs::remove_file(world.work().join(path)).expect("a file");
        }
        for (path, text) in files {
            fs::write(world.work().join(path), text).expect("a file");
        }
    };
    restore(&before);
    assert_eq!(wrong_records(&world)[0].0, CheckRule::OpNotApplied);
    // On a branch it is somewhere.
    restore(&applied);
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        Fixture::git(&world.work(), &[&who, arguments].concat()).expect("git succeeds");
    };
    git(&["checkout", "-q", "-b", "topic"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "rename"]);
    git(&["checkout", "-q", "-"]);
    assert_eq!(world.files(), before);
    assert_eq!(wrong_records(&world), []);
}

#[test]
fn what_was_left_half_done_is_reported_and_nothing_is_touched() {
    for n_written in 0..=2 {
        let (world, _) = killed_after(n_written);
        let files = world.files();
        let found = wrong_records(&world);
        assert_eq!(found[0].0, CheckRule::OpInterrupted);
        // The file of the type is another one, so that the old one counts as well.
        assert!(found[0].1.contains("did not end"), "{found:?}");
        assert_eq!(world.files(), files);
        let lock = world.ops.lock().expect("nobody has it");
        let under_way = wrong_records(&world);
        let rules: Vec<CheckRule> = under_way.iter().map(|(rule, _)| *rule).collect();
        assert!(!rules.contains(&CheckRule::OpInterrupted), "{rules:?}");
        drop(lock);
        cortex_edit::recover(&world.index.repo, &world.ops).expect("it is restored");
        let restored = wrong_records(&world);
        assert!(
            restored
                .iter()
                .all(|(rule, _)| *rule == CheckRule::OpUnreviewed)
        );
    }
}

#[test]
fn a_damaged_record_is_reported_and_can_be_dropped() {
    let world = World::new("//- /A.cs\nclass Old { Old o; }");
    let op = world.rename("Old", "New").expect("it can be planned");
    let folder = world.work().parent().expect("a folder").join("store/ops");
    let folder = folder.join(op.id());
    let blobs = folder.join("blobs");
    for blob in fs::read_dir(&blobs).expect("a folder").flatten() {
        fs::remove_file(blob.path()).expect("a file");
    }
    let found = wrong_records(&world);
    assert_eq!(found[0].0, CheckRule::OpUnreadable);
    fs::write(folder.join("op.json"), "{").expect("a file");
    assert_eq!(wrong_records(&world)[0].0, CheckRule::OpUnreadable);
    world.ops.drop(op.id()).expect("it can be dropped");
    assert_eq!(wrong_records(&world), []);
}
