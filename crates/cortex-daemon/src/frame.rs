//! Frames: a header with `Content-Length`, an empty line, so many bytes. What language servers and StreamJsonRpc write.

use std::io::{self, ErrorKind};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A header with more bytes is none.
const MAX_HEADER: usize = 8 << 10;

/// A message with more bytes is refused: patches are the longest that anybody sends.
const MAX_BODY: usize = 32 << 20;

/// Reads a frame; `None` where the other side has closed before one begins.
///
/// # Errors
/// What is not a frame, and those of the stream. Nothing can be read behind it.
pub(crate) async fn read<R: AsyncBufRead + Unpin>(input: &mut R) -> io::Result<Option<Vec<u8>>> {
    let Some(n_bytes) = read_header(input).await? else {
        return Ok(None);
    };
    let mut body = Vec::new();
    // Grown as bytes arrive: a length alone costs no memory.
    let n_read = input.take(n_bytes as u64).read_to_end(&mut body).await?;
    match n_read == n_bytes {
        true => Ok(Some(body)),
        false => Err(ErrorKind::UnexpectedEof.into()),
    }
}

async fn read_header<R: AsyncBufRead + Unpin>(input: &mut R) -> io::Result<Option<usize>> {
    let mut header = input.take(MAX_HEADER as u64);
    let mut n_bytes = None;
    let mut line = Vec::new();
    let mut n_lines = 0;
    loop {
        line.clear();
        let n_read = header.read_until(b'\n', &mut line).await?;
        if n_read == 0 && n_lines == 0 {
            return Ok(None);
        }
        let Some(text) = line.strip_suffix(b"\n") else {
            return Err(invalid("a header does not end"));
        };
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() {
            break;
        }
        n_lines += 1;
        let text = std::str::from_utf8(text).map_err(|_| invalid("a header is no text"))?;
        let (name, value) = text
            .split_once(':')
            .ok_or_else(|| invalid("a header has no colon"))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            // `+5` is a number for the standard library.
            let digits = Some(value.trim()).filter(|it| it.bytes().all(|b| b.is_ascii_digit()));
            let number = digits.and_then(|it| it.parse::<usize>().ok());
            let number = number.filter(|number| *number <= MAX_BODY && n_bytes.is_none());
            n_bytes = Some(number.ok_or_else(|| invalid("a length is none, or too large"))?);
        }
    }
    n_bytes
        .map(Some)
        .ok_or_else(|| invalid("a header has no length"))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// Writes a frame in one piece.
///
/// # Errors
/// Those of the stream.
pub(crate) async fn write<W: AsyncWrite + Unpin>(output: &mut W, body: &[u8]) -> io::Result<()> {
    output.write_all(&framed(body)).await?;
    output.flush().await
}

/// A message with its header.
pub(crate) fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    frame
}

#[cfg(test)]
mod tests {
    use super::{framed, read};

    fn read_all(bytes: &[u8]) -> std::io::Result<Vec<Vec<u8>>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let mut input = bytes;
            let mut out = Vec::new();
            while let Some(body) = read(&mut input).await? {
                out.push(body);
            }
            Ok(out)
        })
    }

    #[test]
    fn what_is_framed_is_read() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let bodies: Vec<Vec<u8>> = (0..random.usize(0..5))
                .map(|_| (0..random.usize(0..2000)).map(|_| random.u8(..)).collect())
                .collect();
            let bytes: Vec<u8> = bodies.iter().flat_map(|body| framed(body)).collect();
            assert_eq!(read_all(&bytes).expect("these are frames"), bodies);
            if !bytes.is_empty() {
                // Half a frame is an error, never a shorter message.
                let cut = &bytes[..bytes.len() - 1 - random.usize(0..bytes.len().min(20))];
                if let Ok(read) = read_all(cut) {
                    assert!(bodies.starts_with(&read) && read.len() < bodies.len());
                }
            }
        }
    }

    #[test]
    fn other_header_fields_and_line_ends_are_read() {
        let text =
            b"content-length:2\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n{}";
        assert_eq!(read_all(text).expect("it is a frame"), [b"{}"]);
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        for text in [
            "Content-Length: -1\r\n\r\n",
            "Content-Length: +1\r\n\r\nx",
            "Content-Length: 99999999999\r\n\r\n",
            "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
            "Content-Type: x\r\n\r\n{}",
            "{\"jsonrpc\": \"2.0\"}\n",
            "Content-Length: 5\r\n\r\nabc",
            "Content-Length: 5",
        ] {
            assert!(read_all(text.as_bytes()).is_err(), "{text}");
        }
        let endless = vec![b'a'; 1 << 20];
        assert!(read_all(&endless).is_err());
    }
}
