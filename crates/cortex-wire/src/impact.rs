//! Who uses what changed.

use cortex_model::{EdgeKind, LineColumn, RepoPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Certainty, DataChange, DeletedTest, MemberChangeKind, Propagated, ReachedTests, RequestingTest,
    Role, StartingTests, TextKind, TypeRef, UnsearchedFiles, ValueChange, What, WorkflowRun,
    is_zero,
};

/// Who depends on what changed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// Every changed symbol with its uses, in the order of the changed types. Changed are: types whose own
    /// declaration changed (added, removed, renamed, another signature), members but those whose documentation
    /// alone changed, and members made by the compiler that came, went or have another signature.
    pub symbols: Vec<SymbolImpact>,
    /// The next ring: product members that use members which use a changed symbol, and are neither; by how often, then
    /// by name. Where these are at most twelve, those that use these follow. What very much uses is not followed.
    pub next: Vec<NextUser>,
    /// Registrations of changed types for dependency injection, by type, path and position.
    pub registrations: Vec<Registration>,
    /// Types that name a structurally changed, removed or re-implemented type, by weight.
    pub direct: Vec<ImpactedType>,
    /// Types that depend on those, by distance, then weight.
    pub further: Vec<ImpactedType>,
    /// How many types lie beyond what `further` lists.
    pub n_beyond: usize,
    /// The tests that may run what changed; `None` where so much changed that they were not looked for.
    pub tests: Option<ReachedTests>,
    /// The tests that send requests over HTTP to routes of what changed or uses it, themselves or through helpers: those
    /// of the uses with the relation `route`, nearest first for each route.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requesting_tests: Vec<RequestingTest>,
    /// The tests that start an application which runs what changed, where no action with a route does: their requests are
    /// not followed. By application and project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starting_tests: Vec<StartingTests>,
    /// The workflows of GitHub that run for some paths only, changed files among them, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workflows: Vec<WorkflowRun>,
    /// The tests that the change deletes, by project, class and method; those that moved or have another name are not
    /// among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deleted_tests: Vec<DeletedTest>,
    /// Names that changed types and their members left behind and that resolve to nothing any longer: such code does
    /// not compile. By name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost_names: Vec<LostName>,
    /// Product code that uses most of what a type held already, and nothing of what it newly holds: copies, mappings,
    /// initializers; by type, then those that use most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lagging: Vec<LaggingUser>,
    /// Properties and fields that changed code newly sets beside others of the same type which were there, with unchanged
    /// members of the product that set most of those and not these, eight at most for each that sets them: fewest first,
    /// four at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<UnsetMember>,
    /// Types and members of the product that did not change, that lines of the product which are gone named, and that no
    /// code of the product names any longer; by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_longer_used: Vec<NoLongerUsed>,
    /// Unchanged properties and fields of the product that changed lines of the product assign, and that other code of it
    /// assigns or reads, where that is on at most thirty lines (of what more read, who assigns it); constants that these
    /// name or no longer do, which other code names, or compares with, on at most twenty; and methods that these newly call,
    /// which other code calls on at most six: fourteen at most and five of a kind, in the order of the kinds, then those
    /// that the fewest lines name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written_data: Vec<WrittenData>,
    /// Unchanged code of the product that lacks what changed code newly does beside the same, then such that calls what new
    /// code calls together; of both the three closest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counterparts: Vec<Counterpart>,
    /// Services of frameworks and packages that calls with changed lines register (`AddDistributedMemoryCache`), with who
    /// takes them: four at most, none that more than forty files name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside_services: Vec<OutsideService>,
    /// Comparisons on changed lines that unchanged code of the same folder makes as well: the four that fewest lines make,
    /// none that more than eight do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<SharedCondition>,
    /// Statements that changed code lost and unchanged code of the product has, on at most five lines, and statements that
    /// changed code newly has and unchanged code lacks which has what stands around them: three at most, those on the fewest
    /// lines first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopiedCode>,
    /// Where the product asks whether an object is of a type that a changed type newly derives from, or no longer does; by
    /// changed type, then base. Bases that it asks for on more than forty lines are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_tests: Vec<TypeTest>,
    /// Texts that changed lines of the product had and others replaced, names and routes that are gone, and names of types
    /// that run otherwise, with the unchanged lines of code, comments, settings and documentation that have them: of each
    /// kind six at most, each on at most sixteen lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_values: Vec<LeftValue>,
    /// Unchanged files in other languages that are called like changed types of the product; by type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_of_name: Vec<FilesOfName>,
    /// New members of the product with an unchanged one of the same folder, or of the same name, that each is written like, but
    /// for variables and the names of what each is about: three at most, the most alike first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near_copies: Vec<NearCopy>,
    /// Members that came to bases and that unchanged members of the product below them hide, and members that are gone from
    /// bases and left such members that override and implement nothing: six at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<InheritedMember>,
    /// Unchanged documentation in the folders of changed product code, or above them inside its project, that has names of
    /// several words from changed lines that code of few files names: three files at most, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearby_documentation: Vec<NearbyDocumentation>,
    /// Where the product reads objects of types from texts and settings of which a property came, went or has another
    /// declaration (`Deserialize<T>`, `ReadFromJsonAsync<T>`, `Configure<T>`); by type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deserialized: Vec<Deserialized>,
    /// Unchanged SQL that names properties which came, went or have another declaration, or that changed code assigns, in files
    /// that are called like their type (`Order.sql`, `Order_Create.sql`); by type and property.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// Changed views of Razor with what shows them, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<ShownView>,
    /// Where product code names stored procedures, functions and views that changed files of SQL define or drop, by name,
    /// path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub procedures: Vec<NamedProcedure>,
    /// Changed types of the product of which a member runs otherwise that implements or overrides one from outside, with the
    /// unchanged product code that hands them to a framework; registrations for injection are told as those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handed: Vec<HandedType>,
    /// Stored procedures, functions and views whose files did not change and that changed code of the product names, or
    /// members which it newly calls: what the code does is written there. By member and name, eight at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run_routines: Vec<NamedRoutine>,
    /// Those that lines named which are gone, and that no product code names any longer; the member is one of the older side.
    /// By member and name, eight at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_routines: Vec<NamedRoutine>,
    /// Files of formats in which no names were looked for, where a symbol has no uses; the most frequent formats first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<UnsearchedFiles>,
    /// Actions that run what changed and to which requests over HTTP were not looked for.
    #[serde(default, skip_serializing_if = "UnfollowedActions::is_none")]
    pub unfollowed_actions: UnfollowedActions,
    /// How many routes that lead to what changed were looked for in requests.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_routes: usize,
}

