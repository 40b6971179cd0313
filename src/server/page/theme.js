// Dark or light: as the system says, unless the reader has chosen.

const KEY = "tablegen-theme";

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function setUp(select) {
  const apply = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  const known = [...select.options].map((option) => option.value);
  const theme = stored();
  select.value = known.includes(theme) ? theme : "auto";
  apply(select.value);
  select.addEventListener("change", () => {
    apply(select.value);
    try {
      localStorage.setItem(KEY, select.value);
    } catch {
      // Private windows may refuse: the choice then lasts as long as the page.
    }
  });
}
