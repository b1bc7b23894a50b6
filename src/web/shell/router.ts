import { createStore, useStore } from "../api/store.ts";

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });
const place = createStore<Place>(here());
window.addEventListener("popstate", () => place.set(here()));

export function usePlace(): Place {
  return useStore(place);
}

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (to === location.pathname + location.search) return;
  history[how === "push" ? "pushState" : "replaceState"](null, "", to);
  place.set(here());
  if (how === "push") scrollTo(0, 0);
}

/** The values of `:names` when a pattern fits. */
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

/** What is no encoding of anything stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
