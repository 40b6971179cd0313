const longWord = 12;

// The words of a text, where a browser may break its lines: at spaces, and in a long path or name also after a slash,
// an underscore or two colons. Browsers also break lines at hyphens, as in "-" and "-rows"; pages.css forbids it here.
function words(text) {
    return text.split(/( +)/).flatMap((word) => {
        const parts = word.length > longWord ? word.split(/(?<=\w(?:\/|_|::))(?=\w)/) : [word];
        return parts.flatMap((part, index) => {
            const end = index + 1 < parts.length ? [document.createElement("wbr")] : [];
            if (!part.includes("-")) return [part, ...end];
            const unbroken = document.createElement("span");
            unbroken.className = "unbroken";
            unbroken.textContent = part;
            return [unbroken, ...end];
        });
    });
}

for (const code of document.querySelectorAll("main :not(pre) > code")) {
    const text = code.textContent;
    code.classList.toggle("long", text.length > 100);
    code.replaceChildren(...words(text));
}

// Headings that are paths.
for (const link of document.querySelectorAll("main a.header")) {
    if (link.childElementCount === 0 && !/[ -]/.test(link.textContent)) link.replaceChildren(...words(link.textContent));
}

// The tests of the console blocks need an empty line at the end. Readers do not.
for (const code of document.querySelectorAll("main pre > code")) {
    const last = code.lastChild;
    if (last?.nodeType === Node.TEXT_NODE) last.data = last.data.trimEnd();
}

// A wide picture stays legible on a narrow screen, where it scrolls.
for (const image of document.querySelectorAll("main label > img")) {
    const limit = () => (image.style.minWidth = `${0.65 * image.naturalWidth}px`);
    if (image.complete) limit();
    else image.addEventListener("load", limit);
}
