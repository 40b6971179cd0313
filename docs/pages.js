// Browsers break lines at hyphens, as in "-" and "-rows". After this, a command in prose or in a table breaks at its
// spaces only.
for (const code of document.querySelectorAll("main :not(pre) > code")) {
    const words = code.textContent.split(/( +)/).map((text) => {
        if (!text.includes("-")) return text;
        const word = document.createElement("span");
        word.className = "unbroken";
        word.textContent = text;
        return word;
    });
    code.replaceChildren(...words);
}
