//! The page and a server that has no time, in a real browser.

use super::page::Page;
use super::teach::EXERCISE;

/// Answers the next `times` probes with status 503, and with `headers`, instead of sending them.
fn refuse(page: &mut Page, times: u32, headers: &str) {
    page.browser.eval(&format!(
        "(() => {{ let left = {times}; const sent = window.fetch; window.fetch = (path, ...rest) => \
            path.includes('/probe?') && left-- > 0 \
                ? Promise.resolve(new Response('{{\"error\": \"busy\"}}', {{ status: 503, headers: {headers} }})) \
                : sent(path, ...rest); }})()"
    ));
}

#[test]
fn a_busy_server_is_asked_again() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=tictactoe");
    page.is_valued();
    refuse(&mut page, 2, "{ 'retry-after': '1' }");
    page.browser.click("#train");
    page.browser.wait(&format!("{EXERCISE}.includes('Find it')"));
    page.is_quiet();
}

#[test]
fn an_exercise_without_values_offers_other_sizes() {
    let Some(mut page) = Page::new() else { return };
    page.open("#game=connect-four&rows=4&cols=5");
    page.is_valued();
    // The server's time is over.
    refuse(&mut page, 1000, "{}");
    page.browser.click("#train");
    page.browser
        .wait(&format!("{EXERCISE}.includes('not known at this size') && document.querySelector('#smaller button')"));
    page.is_quiet();
}
