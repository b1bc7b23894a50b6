import { createStore, useStore } from "../api/store.ts";

export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
}

const currentRoute = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) });
const route = createStore<Route>(currentRoute());
window.addEventListener("popstate", () => route.set(currentRoute()));

export function useRoute(): Route {
  return useStore(route);
}

export function go(to: string, mode: "push" | "replace" = "push"): void {
  if (to === location.pathname + location.search) return;
  history[mode === "push" ? "pushState" : "replaceState"](null, "", to);
  route.set(currentRoute());
  if (mode === "push") scrollTo(0, 0);
}

/** The values of `:names` if the pattern matches. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const patternParts = pattern.split("/");
  const pathParts = path.replace(/\/+$/, "").split("/");
  if (path === "/" ? pattern !== "/" : patternParts.length !== pathParts.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    const value = pathParts[index] ?? "";
    if (part.startsWith(":")) values[part.slice(1)] = decodePart(value);
    else if (part !== value) return path === "/" && pattern === "/" ? {} : null;
  }
  return values;
}

/** Invalidly encoded text is returned as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
