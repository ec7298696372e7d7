//! The daemon, as its clients see it: frames with `Content-Length`, and commands that ask it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::harness::World;

/// A connection in the way of StreamJsonRpc and of language servers.
struct Wire<R, W> {
    input: BufReader<R>,
    output: W,
    /// What came without being asked for.
    others: Vec<Value>,
}

impl<R: Read, W: Write> Wire<R, W> {
    fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            output,
            others: Vec::new(),
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.output, "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{body}", body.len())
            .and_then(|()| self.output.flush())
            .expect("the daemon reads");
    }

    fn receive(&mut self) -> Option<Value> {
        let mut n_bytes = 0;
        loop {
            let mut line = String::new();
            if self.input.read_line(&mut line).expect("the daemon writes") == 0 {
                return None;
            }
            if line.trim().is_empty() {
                break;
            }
            if let Some(number) = line.trim().strip_prefix("Content-Length: ") {
                n_bytes = number.parse().expect("it is a number");
            }
        }
        let mut body = vec![0; n_bytes];
        self.input.read_exact(&mut body).expect("a frame is whole");
        Some(serde_json::from_slice(&body).expect("messages are JSON"))
    }

    fn reply(&mut self, id: &Value) -> Value {
        loop {
            let message = self.receive().expect("there is a reply");
            if message["id"] == *id {
                return message;
            }
            self.others.push(message);
        }
    }

    fn ask(&mut self, id: Value, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.reply(&id)
    }
}

type StdioWire = Wire<std::process::ChildStdout, std::process::ChildStdin>;

/// A process that ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A daemon over standard input and output.
fn stdio(world: &World) -> (Served, StdioWire) {
    let mut child = world
        .command(&["daemon", "stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let input = child.stdout.take().expect("it is a pipe");
    let output = child.stdin.take().expect("it is a pipe");
    (Served(child), Wire::new(input, output))
}

#[test]
fn methods_answer_under_both_names_and_any_id() {
    let world = World::demo();
    let (_served, mut wire) = stdio(&world);
    let ids = [
        json!(1),
        json!(9_007_199_254_740_993_u64),
        json!(-5),
        json!("a \"b\""),
    ];
    let request = json!({"symbol": "FiringQueue"});
    let mut answers = Vec::new();
    for (id, method, params) in [
        (&ids[0], "ResolveSymbol", request.clone()),
        (&ids[1], "resolve", json!([request])),
        (
            &ids[2],
            "resolve",
            json!([request, {"timeoutMillis": 60_000}]),
        ),
        (
            &ids[3],
            "resolve",
            json!({"symbol": "FiringQueue", "$context": {"timeoutMillis": 60_000}}),
        ),
    ] {
        let reply = wire.ask(id.clone(), method, params);
        assert!(reply["result"]["answer"].is_object(), "{reply}");
        answers.push(reply["result"].clone());
    }
    assert!(answers.iter().all(|it| *it == answers[0]));
    let hello = wire.ask(json!(5), "Hello", json!({"protocols": [1, 2]}));
    assert_eq!(hello["result"]["protocol"], 1, "{hello}");
    let hello = wire.ask(json!(6), "Hello", json!({"protocols": [99]}));
    assert!(hello["error"]["message"].is_string(), "{hello}");
}

#[test]
fn errors_have_codes_and_the_way_out() {
    let world = World::demo();
    let (_served, mut wire) = stdio(&world);
    for (method, params, code, word) in [
        ("rm", json!({}), -32601, "no method"),
        ("usages", json!({"symbl": "A"}), -32602, "symbl"),
        ("usages", json!("A"), -32602, "an object"),
        ("usages", json!({"symbol": "Xyzzy.Plugh"}), -32000, "Xyzzy"),
    ] {
        let reply = wire.ask(json!(1), method, params);
        assert_eq!(reply["error"]["code"], code, "{reply}");
        assert!(
            reply["error"]["message"]
                .as_str()
                .is_some_and(|it| it.contains(word)),
            "{reply}"
        );
    }
    let reply = wire.ask(json!(2), "usages", json!({"symbol": "Xyzzy.Plugh"}));
    assert_eq!(reply["error"]["data"]["code"], "SymbolNotFound", "{reply}");
}

#[test]
fn a_canceled_request_has_exactly_one_reply() {
    let world = World::demo();
    let (_served, mut wire) = stdio(&world);
    wire.send(
        &json!({"jsonrpc": "2.0", "id": 7, "method": "index", "params": {"history": "HEAD"}}),
    );
    wire.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 7}}));
    let reply = wire.reply(&json!(7));
    // It may have been answered before it was canceled.
    assert!(
        reply["error"]["code"] == -32800 || reply["result"].is_object(),
        "{reply}"
    );
    let next = wire.ask(json!(7), "resolve", json!({"symbol": "FiringQueue"}));
    assert!(next["result"].is_object(), "{next}");
    assert!(
        wire.others.iter().all(|it| it.get("id").is_none()),
        "{:?}",
        wire.others
    );
}

