//! Answers made from random bytes: shorter input, smaller answer.

use cortex_model::{
    Accessibility, ChangeClass, DeclKind, EdgeKind, LineColumn, RepoPath, TypeKind,
};
use cortex_wire::{
    ApiChange, BoundModel, CalledCode, Certainty, ChangedFile, CodeLine, CodeLineKind, CodePlace,
    Column, CommitEntry, ComparedParameter, CopiedCode, CopyChange, Counterpart, DataChange,
    DatabaseChange, DatabaseConstraint, DatabaseObject, DatabasePart, DeletedTest,
    DependentRoutine, Deserialized, DiffContext, FieldChange, FileKind, FileNote, Frameworks,
    HandedHow, HandedType, Hunk, Impact, ImpactedType, InheritedMember, LaggingUser, LeftValue,
    LineUse, LostName, LostPlace, MatchedPattern, MemberChange, MemberChangeKind, MentionPlace,
    ModelChange, ModelRole, NamedLine, NamedProcedure, NamedRoutine, NamespaceMove, NearCopy,
    NearbyDocumentation, NextUser, NoLongerUsed, OtherImplementation, Outline, OutsideService,
    ParameterChange, ProjectChange, ProjectDamage, RangeEntry, ReachedTests, ReachingTest,
    ReadThrough, Registration, RemovedService, RequestingTest, RestOfFile, RouteChange,
    RouteContract, RouteForm, RoutineBehind, Severity, SharedCondition, ShownView, SideEntry,
    StaleEntry, StartingTests, SymbolImpact, TableEntity, Totals, TypeChange, TypeRef, TypeTest,
    UnfollowedActions, UnsearchedFiles, UnsetMember, UseSide, Via, ViaRelation, What, WorkflowRun,
    WrittenData,
};
use proptest::prelude::*;

/// Bytes for [`answer`].
pub(super) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..400),
        prop::collection::vec(any::<u8>(), 400..12_000)
    ]
}

/// An answer with whatever the bytes say.
pub(super) fn answer(bytes: &[u8]) -> DiffContext {
    Source { bytes }.answer()
}

const PIECES: &[&str] = &[
    "a",
    "Foo",
    ".",
    "Ns.Sub.",
    "`1",
    "```",
    "````````",
    "\n",
    "\r",
    "\t",
    " ",
    "  ",
    "漢字",
    "ありがとう",
    "🚀",
    "👩‍👩‍👧",
    "\u{202e}",
    "\u{200b}",
    "\u{1b}[31m",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{e0041}",
    "é",
    "<",
    ">",
    "(",
    ")",
    "#2",
    "#",
    "+",
    "|",
    "\"",
    "\\",
    "'",
    "System.Collections.Generic.List<T>",
    "## heading",
    "<script>",
    "![x](http://y)",
    "public ",
    "operator +",
    "e\u{301}",
    "123456",
    "\u{feff}",
    "---",
    "* ",
    "$",
    "!",
    "%",
    "\u{1f3f4}\u{e0067}\u{e007f}",
    "lowerUPPERMixed's",
    "=>",
    "{",
    ";",
];

struct Source<'b> {
    bytes: &'b [u8],
}

