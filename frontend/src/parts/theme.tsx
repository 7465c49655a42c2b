// Light or dark: as the system is, until somebody says otherwise.

import { useEffect, useState } from "preact/hooks";

const KEY = "statecrawl-theme";
const DARK = matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

function remembered(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // a file may have no storage
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // then it is for this visit only
  }
}

export function ThemeButton() {
  const [chosen, setChosen] = useState(remembered);
  const [system, setSystem] = useState(DARK.matches);
  const theme = chosen || (system ? "dark" : "light");
  useEffect(() => {
    const changed = () => setSystem(DARK.matches);
    DARK.addEventListener("change", changed);
    return () => DARK.removeEventListener("change", changed);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event("themechange"));
  }, [theme]);
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      class="icon"
      aria-label={`${other === "dark" ? "Dark" : "Light"} colours`}
      onClick={() => {
        remember(other);
        setChosen(other);
      }}
    >
      {theme === "dark" ? "☀" : "☾"}
    </button>
  );
}
