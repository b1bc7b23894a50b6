import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { Config, loadConfig, readConfigFile } from "../config.ts";
import { isPlainObject } from "../event/canonical.ts";
import { resolveHome } from "../home.ts";
import { closestWord } from "../shown/did-you-mean.ts";
import { writeConfig } from "../write-config.ts";
import { print, printJson } from "./output.ts";
import { unexpectedArgument } from "./read-args.ts";

export const configCommand = defineCommand({
  meta: { name: "config", description: "Show the configuration, or set a key" },
  args: {
    key: {
      type: "positional",
      required: false,
      description: "show (default), or a key such as control.billing",
    },
    value: {
      type: "positional",
      required: false,
      mayBeEmpty: true,
      description: "New value, as JSON or plain text",
    },
    sources: { type: "boolean", description: "Show where each value comes from" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: ({ args }) => {
    const home = resolveHome();
    if (args.key === "show" && args.value !== undefined) throw unexpectedArgument("config", args.value);
    const path = args.key === undefined || args.key === "show" ? [] : toKeyPath(args.key);
    if (path.length > 0 && args.value !== undefined) {
      const [first, ...subpath] = path;
      const value = parseValue(args.value);
      checkValue(path, value);
      const before = readConfigFile(home)[first!];
      writeConfig(home, { [first!]: withValueAt(before, subpath, value) });
    }
    const { config, sources } = loadConfig(home);
    const shown: [name: string, value: unknown][] =
      path.length === 0 ? Object.entries(config) : [[path.join("."), valueAt(config, path)]];
    const sourceOf = (name: string) => sources[name.split(".")[0]!];
    if (args.json) {
      printJson(
        Object.fromEntries(
          shown.map(([name, value]) => [name, args.sources ? { value, source: sourceOf(name) } : value]),
        ),
      );
    } else {
      for (const [name, value] of shown)
        print(`${name} = ${JSON.stringify(value)}${args.sources ? `  (${sourceOf(name)})` : ""}`);
    }
  },
});

/** A key or a nested key such as `control.billing`. The defaults contain all of them. */
function toKeyPath(key: string): string[] {
  const path = key.split(".");
  if (valueAt(Config.parse({}), path) === undefined) throw unknownKey(key);
  return path;
}

/** Reports an invalid value as misuse; separate, so that an error in the file is not blamed on it. */
function checkValue(path: readonly string[], value: unknown): void {
  const issue = Config.safeParse(withValueAt({}, path, value)).error?.issues[0];
  if (issue === undefined) return;
  const isList = issue.code === "invalid_type" && issue.expected === "array";
  const how = isList ? `; write a list as JSON: '${JSON.stringify([value])}'` : "";
  throw new AppError("usage", `${path.join(".")}: ${issue.message}, not ${JSON.stringify(value)}${how}.`);
}

function unknownKey(key: string): AppError {
  const suggestion = closestWord(key, keysOf(Config.parse({}), ""));
  const how = suggestion === null ? "`hookline config` shows them." : `did you mean ${suggestion}?`;
  return new AppError("usage", `there is no key "${key}"; ${how}`);
}

/** All keys in dotted form, including those of nested objects. */
function keysOf(value: unknown, prefix: string): string[] {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    `${prefix}${name}`,
    ...keysOf(part, `${prefix}${name}.`),
  ]);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (isPlainObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );
}

/** Returns a copy with one part changed; everything else is preserved. */
function withValueAt(value: unknown, [name, ...subpath]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  const rest = isPlainObject(value) ? value : {};
  return { ...rest, [name]: withValueAt(rest[name], subpath, part) };
}

function parseValue(text: string): unknown {
  // Only plain digits are numbers, as everywhere else.
  if (/^-?\d[\d.]*e/i.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
