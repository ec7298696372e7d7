//! The server over streamable HTTP, on the loopback address alone and for whoever holds its token.
//!
//! Owns: which requests reach the protocol at all. A web page must not, whatever name it gives this machine; nor may
//! another user.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    io::{self, Read},
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body, Incoming},
    header::{self, HeaderMap, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, oneshot},
    task::AbortHandle,
    time::timeout,
};

use crate::{Options, Server, WorkspaceNow};

/// How a server listens.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The file of the token, which only its owner may read. It is made where it is not there.
    pub token_file: PathBuf,
}

/// The path of the endpoint.
const ENDPOINT: &str = "/mcp";

/// So many connections are open at a time.
const MAX_CONNECTIONS: usize = 256;

/// A head of a request that has begun must be whole within this time, and then its body.
const REQUEST_TIME: Duration = Duration::from_secs(15);

/// The longest head of a request.
const MAX_HEAD: usize = 64 << 10;

/// The longest body of a request.
const MAX_BODY: usize = 4 << 20;

/// The number of random bytes of a token.
const TOKEN_BYTES: usize = 32;

type Reply = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

/// Serves clients on the loopback address until the process ends. `listening` hears of the address of the endpoint.
///
/// # Errors
/// Where the port is taken, or the token cannot be kept.
pub fn serve_http(
    workspace: WorkspaceNow,
    options: Options,
    http: &HttpOptions,
    listening: impl FnOnce(&str),
) -> io::Result<()> {
    let token = token(&http.token_file)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, http.port)).await?;
        let address = listener.local_addr()?;
        listening(&format!("http://{address}{ENDPOINT}"));
        let server = Server::new(workspace, options);
        let gate = Arc::new(Gate { address, token });
        // Hosts and origins are looked at before, so that nobody without a token learns more than that.
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(MAX_BODY)
            .with_json_response(true);
        let service = Service::new(move || Ok(server.for_session()), Arc::default(), config);
        accept(&listener, &gate, &service).await
    })
}

/// Connections that have not sent a whole request with the token, in the order in which they came: any process of the
/// machine can open them.
#[derive(Default)]
struct Strangers(Mutex<BTreeMap<u64, AbortHandle>>);

impl Strangers {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the one that has been silent longest; whether there is one.
    fn close_first(&self) -> bool {
        let first = self.all().pop_first();
        if let Some((_, connection)) = &first {
            connection.abort();
        }
        first.is_some()
    }
}

async fn accept(listener: &TcpListener, gate: &Arc<Gate>, service: &Service) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let strangers = Arc::<Strangers>::default();
    for number in 0_u64.. {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Too many files are open, most likely: some are closed in a moment.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Who comes is let in before strangers, and closed without a word where all others are known.
        let place = match places.clone().try_acquire_owned() {
            Ok(place) => Ok(place),
            Err(_) if strangers.close_first() => places.clone().acquire_owned().await,
            Err(_) => continue,
        };
        let Ok(place) = place else { continue };
        let (gate, service) = (gate.clone(), service.clone());
        let (begin, begun) = oneshot::channel::<()>();
        let others = strangers.clone();
        let connection = tokio::spawn(async move {
            let _ = begun.await;
            let answer = service_fn(|request| {
                let (gate, service, others) = (gate.clone(), service.clone(), others.clone());
                let answer = async move {
                    match gate.read(request).await {
                        Ok(request) => {
                            others.all().remove(&number);
                            service.handle(request).await
                        }
                        Err(status) => refusal(status),
                    }
                };
                async move { Ok::<_, Infallible>(answer.await) }
            });
            let mut connection = http1::Builder::new();
            connection
                .timer(TokioTimer::new())
                .header_read_timeout(REQUEST_TIME)
                .max_buf_size(MAX_HEAD);
            let _ = connection
                .serve_connection(TokioIo::new(stream), answer)
                .await;
            others.all().remove(&number);
            drop(place);
        });
        strangers.all().insert(number, connection.abort_handle());
        let _ = begin.send(());
    }
    Ok(())
}