/// A member that uses most of what a type held already, or what goes with a new member, and nothing of what the type newly
/// holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaggingUser {
    /// Canonical name of the type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The names of its new properties and fields, in canonical order.
    pub lacks: Vec<String>,
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the first use.
    pub line: u32,
    /// Documentation id of the member.
    pub inside: Option<String>,
    /// How many of the other properties and fields it uses.
    pub n_used: usize,
    /// How many there are.
    pub n_others: usize,
    /// The property or field that it uses and that goes with the first new one: what uses that mostly uses this, and few
    /// others do. `None` where it uses most of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
}

/// What changed code newly sets and other code that does the same does not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsetMember {
    /// Canonical name of the type that has the properties and fields.
    #[serde(rename = "type")]
    pub ty: String,
    /// The names of those that are newly set.
    pub members: Vec<String>,
    /// Documentation ids of the changed members that set them.
    pub by: Vec<String>,
    /// The names of those that these set as well and few others do.
    pub beside: Vec<String>,
    /// Where unchanged members set most of these first, by path and line.
    pub places: Vec<CodePlace>,
}

/// A type or member whose last use in product code is gone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoLongerUsed {
    /// Its documentation id.
    pub doc_id: String,
    /// Canonical name of the type that it is or belongs to.
    #[serde(rename = "type")]
    pub ty: String,
    /// The member's simple name; `None` for the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The file that declares it; the first one of a type.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of its declaration.
    pub line: u32,
    /// Whether constructors of its type still assign it, and nothing reads it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_assigned: bool,
    /// Where the product overrides or implements it, by path and line: nothing calls that through it any longer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implemented_by: Vec<CodePlace>,
    /// How many uses tests have of it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_test_uses: usize,
}

/// A property or field that changed code gives a value or no longer gives one, or a constant that it names, with the
/// unchanged code that has to do with it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenData {
    /// Its documentation id.
    pub doc_id: String,
    /// Canonical name of the type that it belongs to.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its simple name.
    pub member: String,
    /// Documentation id of the changed member that assigns or names it, or did so.
    pub by: String,
    /// What that member does with it.
    pub change: DataChange,
    /// Whether `readers` has the places alone where something is compared with a constant, which much more code names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_comparisons: bool,
    /// Where else the product assigns it, by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writers: Vec<CodePlace>,
    /// Where the product reads it, by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<CodePlace>,
    /// Other members of its type that read it, and who asks these; by documentation id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_through: Vec<ReadThrough>,
}

