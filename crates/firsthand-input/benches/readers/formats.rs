//! Writes the same documents in every format.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use firsthand::Document;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

type Writer = fn(&Path, &[Document]);

/// File names, whose extensions decide the format, and their writers.
pub(crate) const ALL: [(&str, Writer); 17] = [
    ("docs.jsonl", jsonl),
    ("docs.jsonl.gz", |path, documents| gzip(path, &lines(documents))),
    ("docs.jsonl.zst", |path, documents| {
        fs::write(path, zstd::encode_all(&*lines(documents), 3).unwrap()).unwrap();
    }),
    ("docs.jsonl.bz2", bzip2),
    ("docs.json", json),
    ("docs.csv", csv),
    ("zstd.parquet", |path, documents| {
        table(path, documents, Compression::ZSTD(ZstdLevel::default()));
    }),
    ("snappy.parquet", |path, documents| table(path, documents, Compression::SNAPPY)),
    ("crawl.warc", |path, documents| {
        fs::write(path, documents.iter().flat_map(record).collect::<Vec<u8>>()).unwrap();
    }),
    ("crawl.warc.gz", |path, documents| {
        fs::write(path, documents.iter().flat_map(|d| member(&record(d))).collect::<Vec<u8>>())
            .unwrap();
    }),
    ("mail.mbox", mbox),
    ("feed.rss", feed),
    ("texts", |path, documents| folder(path, documents, "txt", |d| d.text.clone())),
    ("pages", |path, documents| folder(path, documents, "html", page)),
    ("mails", |path, documents| folder(path, documents, "eml", message)),
    ("pages.zip", zip_archive),
    ("pages.tar", tar_archive),
];

fn lines(documents: &[Document]) -> Vec<u8> {
    let object = |document: &Document| {
        let Document { id, text, title, url, .. } = document;
        serde_json::json!({ "id": id, "title": title, "url": url, "text": text }).to_string() + "\n"
    };
    documents.iter().map(object).collect::<String>().into_bytes()
}

fn jsonl(path: &Path, documents: &[Document]) {
    fs::write(path, lines(documents)).unwrap();
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzip(path: &Path, bytes: &[u8]) {
    fs::write(path, member(bytes)).unwrap();
}

fn bzip2(path: &Path, documents: &[Document]) {
    let mut encoder =
        bzip2::write::BzEncoder::new(File::create(path).unwrap(), bzip2::Compression::fast());
    encoder.write_all(&lines(documents)).unwrap();
    encoder.finish().unwrap();
}

fn json(path: &Path, documents: &[Document]) {
    let text = String::from_utf8(lines(documents)).unwrap();
    fs::write(path, format!("[{}]", text.trim_end().replace('\n', ",\n"))).unwrap();
}

fn csv(path: &Path, documents: &[Document]) {
    let mut text = "id,title,url,text\n".to_owned();
    for document in documents {
        let (title, url) = (document.title.as_deref().unwrap(), document.url.as_deref().unwrap());
        let _ = writeln!(text, "{},{title},{url},\"{}\"", document.id, document.text);
    }
    fs::write(path, text).unwrap();
}

fn table(path: &Path, documents: &[Document], compression: Compression) {
    let column = |value: fn(&Document) -> &str| -> Arc<dyn arrow_array::Array> {
        Arc::new(StringArray::from_iter_values(documents.iter().map(value)))
    };
    let columns = [
        ("id", column(|d| &d.id)),
        ("title", column(|d| d.title.as_deref().unwrap())),
        ("url", column(|d| d.url.as_deref().unwrap())),
        ("text", column(|d| &d.text)),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(2000))
        .build();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn page(document: &Document) -> String {
    let title = document.title.as_deref().unwrap();
    let paragraphs: String = document.text.lines().map(|line| format!("<p>{line}</p>\n")).collect();
    let links: String = (0..30).map(|n| format!("<li><a href=/{n}>Link {n}</a></li>")).collect();
    format!(
        "<html><head><title>{title}</title></head><body><ul class=menu>{links}</ul>\
         <div class=article><h1>{title}</h1>{paragraphs}</div></body></html>"
    )
}

fn record(document: &Document) -> Vec<u8> {
    let body = page(document);
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let url = document.url.as_deref().unwrap();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{}>\r\n\
         Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        document.id,
        http.len()
    )
    .into_bytes()
}

fn message(document: &Document) -> String {
    let (id, title) = (&document.id, document.title.as_deref().unwrap());
    let body = document.text.replace('\n', "\n\n");
    format!(
        "From: a@site.example\nSubject: {title}\nMessage-ID: <{id}@site.example>\n\
         Date: Thu, 01 Jan 2026 00:00:00 +0000\nContent-Type: text/plain\n\n{body}\n"
    )
}

fn mbox(path: &Path, documents: &[Document]) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    for document in documents {
        let mail = message(document);
        writeln!(out, "From a@site.example Thu Jan  1 00:00:00 2026\n{mail}").unwrap();
    }
}

fn feed(path: &Path, documents: &[Document]) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(out, "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>")
        .unwrap();
    for document in documents {
        let (title, url) = (document.title.as_deref().unwrap(), document.url.as_deref().unwrap());
        writeln!(
            out,
            "<item><title>{title}</title><link>{url}</link><guid>{}</guid>\
             <description>{}</description></item>",
            document.id, document.text
        )
        .unwrap();
    }
    writeln!(out, "</channel></rss>").unwrap();
}

fn folder(path: &Path, documents: &[Document], ext: &str, content: fn(&Document) -> String) {
    fs::create_dir(path).unwrap();
    for document in documents {
        fs::write(path.join(format!("{}.{ext}", document.id)), content(document)).unwrap();
    }
}

fn zip_archive(path: &Path, documents: &[Document]) {
    let mut archive = zip::ZipWriter::new(File::create(path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for document in documents {
        archive.start_file(format!("{}.html", document.id), options).unwrap();
        archive.write_all(page(document).as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

fn tar_archive(path: &Path, documents: &[Document]) {
    let mut archive = tar::Builder::new(File::create(path).unwrap());
    for document in documents {
        let content = page(document);
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        let name = format!("{}.html", document.id);
        archive.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}