/// What a request must have to be read.
struct Gate {
    address: SocketAddr,
    token: String,
}

impl Gate {
    /// The whole of a request that may be answered.
    ///
    /// # Errors
    /// The status of the refusal.
    async fn read(&self, request: Request<Incoming>) -> Result<Request<Full<Bytes>>, StatusCode> {
        self.refuses(&request)?;
        let (head, body) = request.into_parts();
        if body.size_hint().lower() > MAX_BODY as u64 {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        let body = match timeout(REQUEST_TIME, Limited::new(body, MAX_BODY).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => return Err(StatusCode::PAYLOAD_TOO_LARGE),
            Err(_) => return Err(StatusCode::REQUEST_TIMEOUT),
        };
        Ok(Request::from_parts(head, Full::new(body)))
    }

    /// # Errors
    /// The status of the refusal.
    fn refuses<B>(&self, request: &Request<B>) -> Result<(), StatusCode> {
        let headers = request.headers();
        // A name that a web page made resolve to this machine is not one of ours.
        if !self.is_host(headers) || !self.is_origin(headers) {
            return Err(StatusCode::FORBIDDEN);
        }
        if !self.has_token(headers) {
            return Err(StatusCode::UNAUTHORIZED);
        }
        if request.uri().path() != ENDPOINT {
            return Err(StatusCode::NOT_FOUND);
        }
        if request.method() == Method::POST && !is_json(headers) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        Ok(())
    }

    /// The names of this machine for itself, with our port.
    fn is_ours(&self, authority: &str) -> bool {
        let port = self.address.port();
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| authority.eq_ignore_ascii_case(&format!("{name}:{port}")))
    }

    fn is_host(&self, headers: &HeaderMap) -> bool {
        only(headers, &header::HOST).is_some_and(|host| self.is_ours(host))
    }

    /// Programs send no origin; a page of another one is nobody that may ask.
    fn is_origin(&self, headers: &HeaderMap) -> bool {
        !headers.contains_key(header::ORIGIN)
            || only(headers, &header::ORIGIN)
                .and_then(|origin| origin.strip_prefix("http://"))
                .is_some_and(|authority| self.is_ours(authority))
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let given = only(headers, &header::AUTHORIZATION);
        let given = given.and_then(|text| text.split_once(' '));
        given.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && is_equal(token.trim(), &self.token)
        })
    }
}

/// The value of a header that is there once.
fn only<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

fn is_json(headers: &HeaderMap) -> bool {
    only(headers, &header::CONTENT_TYPE).is_some_and(|value| {
        let kind = value.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
    })
}

/// Takes as long for texts that differ early as for those that differ late.
fn is_equal(given: &str, token: &str) -> bool {
    let differing = (given.bytes().zip(token.bytes())).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differing == 0
}

fn refusal(status: StatusCode) -> Reply {
    let why = status.canonical_reason().unwrap_or_default();
    let mut reply = Response::new(Full::new(Bytes::from(format!("{why}\n"))).boxed());
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    // What is left of the request is not read.
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply
}

/// The token of a file; a new one where there is none, or others could have read it.
fn token(path: &Path) -> io::Result<String> {
    if let Some(token) = kept(path)? {
        return Ok(token);
    }
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    // Made for its owner alone, then put in place: nobody can open it in between, nor through a link.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, token.as_bytes())?;
    file.persist(path)?;
    Ok(token)
}