/// A member that reads another one of its type, and who uses it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadThrough {
    /// Its documentation id.
    pub doc_id: String,
    /// Where other types of the product use it, by path and line.
    pub places: Vec<CodePlace>,
}

impl DataChange {
    /// Whether it is told of methods.
    pub fn is_of_methods(self) -> bool {
        matches!(self, Self::Called | Self::NoLongerCalled)
    }

    /// Whether it is told of constants and values of enums.
    pub fn is_of_constants(self) -> bool {
        matches!(self, Self::Named | Self::NoLongerNamed | Self::StillNamed)
    }

    /// Whether it is told of members as well that are gone: what these called says nothing of who else calls it.
    pub fn is_told_of_gone(self) -> bool {
        matches!(self, Self::NoLongerWritten | Self::NoLongerNamed)
    }
}

/// A service of a framework or a package that a call with changed lines registers or configures.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutsideService {
    /// Its simple name.
    pub service: String,
    /// The name of the call.
    pub call: String,
    /// Where the call is.
    pub at: CodePlace,
    /// Where types of the product take the service, one place for each file: in a constructor if one does, else in a field
    /// or property.
    pub taken_at: Vec<CodePlace>,
    /// Where unchanged code of the product makes the same call, by path and line; nothing where more than four places do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_called_at: Vec<CodePlace>,
}

/// A comparison on changed lines that unchanged code of the same folder makes as well.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedCondition {
    /// As a changed line has it: `send.UserId != userId`.
    pub condition: String,
    /// Documentation id of the changed member.
    pub by: String,
    /// The same comparison, equal or not, in unchanged members of the product, by path and line; the object may have another
    /// name there.
    pub places: Vec<CodePlace>,
}

/// A statement that came into changed code or went from it, with unchanged code that is written like it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopiedCode {
    /// The statement, or the head of one (`if (order.IsOpen)`), in one line; how it begins where it is long.
    pub code: String,
    /// What the change does with it.
    pub change: CopyChange,
    /// What the member puts into a statement that is otherwise the same ([`CopyChange::Extended`]); how it begins where it
    /// is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inserted: Option<String>,
    /// Documentation id of the changed member.
    pub by: String,
    /// Unchanged members of the product, by path and line: where they have the statement, or, of a new one, the statement in
    /// front of it, and not the new one behind that. Variables, parameters and fields may have other names there.
    pub places: Vec<CodePlace>,
}

/// What a change does with a statement that unchanged code is compared with.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum CopyChange {
    /// It takes the statement away, or replaces it.
    Gone,
    /// It adds the statement.
    Added,
    /// It puts something into the statement, which is otherwise the same.
    Extended,
}

/// Unchanged code that names what changed code names, where few others do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counterpart {
    /// Documentation ids of what both name.
    pub shared: Vec<String>,
    /// Documentation ids of what changed code newly names within eight lines of that, and this code does not; empty where
    /// the same members are called by code that is new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adds: Vec<String>,
    /// Documentation ids of the changed members.
    pub by: Vec<String>,
    /// How many other unchanged members have what this code lacks.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_with: usize,
    /// The code, by path and line: where each member first names what both do.
    pub places: Vec<CodePlace>,
}

/// Code that asks for a type (`is`, `switch`, `catch`, `as`, a cast, `typeof`) which objects of a changed type newly are, or are
/// no longer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeTest {
    /// Canonical name of the changed type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Canonical name of the type that is asked for.
    pub base: String,
    /// Whether the changed type derives from it now (`added`), or did (`removed`).
    pub what: What,
    /// The code, by path and line.
    pub places: Vec<CodePlace>,
}

/// Unchanged files in other languages that are called like a changed type: what it is shown with, or reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilesOfName {
    /// Canonical name of the type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The files, by path.
    pub files: Vec<RepoPath>,
}

/// A new member with an unchanged one that it is written like.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NearCopy {
    /// Documentation id of the new member.
    pub doc_id: String,
    /// How much of both is the same, from 60 to 100.
    pub percent: usize,
    /// Where the unchanged one begins.
    pub place: CodePlace,
}

/// A member of a base that came or went, with what that leaves of unchanged members below.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InheritedMember {
    /// Its documentation id.
    pub doc_id: String,
    /// Whether it is new, and is hidden by others, or gone, and others were for it.
    pub what: What,
    /// The others, by path and line.
    pub places: Vec<CodePlace>,
}

/// A text for people beside changed code that has names from changed lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NearbyDocumentation {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// Its first lines that have one, four at most.
    pub lines: Vec<NamedLine>,
    /// How many lines have one.
    pub n_lines: usize,
}

