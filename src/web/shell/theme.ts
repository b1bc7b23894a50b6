import { createStore } from "../api/store.ts";

export type Theme = "system" | "light" | "dark";

const KEY = "hookline.theme";
const system = matchMedia("(prefers-color-scheme: dark)");
export const theme = createStore<Theme>((localStorage.getItem(KEY) as Theme | null) ?? "system");

export function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.set(next);
  applyTheme();
}

export function applyTheme(): void {
  const chosen = theme.get();
  document.documentElement.dataset["theme"] =
    chosen === "system" ? (system.matches ? "dark" : "light") : chosen;
  // The browser's own bar, if the page is installed as an app.
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name='theme-color']"))
    meta.content = backgroundColor;
}

system.addEventListener("change", applyTheme);
