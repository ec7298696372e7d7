//! The server for agents over HTTP: who gets in, and that nobody else disturbs it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

use crate::harness::World;

struct Server {
    child: Child,
    address: String,
    token: String,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Server {
    fn start(world: &World) -> Self {
        let mut child = world
            .command(&["mcp", "--http", "--token-file", "token"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        let mut lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
        let url = lines.next().expect("it prints").expect("it prints text");
        let address = url.trim_start_matches("http://").trim_end_matches("/mcp");
        let _ = lines.next();
        let token = fs::read_to_string(world.path().join("token")).expect("the token is there");
        Self {
            child,
            address: address.to_owned(),
            token,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        let time = Some(Duration::from_secs(60));
        stream.set_read_timeout(time).expect("it is a socket");
        stream
    }

    /// Sends bytes as they are; what comes back until the server closes, or nothing.
    fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        let reply = String::from_utf8_lossy(&reply).into_owned();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Reply {
            status: status.unwrap_or_default(),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    /// The headers of a client that may ask.
    fn headers(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Host", self.address.clone()),
            ("Authorization", format!("Bearer {}", self.token)),
            ("Content-Type", "application/json".to_owned()),
            ("Accept", "application/json, text/event-stream".to_owned()),
            ("MCP-Protocol-Version", "2026-07-28".to_owned()),
        ]
    }

    fn post(&self, path: &str, headers: &[(&str, String)], body: &str) -> Reply {
        let mut request = format!("POST {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.raw(request.as_bytes())
    }

    /// Calls a tool.
    fn call(&self, tool: &str, arguments: &Value) -> Reply {
        let mut headers = self.headers();
        headers.push(("Mcp-Method", "tools/call".to_owned()));
        headers.push(("Mcp-Name", tool.to_owned()));
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        }});
        self.post("/mcp", &headers, &body.to_string())
    }

    fn assert_serves(&self) {
        let reply = self.call("symbol", &json!({"symbol": "OrderService"}));
        assert_eq!(reply.status, 200, "{}\n{}", reply.head, reply.body);
        assert!(reply.body.contains("OrderService"), "{}", reply.body);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_client_with_the_token_is_answered() {
    let world = World::demo();
    let server = Server::start(&world);
    server.assert_serves();
    let address: std::net::SocketAddr = server.address.parse().expect("it is an address");
    assert!(address.ip().is_loopback());
    // A second process takes the token that is there.
    let other = Server::start(&world);
    assert_eq!(other.token, server.token);
    other.assert_serves();
}

#[test]
fn nobody_else_is_answered_or_learns_anything() {
    let world = World::demo();
    let server = Server::start(&world);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let with = |name: &'static str, value: &str| {
        let mut headers = server.headers();
        headers.retain(|(it, _)| *it != name);
        headers.push((name, value.to_owned()));
        headers
    };
    let port = server.address.rsplit(':').next().expect("it has a port");
    let cases = [
        ("/mcp", with("Authorization", ""), 401),
        ("/mcp", with("Authorization", "Bearer 00"), 401),
        ("/mcp?token=TOKEN", with("Authorization", "Bearer 00"), 401),
        ("/mcp", with("Host", "evil.example"), 403),
        ("/mcp", with("Host", &format!("evil.example:{port}")), 403),
        ("/mcp", with("Host", "127.0.0.1"), 403),
        ("/mcp", with("Origin", "http://evil.example"), 403),
        ("/mcp", with("Origin", "null"), 403),
        ("/mcp", with("Content-Type", "text/plain"), 415),
        ("/", server.headers(), 404),
    ];
    for (path, headers, status) in cases {
        let reply = server.post(&path.replace("TOKEN", &server.token), &headers, body);
        assert_eq!(reply.status, status, "{path} {headers:?}");
        assert!(!reply.head.contains("access-control"), "{}", reply.head);
        let is_silent = !reply.body.contains("jsonrpc") && !reply.body.contains(&server.token);
        assert!(is_silent, "{}", reply.body);
    }
    // What a browser asks first.
    let preflight = format!(
        "OPTIONS /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n",
        server.address
    );
    let reply = server.raw(preflight.as_bytes());
    assert_eq!(reply.status, 403);
    assert!(!reply.head.contains("access-control"), "{}", reply.head);
    server.assert_serves();
}

#[test]
fn bad_requests_and_crowds_disturb_nobody() {
    let world = World::demo();
    let server = Server::start(&world);
    let head = |rest: &str| format!("POST /mcp HTTP/1.1\r\nHost: {}\r\n{rest}", server.address);
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    let authorized = |rest: &str| head(&format!("{token}Content-Type: application/json\r\n{rest}"));
    let bad = [
        b"\0\0\0\0\r\n\r\n".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"POST /mcp HTTP/9.9\r\n\r\n".to_vec(),
        head(&format!("X: {}\r\n\r\n", "x".repeat(1 << 20))).into_bytes(),
        head(&"X: y\r\n".repeat(100_000)).into_bytes(),
        authorized("Content-Length: -1\r\n\r\n").into_bytes(),
        authorized("Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx").into_bytes(),
        authorized("Transfer-Encoding: chunked\r\n\r\nzz\r\n").into_bytes(),
        authorized(&format!("Content-Length: {}\r\n\r\n", 1_u64 << 62)).into_bytes(),
        authorized("Connection: close\r\nContent-Length: 3\r\n\r\n{{{").into_bytes(),
    ];
    for bytes in bad {
        let reply = server.raw(&bytes);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).into_owned();
        assert_ne!(reply.status, 200, "{shown}");
    }
    // Half a request and silence holds one connection, and many of them hold their places only for a while.
    let half = authorized("Content-Length: 100\r\n\r\n{");
    let mut silent = Vec::new();
    for _ in 0..200 {
        let mut stream = server.connect();
        stream.write_all(half.as_bytes()).expect("it can be sent");
        silent.push(stream);
    }
    server.assert_serves();
    // More than there are places: those that said nothing give way.
    silent.extend((0..800).map(|_| server.connect()));
    for _ in 0..3 {
        server.assert_serves();
    }
    drop(silent);
    server.assert_serves();
}

#[test]
fn what_is_no_token_file_is_not_overwritten() {
    let world = World::demo();
    fs::write(world.path().join("notes"), "mine").expect("it can be written");
    let output = world.run(&["mcp", "--http", "--token-file", "notes"]);
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("is not a token file"), "{message}");
    let kept = fs::read(world.path().join("notes")).expect("it is there");
    assert_eq!(kept, b"mine");
}