/// A line of a text that has a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedLine {
    /// Its number, from 1.
    pub line: u32,
    /// The longest of the names in it.
    pub name: String,
}

/// A text that a change adds or takes away in some places, with the others that have it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftValue {
    /// What it says, with `{}` for each part that is put in.
    pub value: String,
    /// What it is.
    pub kind: TextKind,
    /// What the change does with it.
    pub change: ValueChange,
    /// The lines of unchanged code and of texts in other languages that have it, by path and line.
    pub places: Vec<CodePlace>,
}

/// A type with the code that reads its objects.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deserialized {
    /// Canonical name of the type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The code, by path and line.
    pub places: Vec<CodePlace>,
}

/// A property with the SQL that names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// Its documentation id.
    pub doc_id: String,
    /// The first line of each file, by path.
    pub places: Vec<CodePlace>,
}

/// A view of Razor, and what shows it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownView {
    /// The view.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The actions that show it by their names, then the lines of other views that name it.
    pub shown_by: Vec<MentionPlace>,
}

/// A changed type that unchanged code hands to a framework, which calls its members.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandedType {
    /// How it is handed over.
    pub how: HandedHow,
    /// Canonical name of the type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The simple name of the method that is called.
    pub call: String,
    /// The calls, by path and line.
    pub places: Vec<CodePlace>,
}

/// How a type is handed to a framework.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum HandedHow {
    /// As a type argument: `JobBuilder.Create<Job>()`.
    TypeArgument,
    /// With all types of its assembly: `ApplyConfigurationsFromAssembly(typeof(Context).Assembly)`.
    Assembly,
}

/// A string of C# that names a routine of a database.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedProcedure {
    /// The routine, without its schema, as the SQL writes it.
    pub name: String,
    /// The file that names it.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the string.
    pub line: u32,
    /// Documentation id of the member or type around it.
    pub inside: Option<String>,
    /// Where product code calls that member for the object of the routine, where the member is one of a generic type and
    /// names those of many objects (`{Table}_Create`); by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<CodePlace>,
    /// Where product code calls other members of the generic type for that object, which call that member and may run it;
    /// by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers_of_callers: Vec<CodePlace>,
    /// Documentation ids of the members of product code that override or implement what that member does, name none of the
    /// routines and did not change, such as the same query by another library.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<String>,
}

/// A routine of a database that a member names in a string.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedRoutine {
    /// Documentation id of the member.
    pub member: String,
    /// The routine, without its schema, as the SQL writes it.
    pub name: String,
    /// The file that is called like it and defines it.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the statement.
    pub line: u32,
}

/// A line of code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodePlace {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// Documentation id of the member around it.
    pub inside: Option<String>,
}

/// A name that resolved to a type or member on the older side, and resolves to nothing on the newer one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LostName {
    /// The name as it is written.
    pub name: String,
    /// Documentation id of what it resolved to.
    pub was: String,
    /// Where it is written, by path and position.
    pub places: Vec<LostPlace>,
}

/// A place of a name that resolves to nothing any longer, on the newer side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LostPlace {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The position of the name.
    #[serde(flatten)]
    pub at: LineColumn,
    /// The first project in which it does not resolve.
    pub project: RepoPath,
    /// Whether that is a test project.
    pub is_test: bool,
    /// The line's text, trimmed.
    pub text: String,
}

/// Actions of controllers to which requests over HTTP are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnfollowedActions {
    /// How many were found: no attribute gives them a route.
    pub n: usize,
    /// Whether there may be more: what very much uses was not followed.
    pub has_more: bool,
}

impl UnfollowedActions {
    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A line outside of C# that has the name of a symbol.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MentionPlace {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line.
    pub line: u32,
}

/// A changed type or member and who uses it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SymbolImpact {
    /// Its documentation id, on the side of its uses.
    #[serde(rename = "docId")]
    pub id: String,
    /// Canonical name of the type that it is or belongs to.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its simple name; `None` for the type itself.
    pub member: Option<String>,
    /// What happened to it.
    pub change: MemberChangeKind,
    /// Which snapshot its uses are of.
    pub side: UseSide,
    /// Documentation ids of members that override or implement it, sorted.
    pub implemented_by: Vec<String>,
    /// Documentation ids of members that override or implement what it does, and did not change; product before
    /// tests, then sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<String>,
    /// The routines of a database that these name and that did not change, by member and name: they do what the symbol does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sibling_routines: Vec<NamedRoutine>,
    /// Documentation id of the member of a base or interface from outside of the repository that it overrides or
    /// implements: what is outside may call it through that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called_through: Option<String>,
    /// How many uses there are.
    pub n_uses: usize,
    /// How often its name stands in files that are not C#, where it was looked for: of what is gone, has another
    /// signature, or has no uses. A name there may mean something else.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_mentions: usize,
    /// Where these are, where they are few; by file and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<MentionPlace>,
    /// Its uses: those in types that are gone last, product before tests, proven before possible, by path and position. A file that several
    /// projects compile has its uses once for each. All of them, unless fewer were asked for.
    pub uses: Vec<LineUse>,
    /// The uses that are not among `uses`, by file: product before tests, most uses first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<RestOfFile>,
}

