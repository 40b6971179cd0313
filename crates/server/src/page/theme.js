// The theme, dark or light: the choice of the user, or else the setting of the system.

import * as stored from "./stored.js";

export function setUp(select) {
  const apply = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  const known = [...select.options].map((option) => option.value);
  const theme = stored.get("theme");
  select.value = known.includes(theme) ? theme : "auto";
  apply(select.value);
  select.addEventListener("change", () => {
    apply(select.value);
    stored.set("theme", select.value);
  });
}
