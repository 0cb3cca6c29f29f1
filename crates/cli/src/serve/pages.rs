//! The files of the page, which are part of this program. Nothing else is ever sent: no path leads to the disk.

/// A file of the page: its path on the server, its kind, its content.
pub(crate) struct Page {
    pub(crate) path: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) content: &'static [u8],
}

macro_rules! page {
    ($path:literal, $kind:literal, $file:literal) => {
        Page { path: $path, kind: $kind, content: include_bytes!(concat!("../../../../web/", $file)) }
    };
}

pub(crate) const PAGES: &[Page] = &[
    page!("/", "text/html; charset=utf-8", "index.html"),
    page!("/index.html", "text/html; charset=utf-8", "index.html"),
    page!("/solver.html", "text/html; charset=utf-8", "solver.html"),
    page!("/style.css", "text/css; charset=utf-8", "style.css"),
    page!("/answer.css", "text/css; charset=utf-8", "answer.css"),
    page!("/icon.svg", "image/svg+xml", "icon.svg"),
    page!("/main.js", "text/javascript; charset=utf-8", "main.js"),
    page!("/solver.js", "text/javascript; charset=utf-8", "solver.js"),
    page!("/checker.js", "text/javascript; charset=utf-8", "checker.js"),
    page!("/config.js", "text/javascript; charset=utf-8", "config.js"),
    page!("/editor.js", "text/javascript; charset=utf-8", "editor.js"),
    page!("/permalink.js", "text/javascript; charset=utf-8", "permalink.js"),
    page!("/result.js", "text/javascript; charset=utf-8", "result.js"),
    page!("/stepper.js", "text/javascript; charset=utf-8", "stepper.js"),
    page!("/dom.js", "text/javascript; charset=utf-8", "dom.js"),
    page!("/vendor/codemirror.js", "text/javascript; charset=utf-8", "vendor/codemirror.js"),
];

pub(crate) fn find(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|p| p.path == path)
}
