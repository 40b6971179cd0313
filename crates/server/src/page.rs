//! The files of the web page, which are part of the program.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;

use super::app::App;
use super::failure::Failure;
use super::gzip;
use super::reply::{self, Tag};
use super::visitors::Visitors;

/// The security policy of the page: it may load its own files and answers of this server, and no inline scripts or
/// styles. What is missing are the pages that may show it in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors";

/// The addresses that are other names of a file. Browsers ask for a picture of every site under a name of their own.
const ALIASES: [(&str, &str); 2] = [("/", "/index.html"), ("/favicon.ico", "/icon.svg")];

/// A file of the page: its path, its media type and its content.
struct PageFile {
    path: &'static str,
    kind: &'static str,
    content: String,
    compressed: Vec<u8>,
    tag: Tag,
}

/// The value of `Content-Security-Policy` for a page that `visitors` may show.
pub(super) fn policy(visitors: &Visitors) -> HeaderValue {
    let policy = format!("{POLICY} {}", visitors.frame_ancestors());
    HeaderValue::from_str(&policy).unwrap_or_else(|_| unreachable!("origins are visible ASCII"))
}

macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        /// Every file in `page/`, beginning with the file for `/`.
        static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
            vec![$({
                let content = shortened(include_str!(concat!("page/", $name)));
                let (compressed, tag) = (gzip::compressed(content.as_bytes(), gzip::HARD), Tag::of(content.as_bytes()));
                PageFile { path: concat!("/", $name), kind: $kind, content, compressed, tag }
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
    "acts.js": SCRIPT,
    "address.js": SCRIPT,
    "api.js": SCRIPT,
    "board.js": SCRIPT,
    "chain.js": SCRIPT,
    "dialogs.js": SCRIPT,
    "dom.js": SCRIPT,
    "editor.js": SCRIPT,
    "exercise.js": SCRIPT,
    "front.js": SCRIPT,
    "game.js": SCRIPT,
    "gamevalue.js": SCRIPT,
    "guide.js": SCRIPT,
    "history.js": SCRIPT,
    "icon.svg": SVG,
    "keys.js": SCRIPT,
    "main.js": SCRIPT,
    "motion.js": SCRIPT,
    "moves.js": SCRIPT,
    "names.js": SCRIPT,
    "opponent.js": SCRIPT,
    "pasted.js": SCRIPT,
    "pick.js": SCRIPT,
    "pieces.js": SCRIPT,
    "played.js": SCRIPT,
    "position.js": SCRIPT,
    "remark.js": SCRIPT,
    "render.js": SCRIPT,
    "report.js": SCRIPT,
    "route.js": SCRIPT,
    "say.js": SCRIPT,
    "server.js": SCRIPT,
    "session.js": SCRIPT,
    "setup.js": SCRIPT,
    "shapes.js": SCRIPT,
    "sharing.js": SCRIPT,
    "shortcuts.js": SCRIPT,
    "sizes.js": SCRIPT,
    "state.js": SCRIPT,
    "stats.js": SCRIPT,
    "stored.js": SCRIPT,
    "style.css": CSS,
    "theme.js": SCRIPT,
    "values.js": SCRIPT,
    "verdict.js": SCRIPT,
    "view.js": SCRIPT,
    "written.js": SCRIPT,
}

/// `text` without what a browser does not need: indentation, empty lines and lines of comments. These are lines that begin with `//`,
/// and those from `/*` at the beginning of a line to `*/` at the end of one. Texts in backquotes stay as they are.
fn shortened(text: &str) -> String {
    let (mut is_comment, mut is_text) = (false, false);
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = !is_text && !is_comment && trimmed.starts_with("/*");
        if is_comment || begins {
            is_comment = !trimmed.ends_with("*/");
        } else if is_text || !(trimmed.is_empty() || trimmed.starts_with("//")) {
            kept.push_str(if is_text { line } else { trimmed });
            kept.push('\n');
            is_text ^= line.matches('`').count() % 2 == 1;
        }
    }
    kept
}

/// Answers with the file at a path. It handles every address without a route of its own.
pub(super) async fn file(State(app): State<Arc<App>>, request: Request) -> Result<Response, Failure> {
    let (path, headers) = (request.uri().path(), request.headers());
    let path = ALIASES.iter().find(|(alias, _)| *alias == path).map_or(path, |(_, path)| path);
    let found = FILES.iter().find(|file| file.path == path);
    let Some(file) = found.filter(|_| matches!(request.method().as_str(), "GET" | "HEAD")) else {
        return Err(Failure::unknown("there is nothing at this address; /api/v1/openapi.json lists all addresses"));
    };
    let is_compressed = gzip::is_accepted(headers) && file.compressed.len() < file.content.len();
    let content: &'static [u8] = if is_compressed { &file.compressed } else { file.content.as_bytes() };
    let whole = || {
        let mut whole = reply::file(&file.tag, file.kind, Bytes::from_static(content));
        gzip::mark(whole.headers_mut(), is_compressed);
        whole
    };
    let mut response = file.tag.not_modified(headers).unwrap_or_else(whole);
    response.headers_mut().extend([
        (header::CONTENT_SECURITY_POLICY, app.policy.clone()),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ]);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        // What is sent to a browser that reads compressed files, and to one that does not.
        // Modules that are imported when they are needed are no part of the first view. With the lists of games and tables, of 15 kB, the
        // first view has at most 50 kB.
        let imports = |file: &PageFile, other: &PageFile| file.content.contains(&format!("from \".{}\"", other.path));
        let is_script = |file: &PageFile| file.kind == SCRIPT;
        let mut first: Vec<&PageFile> =
            FILES.iter().filter(|file| !is_script(file) || file.path == "/main.js").collect();
        let mut read = 0;
        while read < first.len() {
            let file = first[read];
            let is_new = |other: &&PageFile| imports(file, other) && first.iter().all(|known| known.path != other.path);
            let more: Vec<&PageFile> = FILES.iter().filter(is_new).collect();
            first.extend(more);
            read += 1;
        }
        let is_later = |path: &str| first.iter().all(|file| file.path != path);
        assert!(
            ["/board.js", "/exercise.js", "/game.js", "/position.js", "/setup.js", "/sharing.js"]
                .into_iter()
                .all(is_later)
        );
        assert!(!is_later("/front.js") && !is_later("/values.js"));
        let sent: usize = first.iter().map(|file| file.compressed.len()).sum();
        assert!(0 < sent && sent <= 32_000, "{sent} bytes compressed");
        let total: usize = first.iter().map(|file| file.content.len()).sum();
        assert!(total <= 100_000, "{total} bytes");
    }

    #[test]
    fn comments_and_indentation_are_left_out() {
        let text = "// One.\n/** Two\n * lines. */\n  let a = 1; // kept\n\n/* Three. */\nlet b = \"/*\";\n";
        assert_eq!(shortened(text), "let a = 1; // kept\nlet b = \"/*\";\n");
        let text = "  let a = `b\n  c\n\n// d\n  `;\n  let e;\n";
        assert_eq!(shortened(text), "let a = `b\n  c\n\n// d\n  `;\nlet e;\n");
    }

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page")).unwrap();
        let mut there: Vec<String> =
            folder.map(|entry| format!("/{}", entry.unwrap().file_name().into_string().unwrap())).collect();
        let mut served: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        assert_eq!(served[0], "/index.html");
        there.sort();
        served.sort_unstable();
        assert_eq!(there, served);
    }
}
