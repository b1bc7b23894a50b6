import { asObject, type Json, list, nonEmpty } from "../../agents/read-json.ts";
import type { TrustReport } from "../control-contract.ts";
import { toSafeLine } from "./safe-line.ts";

type Item = TrustReport["items"][number];

/** What a settings file of a project would run, loosen or change, one line each. */
export function describeSettings(file: string, settings: Json): Item[] {
  const { hooks, permissions, ...rest } = settings;
  const items: Item[] = [
    { file, kind: "hooks", lines: describeHooks(asObject(hooks)), problem: null },
    { file, kind: "permissions", lines: describePermissions(asObject(permissions)), problem: null },
    { file, kind: "settings", lines: Object.entries(rest).flatMap(describeKey), problem: null },
  ];
  const filled = items.filter(({ lines }) => lines.length > 0);
  return filled.length > 0 ? filled : [{ file, kind: "settings", lines: [], problem: null }];
}

/** The commands that a settings file would run, verbatim. */
export function commandsIn(settings: Json): string[] {
  const commands: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (depth > 10 || typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string" && (key === "command" || /Helper$|Refresh$|Export$/.test(key)))
        commands.push(inner);
      else walk(inner, depth + 1);
    }
  };
  walk(settings, 0);
  return commands;
}

function describeHooks(hooks: Json): string[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [groups]).flatMap((group: unknown) => {
      const matcher = nonEmpty(asObject(group), "matcher");
      const trigger = matcher === undefined ? event : `${event}(${matcher})`;
      return list(asObject(group), "hooks").map((handler) => {
        const { type, command, url, prompt, ...rest } = asObject(handler);
        const target = command ?? url ?? prompt ?? JSON.stringify(handler);
        const extra = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
        return toSafeLine(`${trigger} ${String(type ?? "")}: ${String(target)}${extra}`);
      });
    }),
  );
}

function describePermissions(permissions: Json): string[] {
  return Object.entries(permissions).flatMap(([key, value]) =>
    Array.isArray(value)
      ? value.map((entry: unknown) =>
          toSafeLine(`${key}: ${typeof entry === "string" ? entry : JSON.stringify(entry)}`),
        )
      : [toSafeLine(`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)],
  );
}

function describeKey([key, value]: [string, unknown]): string[] {
  if (key === "env") {
    return Object.entries(asObject(value)).map(([name, inner]) => toSafeLine(`env ${name}=${String(inner)}`));
  }
  return [toSafeLine(`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)];
}
