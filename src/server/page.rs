//! The files of the web page, which are part of the program.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::response::Response;

use super::failure::Failure;
use super::reply::{self, Lasting, Tag};

/// The security policy of the page: it may load its own files and answers of this server, and no inline scripts or
/// styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page: its path, its media type and its content.
struct File {
    path: &'static str,
    kind: &'static str,
    content: String,
    tag: Tag,
}

macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        /// Every file in `page/`, beginning with the file for `/`.
        static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
            vec![$({
                let content = without_comments(include_str!(concat!("page/", $name)));
                let tag = Tag::of(&[content.as_bytes()], Lasting::Revalidate);
                File { path: concat!("/", $name), kind: $kind, content, tag }
            }),*]
        });
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

files! {
    "index.html": HTML,
    "address.js": SCRIPT,
    "api.js": SCRIPT,
    "board.js": SCRIPT,
    "chain.js": SCRIPT,
    "dom.js": SCRIPT,
    "editor.js": SCRIPT,
    "front.js": SCRIPT,
    "gamevalue.js": SCRIPT,
    "history.js": SCRIPT,
    "icon.svg": SVG,
    "main.js": SCRIPT,
    "motion.js": SCRIPT,
    "moves.js": SCRIPT,
    "pick.js": SCRIPT,
    "pieces.js": SCRIPT,
    "played.js": SCRIPT,
    "session.js": SCRIPT,
    "setup.js": SCRIPT,
    "shapes.js": SCRIPT,
    "sharing.js": SCRIPT,
    "stats.js": SCRIPT,
    "style.css": CSS,
    "theme.js": SCRIPT,
    "values.js": SCRIPT,
    "verdict.js": SCRIPT,
}

/// `text` without its lines of comments, which a browser does not need: those that begin with `//`, and those from `/*`
/// at the beginning of a line to `*/` at the end of one.
fn without_comments(text: &str) -> String {
    let mut is_inside = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = !is_inside && trimmed.starts_with("/*");
        if is_inside || begins {
            is_inside = !trimmed.ends_with("*/");
        } else if !trimmed.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Answers with the file at a path. It handles every address without a route of its own.
pub(super) async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, Failure> {
    let path = if uri.path() == "/" { "/index.html" } else { uri.path() };
    let found = FILES.iter().find(|file| file.path == path);
    let Some(file) = found.filter(|_| method == Method::GET || method == Method::HEAD) else {
        return Err(Failure::unknown("there is nothing at this address; /api/v1/openapi.json lists all addresses"));
    };
    let whole = || reply::file(&file.tag, file.kind, Bytes::from_static(file.content.as_bytes()));
    let mut response = file.tag.not_modified(&headers).unwrap_or_else(whole);
    let guards = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    response.headers_mut().extend(guards.map(|(name, value)| (name, HeaderValue::from_static(value))));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        const MOST: usize = 150_000;
        let total: usize = FILES.iter().map(|file| file.content.len()).sum();
        assert!(total <= MOST, "{total} bytes");
    }

    #[test]
    fn lines_of_comments_are_left_out() {
        let text = "// One.\n/** Two\n * lines. */\nlet a = 1; // kept\n\n/* Three. */\nlet b = \"/*\";\n";
        assert_eq!(without_comments(text), "let a = 1; // kept\n\nlet b = \"/*\";\n");
    }

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/server/page")).unwrap();
        let mut there: Vec<String> =
            folder.map(|entry| format!("/{}", entry.unwrap().file_name().into_string().unwrap())).collect();
        let mut served: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        assert_eq!(served[0], "/index.html");
        there.sort();
        served.sort_unstable();
        assert_eq!(there, served);
    }
}
