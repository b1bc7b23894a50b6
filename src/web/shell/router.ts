import { createStore, useStore } from "../api/store.ts";

export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) });
const route = createStore<Route>(here());
window.addEventListener("popstate", () => route.set(here()));

export function useRoute(): Route {
  return useStore(route);
}

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (to === location.pathname + location.search) return;
  history[how === "push" ? "pushState" : "replaceState"](null, "", to);
  route.set(here());
  if (how === "push") scrollTo(0, 0);
}

/** The values of `:names` if the pattern matches. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.replace(/\/+$/, "").split("/");
  if (path === "/" ? pattern !== "/" : wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) values[part.slice(1)] = decoded(value);
    else if (part !== value) return path === "/" && pattern === "/" ? {} : null;
  }
  return values;
}

/** Text that is not validly encoded is used as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
