import { createStore } from "../api/store.ts";

export type Theme = "system" | "light" | "dark";

const STORAGE_KEY = "hookline.theme";
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
export const theme = createStore<Theme>((localStorage.getItem(STORAGE_KEY) as Theme | null) ?? "system");

export function setTheme(next: Theme): void {
  localStorage.setItem(STORAGE_KEY, next);
  theme.set(next);
  applyTheme();
}

export function applyTheme(): void {
  const current = theme.get();
  document.documentElement.dataset["theme"] =
    current === "system" ? (darkScheme.matches ? "dark" : "light") : current;
  // The browser's own bar, if the page is installed as an app.
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name='theme-color']"))
    meta.content = backgroundColor;
}

darkScheme.addEventListener("change", applyTheme);