impl Source<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        usize::from(first)
    }

    fn flag(&mut self) -> bool {
        self.next() % 2 == 1
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.next() % values.len()]
    }

    fn many<T>(&mut self, max: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let n = self.next() % (max + 1);
        (0..n)
            .map_while(|_| (!self.bytes.is_empty()).then(|| make(self)))
            .collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    fn text(&mut self) -> String {
        let n = match self.next() {
            byte @ 0..250 => byte % 6,
            byte => byte,
        };
        (0..n).map(|_| PIECES[self.next() % PIECES.len()]).collect()
    }

    fn path(&mut self) -> RepoPath {
        RepoPath::from(self.text())
    }

    fn name(&mut self) -> String {
        match self.next() % 3 {
            0 => format!("Ns.Sub.{}", self.text()),
            1 => format!("Ns.Sub.Type{}", self.next()),
            _ => self.text(),
        }
    }

    fn ty(&mut self) -> TypeRef {
        TypeRef {
            name: self.name(),
            id: self.text(),
            kind: self.pick(TypeKind::ALL),
        }
    }

    fn code(&mut self) -> Vec<CodeLine> {
        const KINDS: [CodeLineKind; 3] = [
            CodeLineKind::Context,
            CodeLineKind::Added,
            CodeLineKind::Removed,
        ];
        let mut lines = Vec::new();
        for _ in 0..self.next() % 6 {
            let (kind, text, n) = (self.pick(&KINDS), self.text(), self.next() % 40 + 1);
            lines.extend(std::iter::repeat_n(CodeLine { kind, text }, n));
        }
        lines
    }

    fn member(&mut self) -> MemberChange {
        const CHANGES: [MemberChangeKind; 6] = [
            MemberChangeKind::Removed,
            MemberChangeKind::Added,
            MemberChangeKind::Signature,
            MemberChangeKind::Shape,
            MemberChangeKind::Body,
            MemberChangeKind::Docs,
        ];
        MemberChange {
            follows_moves: self.flag(),
            is_proven: false,
            frameworks: Vec::new(),
            change: self.pick(&CHANGES),
            kind: self.pick(DeclKind::ALL),
            name: self.text(),
            id: self.text(),
            doc_id: None,
            accessibility: self.pick(Accessibility::ALL),
            modifiers: self.many(2, Self::text),
            old_signature: self.maybe(Self::text),
            new_signature: self.maybe(Self::text),
            notes: self.many(2, Self::text),
            path: self.path(),
            line: self.next() as u32,
            parameters: self.many(3, Self::parameter_change),
            has_body: self.flag(),
            code: self.code(),
        }
    }

    fn change(&mut self) -> TypeChange {
        TypeChange {
            follows_moves: self.flag(),
            frameworks: Vec::new(),
            ty: self.ty(),
            renamed_from: self.maybe(Self::name),
            moved_from: self.many(2, Self::path),
            moved_from_assembly: self.maybe(Self::text),
            class: self.pick(ChangeClass::ALL),
            accessibility: self.pick(Accessibility::ALL),
            project: self.path(),
            is_test: self.flag(),
            modifiers: self.many(2, Self::text),
            bases: self.many(2, Self::text),
            files: self.many(3, Self::path),
            line: self.next() as u32,
            old_signature: self.maybe(Self::text),
            new_signature: self.maybe(Self::text),
            members: self.many(8, Self::member),
            n_dependents: self.next(),
            propagated: None,
        }
    }

    fn test(&mut self) -> ReachingTest {
        ReachingTest {
            frameworks: Vec::new(),
            id: self.text(),
            class: self.name(),
            project: self.path(),
            method: self.text(),
            distance: self.next() as u32,
            certainty: self.pick(&[Certainty::Exact, Certainty::Possible]),
            is_named_after: self.flag(),
            is_by_test_code: self.flag(),
            is_changed: self.flag(),
            skipped: self.flag(),
            path: self.many(5, Self::text),
        }
    }

    fn requesting_test(&mut self) -> RequestingTest {
        RequestingTest {
            test: self.test(),
            route: self.text(),
        }
    }

    fn starting_tests(&mut self) -> StartingTests {
        StartingTests {
            application: self.path(),
            project: self.path(),
            n_tests: self.next(),
            removed: self.maybe(|it| RemovedService {
                ty: it.text(),
                path: it.path(),
                line: it.next() as u32,
            }),
        }
    }

    fn route_change(&mut self) -> RouteChange {
        RouteChange {
            template_was: self.maybe(Self::text),
            what: self.pick(&[What::Added, What::Removed, What::Changed]),
            template: self.text(),
            verb: self.text(),
            handler: self.text(),
            was: self.maybe(Self::text),
            path: self.path(),
            line: self.next() as u32,
            through: self.maybe(Self::text),
            authorization: self.maybe(Self::text),
            filters: self.maybe(Self::text),
            parameters: self.many(2, Self::parameter_change),
            is_indirect: self.flag(),
        }
    }

    fn route_form(&mut self) -> RouteForm {
        RouteForm {
            template: self.text(),
            verb: self.text(),
            role: self.pick(&[ModelRole::Takes, ModelRole::Returns]),
            handler: self.text(),
            path: self.path(),
            was: self.name(),
            is: self.name(),
            fields: self.many(4, Self::field),
        }
    }

    fn field(&mut self) -> FieldChange {
        FieldChange {
            name: self.text(),
            was: self.maybe(Self::text),
            is: self.maybe(Self::text),
        }
    }

    fn model(&mut self) -> ModelChange {
        ModelChange {
            id: self.text(),
            fields: self.many(4, Self::field),
        }
    }

    fn contract(&mut self) -> RouteContract {
        RouteContract {
            template: self.text(),
            verb: self.text(),
            handler: self.text(),
            path: self.path(),
            line: self.next() as u32,
            models: self.many(3, |source| BoundModel {
                role: source.pick(&[ModelRole::Takes, ModelRole::Returns]),
                id: source.text(),
                changed: source.text(),
            }),
        }
    }

    fn database(&mut self) -> DatabaseChange {
        DatabaseChange {
            what: self.pick(&[What::Added, What::Removed, What::Changed]),
            object: self.pick(&DatabaseObject::ALL),
            name: self.text(),
            parts: self.many(9, |source| DatabasePart {
                name: source.text(),
                before: source.maybe(Self::text),
                after: source.maybe(Self::text),
                renamed_from: source.maybe(Self::text),
                is_breaking: source.flag(),
            }),
            is_body_changed: self.flag(),
            constraints: self.many(6, |source| DatabaseConstraint {
                what: source.pick(&[What::Added, What::Removed]),
                kind: source.text(),
                name: source.text(),
                columns: source.many(3, Self::text),
                target: source.maybe(Self::text),
            }),
            is_data_changed: self.flag(),
            path: self.path(),
            line: self.next() as u32,
            also_in: self.many(3, Self::path),
            otherwise_in: self.many(2, Self::path),
            still_in: self.maybe(Self::path),
            entities: self.many(3, |source| TableEntity {
                name: source.text(),
                path: source.path(),
            }),
            behind: self.many(3, |source| RoutineBehind {
                name: source.text(),
                path: source.path(),
                line: source.next() as u32,
                lacks: source.many(3, Self::text),
            }),
            dependents: self.many(3, |source| DependentRoutine {
                name: source.text(),
                object: source.pick(&DatabaseObject::ALL),
                path: source.path(),
                line: source.next() as u32,
                lacks: source.many(2, Self::text),
                compared: source.many(2, |source| ComparedParameter {
                    name: source.text(),
                    declared: source.text(),
                    column: source.text(),
                }),
            }),
        }
    }

    fn impacted(&mut self) -> ImpactedType {
        ImpactedType {
            ty: self.ty(),
            distance: self.next() as u32,
            via: self.name(),
            kinds: self.many(3, |source| source.pick(EdgeKind::ALL)),
            project: self.path(),
            is_test: self.flag(),
            propagated: None,
            n_uses: self.next() % 3,
        }
    }

    fn parameter_change(&mut self) -> ParameterChange {
        ParameterChange {
            what: self.pick(&[What::Added, What::Removed, What::Changed]),
            position: self.next(),
            text: self.text(),
            was: self.maybe(Self::text),
        }
    }

    fn symbol(&mut self) -> SymbolImpact {
        let uses = self.many(9, Self::line_use);
        let rest = self.many(3, |source| RestOfFile {
            path: source.path(),
            is_test: source.flag(),
            n_uses: source.next() % 9,
        });
        let n_rest: usize = rest.iter().map(|rest| rest.n_uses).sum();
        SymbolImpact {
            id: self.text(),
            ty: self.name(),
            member: self.maybe(Self::text),
            change: self.pick(&[MemberChangeKind::Removed, MemberChangeKind::Body]),
            side: self.pick(&[UseSide::Old, UseSide::New]),
            implemented_by: self.many(2, Self::text),
            siblings: self.many(8, Self::text),
            sibling_routines: self.many(2, Self::named_routine),
            called_through: self.maybe(Self::text),
            n_mentions: self.next() % 3,
            mentions: self.many(3, |source| MentionPlace {
                path: source.path(),
                line: source.next() as u32,
            }),
            n_uses: uses.len() + n_rest + self.next() % 3,
            uses,
            rest,
        }
    }

    fn code_place(&mut self) -> CodePlace {
        CodePlace {
            path: self.path(),
            line: self.next() as u32,
            inside: self.maybe(Self::text),
        }
    }

    fn written_data(&mut self) -> WrittenData {
        WrittenData {
            doc_id: self.text(),
            ty: self.name(),
            member: self.text(),
            by: self.text(),
            change: self.pick(DataChange::ALL),
            only_comparisons: self.flag(),
            writers: self.many(3, Self::code_place),
            readers: self.many(3, Self::code_place),
            read_through: self.many(2, |it| ReadThrough {
                doc_id: it.text(),
                places: it.many(2, Self::code_place),
            }),
        }
    }

    fn outside_service(&mut self) -> OutsideService {
        OutsideService {
            also_called_at: self.many(2, Self::code_place),
            service: self.text(),
            call: self.text(),
            at: self.code_place(),
            taken_at: self.many(3, Self::code_place),
        }
    }

    fn shared_condition(&mut self) -> SharedCondition {
        SharedCondition {
            condition: self.text(),
            by: self.text(),
            places: self.many(3, Self::code_place),
        }
    }

    fn near_copy(&mut self) -> NearCopy {
        NearCopy {
            doc_id: self.text(),
            percent: 60 + self.next() % 41,
            place: self.code_place(),
        }
    }

    fn inherited_member(&mut self) -> InheritedMember {
        InheritedMember {
            doc_id: self.text(),
            what: self.pick(&[What::Added, What::Removed]),
            places: self.many(3, Self::code_place),
        }
    }

    fn nearby_documentation(&mut self) -> NearbyDocumentation {
        let lines = self.many(3, |source| NamedLine {
            line: source.next() as u32,
            name: source.text(),
        });
        NearbyDocumentation {
            path: self.path(),
            n_lines: lines.len() + self.next() % 3,
            lines,
        }
    }

    fn copied_code(&mut self) -> CopiedCode {
        CopiedCode {
            code: self.text(),
            change: self.pick(&[CopyChange::Gone, CopyChange::Added, CopyChange::Extended]),
            inserted: self.maybe(Self::text),
            by: self.text(),
            places: self.many(3, Self::code_place),
        }
    }

    fn handed(&mut self) -> HandedType {
        HandedType {
            how: self.pick(&[HandedHow::TypeArgument, HandedHow::Assembly]),
            ty: self.text(),
            call: self.text(),
            places: self.many(3, Self::code_place),
        }
    }

    fn named_routine(&mut self) -> NamedRoutine {
        NamedRoutine {
            member: self.text(),
            name: self.text(),
            path: self.path(),
            line: self.next() as u32,
        }
    }

    fn named_procedure(&mut self) -> NamedProcedure {
        NamedProcedure {
            name: self.text(),
            path: self.path(),
            line: self.next() as u32,
            inside: self.flag().then(|| self.text()),
            callers: self.many(6, Self::code_place),
            callers_of_callers: self.many(3, Self::code_place),
            siblings: self.many(3, Self::text),
        }
    }

    fn counterpart(&mut self) -> Counterpart {
        Counterpart {
            shared: self.many(3, Self::text),
            adds: self.many(2, Self::text),
            by: self.many(3, Self::text),
            n_with: self.next() % 3,
            places: self.many(3, Self::code_place),
        }
    }

    fn type_test(&mut self) -> TypeTest {
        TypeTest {
            ty: self.name(),
            base: self.name(),
            what: self.pick(&[What::Added, What::Removed]),
            places: self.many(3, Self::code_place),
        }
    }

    fn line_use(&mut self) -> LineUse {
        LineUse {
            frameworks: Vec::new(),
            path: self.path(),
            at: LineColumn {
                line: self.next() as u32,
                column: self.next() as u32,
            },
            project: self.path(),
            is_test: self.flag(),
            inside: self.maybe(Self::text),
            role: self.pick(cortex_wire::Role::ALL),
            certainty: self.pick(&[Certainty::Exact, Certainty::Possible]),
            via: self.maybe(|source| Via {
                to: source.text(),
                relation: source.pick(&[ViaRelation::Interface, ViaRelation::Override]),
            }),
            text: self.text(),
        }
    }

    fn lost_place(&mut self) -> LostPlace {
        let used = self.line_use();
        LostPlace {
            path: used.path,
            at: used.at,
            project: used.project,
            is_test: used.is_test,
            text: used.text,
        }
    }

    fn file(&mut self) -> ChangedFile {
        const KINDS: [FileKind; 5] = [
            FileKind::Source,
            FileKind::Project,
            FileKind::Text,
            FileKind::Binary,
            FileKind::Submodule,
        ];
        ChangedFile {
            path: self.path(),
            old_path: self.maybe(Self::path),
            status: self.pick(cortex_wire::FileStatus::ALL),
            kind: self.pick(&KINDS),
            is_generated: self.flag(),
            old_mode: self.pick(&[0, 0o100_644, 0o100_755, 0o120_000, 0o160_000]),
            new_mode: self.pick(&[0, 0o100_644, 0o100_755, 0o120_000, 0o160_000]),
            blobs: (self.maybe(Self::text), self.maybe(Self::text)),
            similarity: None,
            added: self.next(),
            deleted: self.next(),
            hunks: Vec::<Hunk>::new(),
            beside: self.many(3, Self::path),
            same_section: self.many(3, Self::path),
            named_at: self.many(3, Self::code_place),
        }
    }

    fn lagging(&mut self) -> LaggingUser {
        LaggingUser {
            ty: self.name(),
            lacks: self.many(3, Self::text),
            path: self.path(),
            line: self.next() as u32,
            inside: self.maybe(Self::text),
            n_used: self.next(),
            n_others: self.next(),
            like: self.maybe(Self::text),
        }
    }

    fn unset(&mut self) -> UnsetMember {
        UnsetMember {
            ty: self.name(),
            members: self.many(2, Self::text),
            by: self.many(2, Self::text),
            beside: self.many(2, Self::text),
            places: self.many(3, Self::code_place),
        }
    }

    fn reached_tests(&mut self) -> ReachedTests {
        ReachedTests {
            tests: self.many(20, Self::test),
            set_up: self.many(3, Self::test),
            n_all: self.next(),
            n_unseen: self.next(),
            n_in_classes: self.next(),
            unreached: self.many(9, Self::text),
            is_of_types: self.flag(),
        }
    }

    fn workflow(&mut self) -> WorkflowRun {
        WorkflowRun {
            path: self.path(),
            events: self.many(2, Self::text),
            n_files: self.next(),
            patterns: self.many(4, |source| MatchedPattern {
                pattern: source.text(),
                line: source.next() as u32,
                n_files: source.next(),
            }),
        }
    }

    fn impact(&mut self) -> Impact {
        Impact {
            symbols: self.many(20, Self::symbol),
            next: self.many(9, |source| NextUser {
                contract: source.maybe(Self::text),
                id: source.text(),
                through: source.text(),
                n_uses: source.next(),
            }),
            registrations: self.many(9, |source| Registration {
                id: source.text(),
                ty: source.name(),
                service: source.maybe(Self::text),
                at: source.line_use(),
                consumers: source.many(4, Self::line_use),
                others: source.many(2, |source| OtherImplementation {
                    at: source.code_place(),
                    registered: source.many(2, Self::code_place),
                }),
            }),
            direct: self.many(20, Self::impacted),
            further: self.many(60, Self::impacted),
            n_beyond: self.next(),
            requesting_tests: self.many(4, Self::requesting_test),
            starting_tests: self.many(2, Self::starting_tests),
            workflows: self.many(3, Self::workflow),
            tests: self.maybe(Self::reached_tests),
            lagging: self.many(6, Self::lagging),
            no_longer_used: self.many(12, |source| NoLongerUsed {
                doc_id: source.text(),
                ty: source.name(),
                member: source.maybe(Self::text),
                path: source.path(),
                line: source.next() as u32,
                is_assigned: source.flag(),
                implemented_by: source.many(3, Self::code_place),
                n_test_uses: source.next(),
            }),
            unset: self.many(2, Self::unset),
            written_data: self.many(3, Self::written_data),
            counterparts: self.many(3, Self::counterpart),
            outside_services: self.many(2, Self::outside_service),
            conditions: self.many(2, Self::shared_condition),
            copies: self.many(2, Self::copied_code),
            near_copies: self.many(2, Self::near_copy),
            inherited: self.many(2, Self::inherited_member),
            nearby_documentation: self.many(2, Self::nearby_documentation),
            type_tests: self.many(2, Self::type_test),
            deserialized: self.many(2, |source| Deserialized {
                ty: source.name(),
                places: source.many(3, Self::code_place),
            }),
            columns: self.many(2, |source| Column {
                doc_id: source.text(),
                places: source.many(3, Self::code_place),
            }),
            files_of_name: self.many(2, |source| cortex_wire::FilesOfName {
                ty: source.name(),
                files: source.many(3, Self::path),
            }),
            left_values: self.many(2, |source| LeftValue {
                value: source.text(),
                kind: source.pick(cortex_wire::TextKind::ALL),
                change: source.pick(cortex_wire::ValueChange::ALL),
                places: source.many(4, Self::code_place),
            }),
            views: self.many(3, |source| ShownView {
                path: source.path(),
                shown_by: source.many(4, |source| MentionPlace {
                    path: source.path(),
                    line: source.next() as u32,
                }),
            }),
            procedures: self.many(3, Self::named_procedure),
            handed: self.many(3, Self::handed),
            run_routines: self.many(3, Self::named_routine),
            left_routines: self.many(3, Self::named_routine),
            lost_names: self.many(3, |source| LostName {
                name: source.text(),
                was: source.text(),
                places: source.many(4, Self::lost_place),
            }),
            unfollowed_actions: UnfollowedActions {
                n: self.next(),
                has_more: self.flag(),
            },
            n_routes: self.next(),
            not_searched: self.many(3, |source| UnsearchedFiles {
                extension: source.text(),
                n_files: source.next(),
            }),
            deleted_tests: self.many(9, |source| DeletedTest {
                project: source.path(),
                class: source.name(),
                method: source.text(),
                id: source.text(),
            }),
        }
    }

    fn api_change(&mut self) -> ApiChange {
        ApiChange {
            moved_to: self.maybe(Self::name),
            follows_moves: self.flag(),
            frameworks: Vec::new(),
            severity: self.pick(&[
                Severity::Breaking,
                Severity::SourceBreaking,
                Severity::Behavioral,
                Severity::Compatible,
            ]),
            rule: self.pick(&[None, Some("CP0001")]).map(str::to_owned),
            ty: self.name(),
            member: self.maybe(Self::text),
            symbol: None,
            reason: self.text(),
        }
    }

    fn answer(&mut self) -> DiffContext {
        DiffContext {
            proof: None,
            routes: self.many(9, Self::route_change),
            contracts: self.many(9, Self::contract),
            models: self.many(3, Self::model),
            forms: self.many(3, Self::route_form),
            database: self.many(9, Self::database),
            range: RangeEntry {
                spec: self.text(),
                old: SideEntry {
                    kind: self.pick(cortex_wire::SideKind::ALL),
                    commit: self.maybe(Self::text),
                },
                new: SideEntry {
                    kind: self.pick(cortex_wire::SideKind::ALL),
                    commit: self.maybe(Self::text),
                },
                commits: self.many(9, |source| CommitEntry {
                    id: source.text(),
                    subject: source.text(),
                    body: source.text(),
                    author: source.text(),
                }),
                n_commits: self.next(),
                paths: self.many(2, Self::text),
                scope: self.maybe(Self::text),
                n_outside: self.many(2, Self::text).len(),
            },
            totals: Totals {
                files: self.next(),
                added: self.next() * 999,
                deleted: self.next(),
            },
            types: self.many(30, Self::change),
            api: self.many(20, Self::api_change),
            namespaces: self.many(2, |source| NamespaceMove {
                from: source.name(),
                to: source.name(),
                n_types: source.next(),
            }),
            impact: self.impact(),
            notes: self.many(3, |source| FileNote {
                path: source.path(),
                text: source.text(),
            }),
            damage: self.many(4, |source| ProjectDamage {
                project: source.path(),
                is_changed: false,
                names: source.next() as u64,
                unbound: source.next() as u64,
                degraded_files: source.next() as u64,
                skipped_files: source.next() as u64,
                missing_packages: source.many(8, Self::text),
            }),
            frameworks: self.many(4, |source| Frameworks {
                project: source.path(),
                active: source.text(),
                others: source.many(2, Self::text),
            }),
            reading: self.many(9, |source| Outline {
                ty: source.ty(),
                signature: source.text(),
                because: source.text(),
                path: source.path(),
                line: source.next() as u32,
                members: source.many(40, Self::text),
                n_members: source.next(),
            }),
            called: self.many(5, |source| CalledCode {
                doc_id: source.text(),
                ty: source.text(),
                member: source.text(),
                path: source.path(),
                line: source.next() as u32,
                because: source.text(),
                reason: source.pick(cortex_wire::CallReason::ALL),
                through: source.flag().then(|| source.text()),
                code: source.many(12, Self::text),
                n_more_lines: source.next(),
            }),
            projects: self.many(5, |source| ProjectChange {
                path: source.path(),
                text: source.text(),
            }),
            files: self.many(30, Self::file),
            stale: self.many(5, |source| StaleEntry {
                path: source.path(),
                reason: source.text(),
            }),
        }
    }
}
