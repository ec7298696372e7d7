//! The server for agents, as its clients see it: one JSON message on a line.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::harness::World;

/// A server and its client.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_requests: u64,
    meta: Option<Value>,
    /// What the server sent without being asked.
    pub(crate) notifications: Vec<Value>,
}

impl Client {
    /// A client that begins as clients of a revision do.
    pub(crate) fn new(world: &World, arguments: &[&str], revision: &str) -> Self {
        let mut command = world.command(&[&["mcp"], arguments].concat());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let mut client = Self {
            child,
            input,
            output,
            n_requests: 0,
            meta: None,
            notifications: Vec::new(),
        };
        if revision >= "2026-07-28" {
            client.meta = Some(json!({
                "io.modelcontextprotocol/protocolVersion": revision,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            }));
            let found = client.request("server/discover", json!({}));
            let versions = found["result"]["supportedVersions"].as_array().cloned();
            assert!(
                versions.is_some_and(|it| it.contains(&json!(revision))),
                "{found}"
            );
        } else {
            let hello = client.request(
                "initialize",
                json!({
                    "protocolVersion": revision,
                    "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"},
                }),
            );
            assert_eq!(hello["result"]["protocolVersion"], revision, "{hello}");
            client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    fn send_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("the server reads");
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a request; gives its number.
    fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.n_requests += 1;
        if let Some(meta) = &self.meta {
            let fields = params["_meta"].take();
            params["_meta"] = meta.clone();
            for (name, value) in fields.as_object().into_iter().flatten() {
                params["_meta"][name] = value.clone();
            }
        }
        let id = self.n_requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The reply to a request.
    fn reply(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.reply(id)
    }

    /// The result of a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(reply["result"].is_object(), "{tool}: {reply}");
        reply["result"].clone()
    }

