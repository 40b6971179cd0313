//! The page while the server does not answer, and afterwards.

use serde_json::json;

use super::page::Page;

/// Takes the server away from the page, or gives it back.
fn is_offline(page: &mut Page, is_offline: bool) {
    let network = json!({"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    page.browser.call("Network.emulateNetworkConditions", network);
}

#[test]
fn a_button_that_failed_without_the_server_works_again_with_it() {
    let Some(mut page) = Page::new() else { return };
    for (button, opened) in [
        ("#train", "document.querySelector('#exercise .task')"),
        ("#setpieces", "document.getElementById('begin')?.checkVisibility()"),
        ("#keylist", "document.getElementById('keys').open"),
        ("#share", "document.getElementById('sharing').open"),
    ] {
        page.open("#game=tictactoe");
        page.browser.wait("document.getElementById('setpieces').checkVisibility()");
        is_offline(&mut page, true);
        page.browser.click(button);
        page.browser.wait("document.getElementById('notice').textContent.startsWith('The server does not answer')");
        is_offline(&mut page, false);
        page.browser.click(button);
        page.browser.wait(opened);
    }
    // So does a link of the first page.
    page.open_front();
    is_offline(&mut page, true);
    page.browser.click(".card[data-game=tictactoe]");
    page.browser.wait("document.getElementById('refusal').textContent.startsWith('The server does not answer')");
    is_offline(&mut page, false);
    page.browser.click(".card[data-game=tictactoe]");
    page.shown();
}
