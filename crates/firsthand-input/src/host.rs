//! The host of a document, by its URL or by a folder named after a host, and the site by its address.

use std::path::{Component, Path};

use crate::extension::kind_of_extension;
use firsthand::pages::site_of_host;

/// The host of a URL in lower case, without user, port and trailing dot.
///
/// Tabs and line ends inside a URL are ignored, as in browsers.
pub(crate) fn of_url(url: &str) -> Option<String> {
    const PASSED_OVER: [char; 3] = ['\t', '\r', '\n'];
    let url = url.trim();
    if url.contains(PASSED_OVER) {
        return of_url(&url.replace(PASSED_OVER, ""));
    }
    let (authority, bare) = match url.split_once("://") {
        Some((scheme, rest)) if is_scheme(scheme) => (rest, false),
        _ => match url.strip_prefix("//") {
            Some(rest) => (rest, false),
            None => (url, true),
        },
    };
    let end = authority.find(['/', '?', '#', '\\']).unwrap_or(authority.len());
    let authority = &authority[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(address) => address.split_once(']')?.0,
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_end_matches('.').to_lowercase();
    // Without a scheme, `news/today.html` is as likely as `example.com/today`.
    let wrong = host.is_empty() || host.contains(is_forbidden) || (bare && !looks_like_host(&host));
    (!wrong).then_some(host)
}

/// First folders of paths whose next folder is a site of its own: that of a user or a blog.
const SPACES: [&str; 6] = ["blogs", "users", "people", "members", "homes", "homepages"];

/// The site of a URL: its host without labels that tell versions apart, and the beginning of its path
/// if that is a site of its own.
pub(crate) fn site_of_url(url: &str) -> Option<String> {
    let host = of_url(url)?;
    let after = url.find("//").map_or(url, |at| &url[at + 2..]);
    let path = after.find('/').map_or("", |at| &after[at + 1..]);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let site = site_of_host(&host);
    Some(own_space(path).map_or_else(|| site.to_owned(), |space| format!("{site}/{space}")))
}

/// The beginning of a path that is a site of its own: `~anna`, `@anna`, or `blogs/anna` with pages
/// below it.
fn own_space(path: &str) -> Option<String> {
    let mut folders = path.split('/');
    let (first, second) = (folders.next()?, folders.next());
    let first = first.replace("%7E", "~").replace("%7e", "~");
    if first.len() > 1 && first.starts_with(['~', '@']) {
        return Some(first);
    }
    let below = folders.next().filter(|page| !page.is_empty());
    let space = second.filter(|name| !name.is_empty() && below.is_some())?;
    SPACES.contains(&first.to_ascii_lowercase().as_str()).then(|| format!("{first}/{space}"))
}

/// Characters that the URL standard does not allow in a host. A percent sign is one of them: hosts
/// are written with it so rarely that they are not decoded.
fn is_forbidden(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "%<>[]^|".contains(c)
}

/// The first folder of a path that is named like a host, as in mirrors of sites. The first `skip`
/// components and the file itself do not count.
pub(crate) fn of_path(path: &Path, skip: usize) -> Option<String> {
    let folders = path.parent()?.components().skip(skip);
    folders
        .filter_map(|component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .map(|name| name.split([':', '+']).next().unwrap_or_default().to_lowercase())
        .find(|name| looks_like_host(name))
}

/// `www.example.com` does; `v1.2`, `john`, `page.html` and `conf.d` do not.
fn looks_like_host(name: &str) -> bool {
    let Some((labels, top)) = name.rsplit_once('.') else { return false };
    let label_is_fine = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    let top_is_fine =
        top.starts_with("xn--") || (top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic()));
    let is_file = kind_of_extension(top).is_some()
        || ["gz", "zst", "tar", "zip", "json", "files", "warc"].contains(&top);
    name.len() <= 253 && top_is_fine && !is_file && labels.split('.').all(label_is_fine)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_urls() {
        let cases = [
            ("http://www.Example.com/a/b", Some("www.example.com")),
            ("https://user:secret@example.com:8080?q=@x", Some("example.com")),
            ("  https://example.com.#top", Some("example.com")),
            ("//cdn.example.com/x", Some("cdn.example.com")),
            ("http://[2001:DB8::1]:80/", Some("2001:db8::1")),
            ("http://bücher.example/", Some("bücher.example")),
            ("http://localhost/x", Some("localhost")),
            ("example.com/a", Some("example.com")),
            ("example.com:80", Some("example.com")),
            ("news/today.html", None),
            ("today.html", None),
            ("file:///home/a.html", None),
            ("mailto:a@b", None),
            ("http://", None),
            ("http://a b/", None),
            ("http://exam\tple.com/\na", Some("example.com")),
            ("C:\\\\example.com\\a", None),
            ("http://user@example.com\\@other.example/", Some("example.com")),
            ("http://example.com:99999/", Some("example.com")),
            ("http://example.com:80@other.example/", Some("other.example")),
            ("http://[2001:db8::1", None),
            ("http://exam<ple.com/", None),
            ("http://100%/", None),
            ("", None),
        ];
        for (url, host) in cases {
            assert_eq!(of_url(url).as_deref(), host, "{url:?}");
        }
    }

    #[test]
    fn sites_of_urls() {
        let cases = [
            ("http://www.example.com/a/b", Some("example.com")),
            ("https://m.example.com", Some("example.com")),
            ("https://amp.example.com/news/1?x=~y", Some("example.com")),
            ("https://anna.blogs.example/2020/05/post.html", Some("anna.blogs.example")),
            ("http://www.uni.example/~anna/diary.html", Some("uni.example/~anna")),
            ("http://cs.uni.example/%7Eanna/", Some("cs.uni.example/~anna")),
            ("http://uni.example.edu/~", Some("uni.example.edu")),
            ("https://medium.example.com/@anna/a-story-1", Some("medium.example.com/@anna")),
            ("https://example.com/blogs/anna/a-story", Some("example.com/blogs/anna")),
            ("https://example.com/blogs/anna/", Some("example.com")),
            ("https://example.com/blogs/a-story", Some("example.com")),
            ("https://example.com/blog/2020/a-story", Some("example.com")),
            ("https://example.com/users/anna/posts?page=2", Some("example.com/users/anna")),
            ("example.com/~anna/x", Some("example.com/~anna")),
            ("news/today.html", None),
        ];
        for (url, site) in cases {
            assert_eq!(site_of_url(url).as_deref(), site, "{url}");
        }
    }

    #[test]
    fn hosts_of_paths() {
        let cases = [
            ("mirror/www.example.com/a/b.html", 0, Some("www.example.com")),
            ("mirror/www.Example.com:8080/b.html", 0, Some("www.example.com")),
            ("example.org/b.html", 0, Some("example.org")),
            ("pages/www.example.com", 0, None),
            ("v1.2/conf.d/page.html/john/b.html", 0, None),
            ("/home/jane.roe/pages/b.html", 3, None),
            ("b.html", 0, None),
        ];
        for (path, skip, host) in cases {
            assert_eq!(of_path(Path::new(path), skip).as_deref(), host, "{path:?}");
        }
    }
}
