/** Light, dark, or as the system has it. Kept in this browser. */
export type Theme = "system" | "light" | "dark";

const KEY = "deputy.theme";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];

export function currentTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function setTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