#[test]
fn progress_is_notified_under_the_token_of_the_caller() {
    let world = World::demo();
    let (_served, mut wire) = stdio(&world);
    let params = json!({"$context": {"progressToken": {"any": 1}}});
    let reply = wire.ask(json!(1), "map", params);
    assert!(reply["result"].is_object(), "{reply}");
    let progress = wire.others.iter().filter(|it| it["method"] == "$/progress");
    let tokens: Vec<_> = progress.map(|it| it["params"]["token"].clone()).collect();
    assert!(!tokens.is_empty() && tokens.iter().all(|it| *it == json!({"any": 1})));
}

#[test]
fn the_states_of_an_edit_are_streamed_and_resumed() {
    let world = World::demo();
    let (_served, mut wire) = stdio(&world);
    let plan = wire.ask(
        json!(1),
        "edit-rename",
        json!({"symbol": "FiringQueue", "to": "FiringLine"}),
    );
    let op = plan["result"]["answer"]["op"].clone();
    let reply = wire.ask(json!(2), "StreamOp", json!({"op": op, "onlyKnown": true}));
    assert!(reply["result"]["answer"].is_object(), "{reply}");
    let events = |wire: &StdioWire| {
        let events = wire
            .others
            .iter()
            .filter(|it| it["method"] == "StreamOp/event");
        events
            .map(|it| it["params"]["event"].clone())
            .collect::<Vec<_>>()
    };
    let n_known = events(&wire).len();
    assert!(n_known > 0);
    wire.others.clear();
    // Behind the last one, what comes is what happens now.
    wire.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "StreamOp", "params": {"op": op, "after": n_known}}));
    world.answer(&[
        "review",
        op.as_str().expect("it is text"),
        "--reject",
        "--message",
        "no",
    ]);
    let reply = wire.reply(&json!(3));
    assert_eq!(reply["result"]["answer"]["state"], "rejected", "{reply}");
    assert_eq!(events(&wire), [json!(n_known + 1)]);
}

#[test]
fn what_is_no_message_is_answered_and_what_is_no_frame_ends_its_connection_alone() {
    let world = World::demo();
    let (_served, mut wire) = stdio(&world);
    for (text, code) in [
        ("{", -32700),
        ("[]", -32600),
        (r#"{"jsonrpc": "1.0", "id": 1, "method": "map"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1.5, "method": "map"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1}"#, -32600),
    ] {
        write!(wire.output, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
        let reply = wire.receive().expect("there is a reply");
        assert_eq!(reply["error"]["code"], code, "{text}: {reply}");
    }
    let fine = wire.ask(json!(2), "resolve", json!({"symbol": "FiringQueue"}));
    assert!(fine["result"].is_object(), "{fine}");
    write!(wire.output, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
    let reply = wire.receive().expect("there is a reply");
    assert_eq!(reply["error"]["code"], -32700, "{reply}");
    assert!(wire.receive().is_none(), "the connection ends");
}

/// A daemon at the socket of a repository.
#[cfg(unix)]
struct Running<'w>(&'w World);

#[cfg(unix)]
impl<'w> Running<'w> {
    fn new(world: &'w World) -> Self {
        let said = world.answer(&["daemon", "start", "--idle", "120"]);
        assert!(said.contains("started a daemon"), "{said}");
        Self(world)
    }
}

#[cfg(unix)]
impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.run(&["daemon", "stop"]);
    }
}

#[cfg(unix)]
fn socket(world: &World) -> std::path::PathBuf {
    let text = world.answer(&["daemon", "status"]);
    let line = text.lines().find_map(|line| line.strip_prefix("at "));
    line.expect("it says where").into()
}

#[cfg(unix)]
#[test]
fn commands_print_the_same_with_a_daemon_and_without() {
    let world = World::demo();
    let commands: &[&[&str]] = &[
        &["diff-context", "HEAD~3..HEAD"],
        &["map", "--limit", "5"],
        &["outline", "FiringQueue"],
        &["usages", "FiringQueue", "--format", "json"],
        &["search", "symbols", "FQ"],
        &["search", "text", "queue", "-i", "--limit", "3"],
        &["api", "HEAD~5..HEAD"],
        &["tests", "HEAD~1"],
        &["resolve", "Xyzzy.Plugh"],
        &["deps", "FiringQueue"],
    ];
    let run = |world: &World| {
        let outputs = commands.iter().map(|command| world.run(command));
        outputs
            .map(|it| (it.status.code(), it.stdout, it.stderr))
            .collect::<Vec<_>>()
    };
    run(&world);
    let without = run(&world);
    let _running = Running::new(&world);
    let with = run(&world);
    for ((command, without), with) in commands.iter().zip(&without).zip(&with) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(without.0, with.0, "{command:?}");
        assert_eq!(text(&without.1), text(&with.1), "{command:?}");
        assert_eq!(text(&without.2), text(&with.2), "{command:?}");
    }
    let status = world.answer(&["daemon", "status"]);
    assert!(!status.contains("answered 0 requests"), "{status}");
}

