// Light or dark: as the system is, until somebody says otherwise.

import { useEffect, useState } from "preact/hooks";

const KEY = "statecrawl-theme";

function remembered(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // a file may have no storage
  }
}

export function ThemeButton() {
  const [theme, setTheme] = useState(remembered);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event("themechange"));
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // then it is for this visit only
    }
  }, [theme]);
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return (
    <button
      type="button"
      class="icon"
      aria-label={isDark ? "Light colours" : "Dark colours"}
      onClick={() => setTheme(isDark ? "light" : "dark")}
    >
      {isDark ? "☀" : "☾"}
    </button>
  );
}
