//! Unchanged code that does what changed code does.

use cortex_check::{Repository, Service, json};

const FIXTURE: &str = "
//- /A.cs project:App
public enum Event { Revoked, Restored }
public class Token { public bool Valid => Own > 0; public int Own { get; set; } }
public interface ITokens { Token Read(string s); void Log(Event e); }
public interface IPush { void Send(int id); void Wake(int id); }
public class Changed {
    ITokens tokens; IPush push;
    void Push(Token t) => push.Send(t.Own);
    public bool Put(string s) => tokens.Read(s) != null;
    public bool Delete(string s) => tokens.Read(s) is { } t;
    public void Revoke() { tokens.Log(Event.Revoked); }
    public void Calls() => Delete(\"\");
    public Event Again() => Event.Revoked;
}
//- /B.cs project:App
public class Others {
    ITokens tokens; IPush push;
    public bool Checked(string s) => tokens.Read(s).Valid;
    public Token Unchecked(string s) => tokens.Read(s);
    public Token Through(Changed c, string s) => c.Put(s) ? tokens.Read(s) : null;
    public bool Own(string s) => tokens.Read(s).Own == 1;
    public Event Revoked() => Event.Revoked;
    public void Both(int id) { push.Send(id); push.Wake(id); }
}
//- /T.cs project:Tests refs:App packages:xunit
public class Tests { [Xunit.Fact] public void T(ITokens t, IPush p) { t.Read(\"\"); p.Send(1); p.Wake(2); } }
";

/// What is told where the lines of the fixture are edited: what is newly used beside what in which members, how many
/// others have it, and who has not.
fn told(edits: &[[&str; 2]]) -> Vec<String> {
    let mut after = FIXTURE.to_owned();
    for [from, to] in edits {
        assert!(after.contains(from), "{from}");
        after = after.replace(from, to);
    }
    let answer = Repository::history(&[FIXTURE, &after]).diff_context();
    let names = |ids: &[String]| -> String {
        let short = ids.iter().map(|id| id[2..].split('(').next().unwrap_or(id));
        short.collect::<Vec<_>>().join(" ")
    };
    let told = answer.impact.counterparts.iter().map(|it| {
        let places = it.places.iter().map(|place| {
            let inside: Vec<String> = place.inside.iter().cloned().collect();
            format!("{}:{}", names(&inside), place.line)
        });
        let places: Vec<String> = places.collect();
        format!(
            "{} [{}] in {} ({}): {}",
            names(&it.shared),
            names(&it.adds),
            names(&it.by),
            it.n_with,
            places.join(", ")
        )
    });
    told.collect()
}

const PUT: [&str; 2] = ["Read(s) != null", "Read(s)?.Valid == true"];
const DELETE: [&str; 2] = ["is { } t;", "is { } t && t.Valid;"];

#[test]
fn code_without_the_step_that_changed_members_newly_take_is_told() {
    assert_eq!(
        told(&[PUT, DELETE]),
        [
            "ITokens.Read [Token.Valid] in Changed.Delete Changed.Put (1): Others.Unchecked:4, Others.Own:6"
        ]
    );
}

#[test]
fn a_step_of_one_member_is_told_where_others_take_it_and_few_do_not() {
    assert_eq!(
        told(&[PUT]),
        [
            "ITokens.Read [Token.Valid] in Changed.Put (1): Changed.Delete:9, Others.Unchecked:4, Others.Own:6"
        ]
    );
    // No others take it, and more than four read tokens.
    assert_eq!(
        told(&[PUT, ["Read(s).Valid;", "Read(s) == null;"]]),
        [""; 0]
    );
}

#[test]
fn what_an_object_holds_is_no_step_and_neither_is_a_value_of_the_same_enum() {
    assert_eq!(told(&[["Read(s) != null", "Read(s)?.Own == 1"]]), [""; 0]);
    let log = "tokens.Log(Event.Revoked);";
    let two = "tokens.Log(Event.Revoked); tokens.Log(Event.Restored);";
    assert_eq!(told(&[[log, two]]), [""; 0]);
    // One member is no rule for all that name a value, two are.
    let pushed = "tokens.Log(Event.Revoked); push.Wake(1);";
    assert_eq!(told(&[[log, pushed]]), [""; 0]);
    let again = "public Event Again() => Event.Revoked;";
    let both = "public Event Again() { push.Wake(1); return Event.Revoked; }";
    assert_eq!(
        told(&[[log, pushed], [again, both]]),
        ["Event.Revoked [IPush.Wake] in Changed.Again Changed.Revoke (0): Others.Revoked:7"]
    );
}

#[test]
fn another_overload_of_what_was_named_is_nothing_new() {
    let before = FIXTURE
        .replace(
            "void Send(int id);",
            "void Send(int id); void Send(int id, int n);",
        )
        .replace(
            "=> push.Send(t.Own);",
            "{ push.Wake(1); push.Send(t.Own); }",
        );
    let rows = |after: &str| {
        let answer = Repository::history(&[&before, after]).diff_context();
        answer.impact.counterparts.len()
    };
    let overload = before.replace("push.Send(t.Own); }", "push.Send(t.Own, 2); }");
    assert_eq!(rows(&overload), 0);
    let step = before.replace("push.Send(t.Own); }", "tokens.Log(Event.Restored); }");
    assert_eq!(rows(&step), 1);
}

#[test]
fn what_a_type_alone_sees_is_missed_in_it_alone() {
    let note = [
        "    void Push(Token t) => push.Send(t.Own);",
        "    void Note() { }\n    void Push(Token t) { Note(); push.Send(t.Own); }",
    ];
    // `Others.Both` cannot note.
    assert_eq!(told(&[note]), [""; 0]);
}

#[test]
fn code_that_uses_what_new_code_uses_together_is_told() {
    let new = "public void Calls() => Delete(\"\");\n    public void New(int id) { push.Wake(id); push.Send(id); }";
    assert_eq!(
        told(&[["public void Calls() => Delete(\"\");", new]]),
        ["IPush.Send IPush.Wake [] in Changed.New (0): Others.Both:8"]
    );
    // One of them alone says nothing.
    let one = new.replace("push.Send(id);", "");
    assert_eq!(
        told(&[["public void Calls() => Delete(\"\");", &one]]),
        [""; 0]
    );
}

#[test]
fn a_row_says_what_is_newly_used_beside_what_and_where_not() {
    let world = Service::parse(FIXTURE);
    for [old, new] in [PUT, DELETE] {
        world.edit("A.cs", old, new);
    }
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let row = "\nToken.Valid newly used beside ITokens.Read in Changed.Delete, Changed.Put, as another member did; not in: B.cs:4 in Unchecked, :6 in Own\n";
    assert!(text.contains(row), "{text}");
}

/// The members that are told, between two texts.
fn members_with(before: &str, after: &str) -> Vec<String> {
    let told = Repository::history(&[before, after]).diff_context();
    let told = told.impact.counterparts.into_iter();
    let places = told.flat_map(|it| it.places);
    places.filter_map(|it| it.inside).collect()
}

/// A service with a contract, and code that calls it by that.
const SERVICE: &str = "
//- /A.cs project:App
public static class Store { public static void Put(int id) { } public static void Log(int id) { } }
public interface IOrders { void Check(int id); void Save(int id); void Share(int id); }
public class Orders : IOrders {
    public void Check(int id) { }
    public void Save(int id) { Valid(id); Store.Put(id); }
    public void Share(int id) { Valid(id); }
    void Valid(int id) { }
}
//- /B.cs project:App
public class Others {
    IOrders orders;
    public void Alone(int id) => Store.Put(id);
    public void Through(int id) { orders.Save(id); Store.Put(id); }
    public void Checked(int id) { orders.Check(id); Store.Put(id); }
}
";

#[test]
fn who_runs_a_step_by_its_contract_has_it_and_what_its_type_calls_is_nearest() {
    let after = SERVICE.replace("{ Valid(id); Store", "{ Valid(id); Check(id); Store");
    let answer = Repository::history(&[SERVICE, &after]).diff_context();
    let told = answer.impact.counterparts.iter().map(|it| {
        let inside = it.places.iter().filter_map(|it| it.inside.as_deref());
        (it.shared.join(" "), inside.collect::<Vec<_>>())
    });
    let nearest = vec!["M:Orders.Share(System.Int32)"];
    let told: Vec<_> = told.collect();
    assert_eq!(told, [("M:Orders.Valid(System.Int32)".to_owned(), nearest)]);
    // Of what others have as well, who calls the step or the changed member lacks nothing.
    let [before, after] = [SERVICE, &after].map(|it| {
        it.replace("Valid(id); ", "")
            .replace("void Valid(int id) { }", "")
    });
    let inside = members_with(&before, &after);
    assert_eq!(inside, ["M:Others.Alone(System.Int32)"]);
}

#[test]
fn what_is_asked_before_a_step_is_told_where_others_ask_it_and_few_do_not() {
    let fixture = "
//- /A.cs project:App
public class Settings { public bool IsOwn { get; set; } public int Size { get; set; } }
public static class Seats { public static void Scale() { } }
//- /B.cs project:App
public class Changed { Settings s; public void Go() { Seats.Scale(); } }
//- /C.cs project:App
public class Asks { Settings s; public void Go() { if (!s.IsOwn && s.Size > 0) Seats.Scale(); } }
public class Goes { Settings s; public void Go() { Seats.Scale(); } }
";
    let told = |guard: &str, fixture: &str| {
        let after = fixture.replacen(
            "{ Seats.Scale(); }",
            &format!("{{ {guard} Seats.Scale(); }}"),
            1,
        );
        members_with(fixture, &after)
    };
    assert_eq!(told("if (!s.IsOwn)", fixture), ["M:Goes.Go"]);
    // What an object holds decides nothing, and what nobody else asks is no rule.
    assert_eq!(told("if (s.Size == 0)", fixture), [""; 0]);
    let alone = fixture.replace("!s.IsOwn && ", "");
    assert_eq!(told("if (!s.IsOwn)", &alone), [""; 0]);
}

#[test]
fn a_type_that_calls_what_the_members_of_another_newly_call_is_told() {
    let fixture = "
//- /A.cs project:App
public static class Mail { public static void Confirm() { } }
public static class Push { public static void Register() { } }
public static class Seats { public static void Take() { } }
//- /B.cs project:App
public class Confirms { public void Go() { Save(); Mail.Confirm(); } void Save() { Push.Register(); } public void Last() => Seats.Take(); }
public class Mails { public void Go() { Mail.Confirm(); } }
//- /C.cs project:App
public class Automatic { }
";
    let told = |code: &str| {
        let after = fixture.replace(
            "class Automatic { }",
            &format!("class Automatic {{ {code} }}"),
        );
        members_with(fixture, &after)
    };
    let all = "public void Run() { Mail.Confirm(); } void Save() { Push.Register(); } void End() { Seats.Take(); }";
    assert_eq!(
        told(all),
        ["M:Confirms.Go", "M:Confirms.Last", "M:Confirms.Save"]
    );
    let two = "public void Run() { Mail.Confirm(); } void Save() { Push.Register(); }";
    assert_eq!(told(two), [""; 0]);
}
