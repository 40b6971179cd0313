// The theme, dark or light: the choice of the user, or else the setting of the system.

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
      // Private windows may refuse to store the choice; it then lasts as long as the page.
    }
  });
}