/// How many uses of a symbol in a file are counted and not listed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestOfFile {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// Whether a test project compiles it.
    pub is_test: bool,
    /// How many uses.
    pub n_uses: usize,
}

/// A member that uses a direct user of what changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextUser {
    /// Its documentation id.
    #[serde(rename = "docId")]
    pub id: String,
    /// The documentation id of the member which it uses, that uses what changed or one that does.
    pub through: String,
    /// How often it does.
    pub n_uses: usize,
    /// The documentation id of the member that it names instead, where that is a contract of many types: it may run another
    /// implementation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
}

/// A changed type that is registered for dependency injection.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    /// Documentation id of the type.
    #[serde(rename = "docId")]
    pub id: String,
    /// Its canonical name.
    #[serde(rename = "type")]
    pub ty: String,
    /// Documentation id of what it is registered as, where that is another type of the repository.
    pub service: Option<String>,
    /// The place of the type's name in the registration.
    pub at: LineUse,
    /// Parameters of constructors that take the service: they may be given the type.
    pub consumers: Vec<LineUse>,
    /// Of a registration that the change brings: the other classes of the product that are of the service's type, where
    /// these are at most six, by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherImplementation>,
}

/// A class that may be registered for a service as another one is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherImplementation {
    /// Its declaration.
    #[serde(flatten)]
    pub at: CodePlace,
    /// Where it is registered for that service, by path and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registered: Vec<CodePlace>,
}

/// A side of a range.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum UseSide {
    /// The older one: of what was removed.
    Old,
    /// The newer one.
    New,
}

/// A type that a change reaches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImpactedType {
    /// The type.
    #[serde(rename = "type")]
    pub ty: TypeRef,
    /// Steps from a changed type.
    pub distance: u32,
    /// The changed type, or the type one step nearer, that it depends on.
    pub via: String,
    /// Why it depends on that.
    pub kinds: Vec<EdgeKind>,
    /// The project that compiles it.
    pub project: RepoPath,
    /// Whether that is a test project.
    pub is_test: bool,
    /// How many uses of changed symbols stand in it; see [`SymbolImpact::uses`].
    pub n_uses: usize,
    /// The structural change that reaches it; none where only public behavior changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propagated: Option<Propagated>,
}

/// A place that uses a changed symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineUse {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The position of the name, or of the token that stands for the use.
    #[serde(flatten)]
    pub at: LineColumn,
    /// The project that compiles the file.
    pub project: RepoPath,
    /// Whether that is a test project.
    pub is_test: bool,
    /// Documentation id of the member or type around it.
    pub inside: Option<String>,
    /// What the place does.
    pub role: Role,
    /// How sure.
    pub certainty: Certainty,
    /// How it leads to the changed symbol, where it does not name it itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The line's text, trimmed.
    pub text: String,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// What a place names that leads to a changed symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Via {
    /// The documentation id of what the place does mean: that is certain.
    pub to: String,
    /// How the changed symbol stands to it.
    pub relation: ViaRelation,
}

/// How a changed symbol stands to what a place names.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ViaRelation {
    /// It implements it.
    Interface,
    /// It overrides it.
    Override,
    /// It is registered as it for dependency injection.
    Registration,
    /// It is private and runs when that does, which its type declares.
    Caller,
    /// It handles what is of that type: a requirement, request, message or event that a framework hands to it.
    Handler,
    /// That member reads what its type declares by reflection, or the place does that is in it.
    Reflection,
    /// It is a new value of an enum of which that is another: code that tells these apart does not name the new one.
    Branch,
    /// It handles requests to that route, verb and template: the action that the symbol is or that uses it.
    Route,
    /// A framework runs it for declarations with an attribute of that type, which declares it.
    Attribute,
    /// It is a property or field that starts with another value in the objects which that constructor makes.
    Creation,
    /// It is a static class that has another name, and declares that method, which is called as an extension or by name.
    Member,
}
