//! A headless Chromium, driven by its DevTools protocol over a pipe, without a port or another program.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Longer than any step takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// If this variable is set, a missing browser is a failure.
const NEEDED: &str = "TABLEGEN_NEEDS_BROWSER";
/// The names of the program on different systems.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page, which is closed when this value is dropped.
pub(super) struct Browser {
    child: Child,
    answers: Receiver<Value>,
    number: u64,
    session: Option<String>,
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser. Returns `None` and prints a note if this machine has none and need not have one.
    pub(super) fn start() -> Option<Self> {
        let Some(program) = found() else {
            let expected = format!("expected one of {} on the PATH, found none", NAMES.join(", "));
            assert!(std::env::var_os(NEEDED).is_none(), "{expected}; 'apt-get install chromium' has it");
            eprintln!("skipped: {expected}; the page is not tested");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let flags = [
            "--headless=new",
            // Chromium's sandbox does not work for root, who may run the tests. The page is our own.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-sync",
            "--mute-audio",
            "--remote-debugging-pipe",
            // Names are not resolved, so that no request can leave the machine.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ];
        // The browser reads from descriptor 3 and writes to descriptor 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1"]).arg(program).args(flags);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().unwrap();
        let (sender, answers) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { break };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self { child, answers, number: 0, session: None, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol.
    #[track_caller]
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(format!("{message}\0").as_bytes()).and_then(|()| input.flush()).unwrap();
        loop {
            let answer = self.answers.recv_timeout(PATIENCE);
            let mut answer = answer.unwrap_or_else(|error| panic!("{method}: an answer of the browser: {error}"));
            if answer["id"] != json!(self.number) {
                self.events.push(answer);
                continue;
            }
            assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
            return answer["result"].take();
        }
    }

    /// The value of a JavaScript expression.
    #[track_caller]
    pub(super) fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", asked);
        let fault = &answer["exceptionDetails"];
        assert!(fault.is_null(), "{expression}: {}", fault["exception"]["description"]);
        answer["result"]["value"].take()
    }

    #[track_caller]
    pub(super) fn text(&mut self, expression: &str) -> String {
        self.eval(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until `condition` is true.
    #[track_caller]
    pub(super) fn wait(&mut self, condition: &str) {
        let end = Instant::now() + PATIENCE;
        while self.eval(&format!("Boolean({condition})")) != json!(true) {
            assert!(
                Instant::now() < end,
                "waited for {condition}; the page says: {}",
                self.text("document.body.innerText")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens an address as a new page, as a link in another window would.
    #[track_caller]
    pub(super) fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.call("Page.navigate", json!({"url": address}));
    }

    /// Sets the size of the window, and the dark or light theme.
    pub(super) fn window(&mut self, width: u32, height: u32, is_dark: bool) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if is_dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// The middle of the element that `selector` finds.
    #[track_caller]
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let selector = json!(selector);
        let found = self.eval(&format!(
            "(() => {{ const box = document.querySelector({selector})?.getBoundingClientRect();
              return box ? [box.x + box.width / 2, box.y + box.height / 2] : null; }})()"
        ));
        let part = |part: usize| found[part].as_f64().unwrap_or_else(|| panic!("expected {selector} on the page"));
        (part(0), part(1))
    }

    /// Scrolls to the element that `selector` finds.
    fn scroll_to(&mut self, selector: &str) {
        let selector = json!(selector);
        self.eval(&format!("document.querySelector({selector})?.scrollIntoView({{ block: 'center' }})"));
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), button: &str) {
        let buttons = u8::from(button == "left");
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Clicks with the mouse.
    #[track_caller]
    pub(super) fn click(&mut self, selector: &str) {
        self.scroll_to(selector);
        let at = self.middle(selector);
        self.mouse("mouseMoved", at, "none");
        self.mouse("mousePressed", at, "left");
        self.mouse("mouseReleased", at, "left");
    }

    /// Drags from one element to another.
    #[track_caller]
    pub(super) fn drag(&mut self, from: &str, to: &str) {
        self.scroll_to(from);
        let (from, to) = (self.middle(from), self.middle(to));
        self.mouse("mousePressed", from, "left");
        for step in 1..=8 {
            let part = f64::from(step) / 8.0;
            let at = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            self.mouse("mouseMoved", at, "left");
        }
        self.mouse("mouseReleased", to, "left");
    }

    /// Presses a key, by its name in JavaScript.
    pub(super) fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => u32::from(key.to_ascii_uppercase().as_bytes()[0]),
        };
        let text = match key {
            "Enter" => "\r",
            _ if key.len() == 1 => key,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event = json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// The new messages on the console: logs, exceptions, files that failed to load.
    pub(super) fn console(&mut self) -> Vec<String> {
        self.eval("new Promise((done) => setTimeout(done))");
        let kinds = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
        let is_said = |event: &Value| kinds.iter().any(|kind| event["method"] == *kind);
        // The browser notes each answer of a busy server, which the page asks again.
        let is_busy = |event: &Value| {
            event["params"]["entry"]["text"].as_str().is_some_and(|text| text.contains("status of 503"))
        };
        let kept = self.events.iter().filter(|event| is_said(event) && !is_busy(event));
        let said = kept.map(|event| event["params"].to_string()).collect();
        self.events.retain(|event| !is_said(event));
        said
    }

    /// Every address that the page has requested.
    pub(super) fn requests(&self) -> Vec<String> {
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.map(|event| event["params"]["request"]["url"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // If the browser closes itself, its child processes end too. It is killed only if it does not respond.
        if let Some(input) = self.child.stdin.as_mut() {
            let _ = input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0").and_then(|()| input.flush());
        }
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path of the browser on this machine.
fn found() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let in_folders =
        |name: &str| folders.iter().map(|folder| folder.join(OsStr::new(name))).find(|path| path.is_file());
    NAMES.iter().find_map(|name| in_folders(name))
}
