//! Records of web archives.

/// A record with a page, whose length is said to be `said`.
pub(crate) fn response(number: usize, body: &str, said: &str) -> String {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
    let length = match said {
        "right" => format!("Content-Length: {}\r\n", http.len()),
        "absent" => String::new(),
        other => format!("Content-Length: {other}\r\n"),
    };
    format!("{}{length}\r\n{http}\r\n\r\n", headers(number))
}

/// A record with a page that the server sent in some coding.
pub(crate) fn coded(number: usize, body: &[u8], coding: &str) -> Vec<u8> {
    let http =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n");
    let length = format!("Content-Length: {}\r\n\r\n", http.len() + body.len());
    [headers(number).as_bytes(), length.as_bytes(), http.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn headers(number: usize) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         WARC-Target-URI: http://site{number}.example/\r\nWARC-Date: 2024-03-05T06:30:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\n"
    )
}