#[cfg(unix)]
#[test]
fn an_answer_is_of_the_files_as_they_are() {
    let world = World::demo();
    let _running = Running::new(&world);
    let file = world.git(&["ls-files", "*FiringQueue.cs"]);
    let file = file.lines().next().expect("the file exists").to_owned();
    let original = world.read(&file);
    let end = original.rfind('}').expect("it is a class");
    let outline = || world.answer(&["outline", "FiringQueue", "--members", "all"]);
    outline();
    for n in 0..4 {
        let member = format!("Added{n}");
        world.write(
            &file,
            format!(
                "{}\n    int {member};\n{}",
                &original[..end],
                &original[end..]
            ),
        );
        assert!(outline().contains(&member), "after an edit");
        world.write("src/Other/New.cs", format!("class New{n} {{}}"));
        world.answer(&["resolve", &format!("New{n}")]);
        std::fs::remove_dir_all(world.path().join("src/Other")).expect("it is there");
        assert!(
            !world.run(&["resolve", &format!("New{n}")]).status.success(),
            "after it is gone"
        );
        match n {
            0 => world.commit("Add a member"),
            1 => drop(world.git(&["switch", "--quiet", "--create", "other"])),
            2 => drop(world.git(&["stash", "--quiet"])),
            _ => drop(world.git(&["reset", "--quiet", "--hard", "HEAD"])),
        }
        let env = ["outline", "FiringQueue", "--members", "all"];
        let alone = world.command(&env).env("GIT_CORTEX_DAEMON", "off").output();
        let alone = alone.expect("the command can be started").stdout;
        assert_eq!(outline(), String::from_utf8_lossy(&alone), "after git, {n}");
    }
}

#[cfg(unix)]
#[test]
fn one_daemon_serves_a_repository_and_hostile_clients_harm_no_other() {
    use std::os::unix::{fs::PermissionsExt, net::UnixStream};
    let world = World::demo();
    let _running = Running::new(&world);
    let again = world.answer(&["daemon", "start"]);
    assert!(again.contains("runs already"), "{again}");
    let second = world.run(&["daemon", "start", "--foreground"]);
    assert_eq!(second.status.code(), Some(3), "the place is taken");

    let socket = socket(&world);
    let mode = std::fs::metadata(&socket)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let connect = || UnixStream::connect(&socket).expect("it listens");
    // Half a frame and silence, a header without end, and many who say nothing.
    let mut silent = connect();
    silent
        .write_all(b"Content-Length: 1000\r\n\r\n{")
        .expect("it is sent");
    let mut endless = connect();
    let _ = endless.write_all(&vec![b'a'; 1 << 20]);
    let crowd: Vec<UnixStream> = (0..200).map(|_| connect()).collect();
    let stream = connect();
    let mut wire = Wire::new(stream.try_clone().expect("it can be cloned"), stream);
    let begin = Instant::now();
    let fine = wire.ask(json!(1), "resolve", json!({"symbol": "FiringQueue"}));
    assert!(fine["result"].is_object(), "{fine}");
    assert!(begin.elapsed() < Duration::from_secs(20));
    drop((silent, endless, crowd));

    // A folder of another repository is refused.
    let other = World::demo();
    let context = json!({"folder": other.path()});
    let refused = wire.ask(json!(2), "map", json!({"$context": context}));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[cfg(unix)]
#[test]
fn a_daemon_ends_when_it_is_told_to_or_has_nothing_to_do() {
    let world = World::demo();
    let said = world.answer(&["daemon", "start"]);
    assert!(said.contains("started"), "{said}");
    let said = world.answer(&["daemon", "stop"]);
    assert!(said.contains("ended process"), "{said}");
    assert_eq!(world.run(&["daemon", "status"]).status.code(), Some(1));
    world.answer(&["daemon", "start", "--idle", "1"]);
    let end = Instant::now() + Duration::from_secs(30);
    while world.run(&["daemon", "status"]).status.success() {
        assert!(Instant::now() < end, "it goes on without anything to do");
        // A question of its state is a request, too.
        std::thread::sleep(Duration::from_millis(1500));
    }
}