/// # Errors
/// Where the file is something else, which must not be overwritten.
fn kept(path: &Path) -> io::Result<Option<String>> {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = String::new();
    if found.is_file() {
        let file = std::fs::File::open(path)?;
        // What does not read as text is no token either.
        let _ = file.take(1024).read_to_string(&mut text);
    }
    let token = text.trim();
    if token.len() != 2 * TOKEN_BYTES || !token.bytes().all(|it| it.is_ascii_hexdigit()) {
        let why = format!("`{}` exists and is not a token file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(is_private(&found).then(|| token.to_owned()))
}

#[cfg(unix)]
fn is_private(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.mode() & 0o077 == 0 && found.uid() == rustix::process::geteuid().as_raw()
}

/// What is in a profile of a user is that user's.
#[cfg(not(unix))]
fn is_private(_found: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hyper::{Request, StatusCode};

    use super::{Gate, token};

    fn gate() -> Gate {
        Gate {
            address: ([127, 0, 0, 1], 7331).into(),
            token: "secret".to_owned(),
        }
    }

    #[test]
    fn only_clients_of_this_machine_that_have_the_token_get_in() {
        const GOOD: [(&str, &str); 3] = [
            ("host", "127.0.0.1:7331"),
            ("authorization", "Bearer secret"),
            ("content-type", "application/json"),
        ];
        let status = |path: &str, changes: &[(&str, Option<&str>)]| {
            let mut request = Request::post(path);
            for (name, value) in GOOD {
                if !changes.iter().any(|(it, _)| *it == name) {
                    request = request.header(name, value);
                }
            }
            for (name, value) in changes {
                if let Some(value) = value {
                    request = request.header(*name, *value);
                }
            }
            let request = request.body(()).expect("it is a request");
            gate().refuses(&request).err()
        };
        let forbidden = Some(StatusCode::FORBIDDEN);
        let unauthorized = Some(StatusCode::UNAUTHORIZED);
        assert_eq!(status("/mcp", &[]), None);
        assert_eq!(status("/mcp", &[("host", Some("LOCALHOST:7331"))]), None);
        assert_eq!(
            status("/mcp", &[("origin", Some("http://localhost:7331"))]),
            None
        );
        assert_eq!(status("/mcp", &[("host", None)]), forbidden);
        assert_eq!(
            status("/mcp", &[("host", Some("evil.example:7331"))]),
            forbidden
        );
        assert_eq!(status("/mcp", &[("host", Some("localhost:80"))]), forbidden);
        assert_eq!(status("/mcp", &[("host", Some("localhost"))]), forbidden);
        let twice = [
            ("host", Some("localhost:7331")),
            ("host", Some("evil.example")),
        ];
        assert_eq!(status("/mcp", &twice), forbidden);
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:7331",
            "http://localhost:7331.evil.example",
            "",
        ] {
            assert_eq!(
                status("/mcp", &[("origin", Some(origin))]),
                forbidden,
                "{origin}"
            );
        }
        for given in [
            None,
            Some("Bearer"),
            Some("Bearer "),
            Some("Bearer secre"),
            Some("Bearer secrets"),
            Some("Basic secret"),
            Some("secret"),
        ] {
            assert_eq!(
                status("/mcp", &[("authorization", given)]),
                unauthorized,
                "{given:?}"
            );
        }
        let in_query = [("authorization", None)];
        assert_eq!(status("/mcp?access_token=secret", &in_query), unauthorized);
        assert_eq!(status("/other", &[]), Some(StatusCode::NOT_FOUND));
        for kind in [None, Some("text/plain"), Some("application/jsonx")] {
            let status = status("/mcp", &[("content-type", kind)]);
            assert_eq!(status, Some(StatusCode::UNSUPPORTED_MEDIA_TYPE), "{kind:?}");
        }
    }

    #[test]
    fn a_token_stays_and_nothing_else_is_overwritten() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("token");
        let first = token(&path).expect("it is made");
        assert_eq!(token(&path).expect("it is there"), first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path| {
                fs::metadata(path)
                    .expect("it is there")
                    .permissions()
                    .mode()
                    & 0o777
            };
            assert_eq!(mode(&path), 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
            assert_ne!(token(&path).expect("it is made anew"), first);
            assert_eq!(mode(&path), 0o600);
        }
        let notes = folder.path().join("notes");
        fs::write(&notes, "mine").expect("it can be written");
        token(&notes).expect_err("it is no token");
        assert_eq!(fs::read(&notes).expect("it is there"), b"mine");
    }
}