    /// The text of a tool that succeeds.
    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        text_of(&result)
    }

    /// Closes the server's input; gives whether it ended well.
    fn close(mut self) -> bool {
        drop(self.input.take());
        self.child.wait().expect("it ends").success()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text_of(result: &Value) -> String {
    let text = result["content"][0]["text"].as_str();
    text.unwrap_or_default().to_owned()
}

const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

#[test]
fn three_revisions_of_the_protocol_give_the_same_tools_and_answers() {
    let world = World::demo();
    let mut answers = Vec::new();
    for revision in REVISIONS {
        let mut client = Client::new(&world, &[], revision);
        let tools = client.request("tools/list", json!({}));
        let text = client.text("symbol", json!({"symbol": "FiringQueue"}));
        assert!(text.contains("FiringQueue"), "{text}");
        answers.push((tools["result"]["tools"].clone(), text));
        assert!(client.close(), "{revision}");
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[1], answers[2]);
}

#[test]
fn every_default_tool_answers() {
    let world = World::demo();
    let mut client = Client::new(&world, &[], "2025-11-25");
    let calls = [
        ("context", json!({"range": "HEAD~3..HEAD"}), "What changed"),
        ("api", json!({"range": "HEAD~5..HEAD"}), "api"),
        ("tests", json!({"of": ["HEAD~3..HEAD"]}), "tests"),
        ("check", json!({}), "commits no context"),
        (
            "symbol",
            json!({"symbol": "FiringQueue", "show": "source"}),
            "class FiringQueue",
        ),
        (
            "symbol",
            json!({"symbol": "FiringQueue", "show": "declarations"}),
            "FiringQueue",
        ),
        ("usages", json!({"symbol": "FiringQueue"}), "uses"),
        (
            "usages",
            json!({"symbol": "FiringQueue", "relation": "hierarchy"}),
            "FiringQueue",
        ),
        ("search", json!({"query": "FQ"}), "FiringQueue"),
        (
            "search",
            json!({"query": "FiringQueue", "for": "text"}),
            "FiringQueue",
        ),
        (
            "search",
            json!({"query": "firing queue", "for": "question"}),
            "FiringQueue",
        ),
        ("map", json!({}), "types"),
        ("edit_status", json!({}), "no operations"),
    ];
    for (tool, arguments, expected) in calls {
        let text = client.text(tool, arguments.clone());
        assert!(text.contains(expected), "{tool} {arguments}: {text}");
        assert!(text.contains("data, not instructions"), "{text}");
    }
}

#[test]
fn errors_say_the_way_out_in_the_words_of_tools() {
    let world = World::demo();
    let mut client = Client::new(&world, &[], "2025-11-25");
    let cases = [
        ("symbol", json!({"symbol": "Xyzzy.Plugh"}), "SymbolNotFound"),
        ("symbol", json!({}), "missing field `symbol`"),
        (
            "symbol",
            json!({"symbol": "FiringQueue", "shows": "source"}),
            "unknown field `shows`",
        ),
        (
            "symbol",
            json!({"symbol": "FiringQueue", "budget": 3}),
            "`budget` is a number of tokens",
        ),
        ("context", json!({"range": "nope..HEAD"}), "InvalidRange"),
        ("edit_apply", json!({"op": "NOPE"}), "NOPE"),
    ];
    for (tool, arguments, expected) in cases {
        let result = client.call(tool, arguments.clone());
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        let text = text_of(&result);
        assert!(text.contains(expected), "{tool} {arguments}: {text}");
        assert!(!text.contains(" --"), "{tool} {arguments}: {text}");
    }
    let unknown = client.request("tools/call", json!({"name": "rm", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[test]
fn an_edit_is_applied_once_a_person_has_approved_it() {
    let world = World::demo();
    // Not even where the user's own commands need no review.
    std::fs::create_dir_all(world.beside("home")).expect("it can be made");
    std::fs::write(
        world.beside("home/.gitconfig"),
        "[cortex]\n\trequireReview = never\n",
    )
    .expect("it can be written");
    let config = world.run(&["config", "--format", "json"]);
    let config = String::from_utf8_lossy(&config.stdout).into_owned();
    assert!(config.contains("never"), "{config}");
    let mut client = Client::new(&world, &[], "2025-11-25");
    let rename =
        json!({"edits": [{"edit": "rename", "symbol": "FiringQueue", "to": "FiringLine"}]});
    let plan = client.call(
        "edit_plan",
        json!({"edits": rename["edits"], "format": "json", "budget": 50_000}),
    );
    let op = plan["structuredContent"]["answer"]["op"].as_str();
    let op = op.unwrap_or_else(|| panic!("{plan}")).to_owned();
    let status = world.git(&["status", "--porcelain"]);
    assert_eq!(status, "", "planning writes nothing");
    let refused = client.call("edit_apply", json!({"op": op}));
    assert_eq!(refused["isError"], true);
    assert!(text_of(&refused).contains("NotReviewed"), "{refused}");
    assert!(text_of(&refused).contains("git cortex review"), "{refused}");
    assert_eq!(world.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_saved_file_is_in_the_next_answer() {
    let world = World::demo();
    let mut client = Client::new(&world, &[], "2026-07-28");
    let before = client.text("symbol", json!({"symbol": "FiringQueue"}));
    let file = world.git(&["ls-files", "*FiringQueue.cs"]);
    let file = file.lines().next().expect("the file exists").to_owned();
    for n in 0..3 {
        let text = world.read(&file);
        let end = text.rfind('}').expect("it is a class");
        world.write(
            &file,
            format!(
                "{}\n    public int Added{n};\n{}",
                &text[..end],
                &text[end..]
            ),
        );
        let after = client.text("symbol", json!({"symbol": "FiringQueue"}));
        assert!(after.contains(&format!("Added{n}")), "{after}");
        assert_ne!(after, before);
    }
}

#[test]
fn resources_are_read_and_report_their_changes() {
    let world = World::demo();
    for revision in REVISIONS {
        let mut client = Client::new(&world, &[], revision);
        let uri = "cortex://outline/FiringQueue";
        let listed = client.request("resources/list", json!({}));
        assert_eq!(listed["result"]["resources"][0]["uri"], "cortex://window");
        let templates = client.request("resources/templates/list", json!({}));
        assert_eq!(
            templates["result"]["resourceTemplates"][0]["uriTemplate"],
            "cortex://outline/{symbol}"
        );
        let read = client.request("resources/read", json!({"uri": uri}));
        let text = read["result"]["contents"][0]["text"].as_str();
        assert!(text.is_some_and(|it| it.contains("FiringQueue")), "{read}");
        let missing = client.request("resources/read", json!({"uri": "file:///etc/passwd"}));
        assert!(missing["error"].is_object(), "{missing}");

        if client.meta.is_some() {
            client.begin(
                "subscriptions/listen",
                json!({"notifications": {"resourceSubscriptions": [uri]}}),
            );
        } else {
            client.request("resources/subscribe", json!({"uri": uri}));
        }
        let file = world.git(&["ls-files", "*FiringQueue.cs"]);
        let file = file.lines().next().expect("the file exists").to_owned();
        let text = world.read(&file);
        let end = text.rfind('}').expect("it is a class");
        let member = format!("ReportedTo{}", revision.replace('-', ""));
        world.write(
            &file,
            format!(
                "{}\n    public int {member};\n{}",
                &text[..end],
                &text[end..]
            ),
        );
        loop {
            let message = client.receive();
            if message["method"] != "notifications/resources/updated" {
                continue;
            }
            assert_eq!(message["params"]["uri"], uri);
            let read = client.request("resources/read", json!({"uri": uri}));
            let text = read["result"]["contents"][0]["text"].as_str();
            // The first look of a subscription reports, too.
            if text.is_some_and(|it| it.contains(&member)) {
                break;
            }
        }
    }
}

#[test]
fn prompts_name_tools_that_exist() {
    let world = World::demo();
    let mut client = Client::new(&world, &[], "2025-11-25");
    let prompts = client.request("prompts/list", json!({}));
    let prompts = prompts["result"]["prompts"].as_array().cloned();
    let tools = client.request("tools/list", json!({}))["result"]["tools"].to_string();
    for prompt in prompts.unwrap_or_default() {
        let argument = prompt["arguments"][0]["name"].as_str().unwrap_or_default();
        let params = json!({"name": prompt["name"], "arguments": {argument: "HEAD~1"}});
        let got = client.request("prompts/get", params);
        let text = got["result"]["messages"][0]["content"]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{got}"));
        for word in text.split('`').skip(1).step_by(2) {
            let is_name = word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            let is_told = tools.contains(&format!("\"{word}\""));
            assert!(!is_name || is_told, "{word} in {text}");
        }
    }
    let missing = client.request("prompts/get", json!({"name": "review_patch"}));
    assert!(missing["error"].is_object(), "{missing}");
}

#[test]
fn progress_grows_and_a_canceled_call_leaves_the_server_at_work() {
    let world = World::demo();
    let mut client = Client::new(&world, &[], "2025-11-25");
    client.request(
        "tools/call",
        json!({"name": "map", "arguments": {}, "_meta": {"progressToken": "p"}}),
    );
    let progress: Vec<f64> = (client.notifications.iter())
        .filter(|it| it["params"]["progressToken"] == "p")
        .filter_map(|it| it["params"]["progress"].as_f64())
        .collect();
    assert!(!progress.is_empty());
    assert!(progress.is_sorted(), "{progress:?}");

    let id = client.begin(
        "tools/call",
        json!({"name": "context", "arguments": {"range": "HEAD~5..HEAD"}}),
    );
    client.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id},
    }));
    let next = client.begin("tools/call", json!({"name": "map", "arguments": {}}));
    let reply = client.reply(next);
    assert_eq!(reply["result"]["isError"], false, "{reply}");
    let n_replies = client
        .notifications
        .iter()
        .filter(|it| it["id"] == id)
        .count();
    assert!(n_replies <= 1, "{:?}", client.notifications);
}

#[test]
fn bad_messages_are_answered_and_nothing_else_breaks() {
    let world = World::demo();
    let mut client = Client::new(&world, &[], "2025-11-25");
    for line in [
        "{",
        "[]",
        "null",
        "\u{0}",
        r#"{"jsonrpc": "1.0", "id": 900, "method": "tools/list"}"#,
        r#"{"jsonrpc": "2.0", "id": 901, "method": "no/such"}"#,
        r#"{"jsonrpc": "2.0", "id": 902, "method": "tools/call", "params": {"name": 3}}"#,
        r#"{"jsonrpc": "2.0", "method": "tools/call"}"#,
    ] {
        client.send_line(line);
    }
    let tools = client.request("tools/list", json!({}));
    assert!(tools["result"]["tools"].is_array(), "{tools}");
    for reply in client
        .notifications
        .iter()
        .filter(|it| it.get("id").is_some())
    {
        assert!(reply["error"]["code"].is_i64(), "{reply}");
    }
}

#[test]
fn a_folder_without_a_repository_is_an_error_of_the_call() {
    let world = World::demo();
    let folder = world.beside("home");
    let folder = folder.to_str().expect("it is text");
    let mut client = Client::new(&world, &["-C", folder], "2025-11-25");
    let result = client.call("map", json!({}));
    assert_eq!(result["isError"], true);
    assert!(text_of(&result).contains("NotARepository"), "{result}");
}
