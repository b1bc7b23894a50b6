import { scriptOfWords } from "./carried-commands.ts";
import { type Field, fieldsOf } from "./tool-fields.ts";

/** What a tool is given in parts, put together as it will be. */

const MAX_FILLED = 20;
const LONGEST_TEMPLATE = 4_096;
const LONGEST_VALUE = 500;
const PLACEHOLDER =
  /\{\{\s{0,4}[\w.]{1,64}\s{0,4}\}\}|\$?\{[\w.]{1,64}\}|\$\w{1,64}|<\w{1,64}>|%\(\w{1,64}\)s|%\w{1,64}%|(?<=\s):\w{1,64}/g;

/** Texts with values of the same input in their placeholders: `{ template: "rm -rf {path}", path: "/" }`. */
export function filledTexts(fields: readonly Field[]): readonly string[] {
  const values = new Map(
    fields
      .filter(({ value }) => String(value).length <= LONGEST_VALUE)
      .map(({ key, value }) => [key, String(value)]),
  );
  return fields
    .flatMap(({ value }) => {
      if (typeof value !== "string" || value.length > LONGEST_TEMPLATE) return [];
      const filled = value.replace(PLACEHOLDER, (whole) => {
        const name = whole.replace(/\)s$/, "").replace(/[^\w.]/g, "");
        return values.get(name) ?? values.get(name.slice(name.lastIndexOf(".") + 1)) ?? whole;
      });
      return filled === value ? [] : [filled];
    })
    .slice(0, MAX_FILLED);
}

const SETTING_KEY = /^(?:key|name|setting|option|variable|config_?key)$/i;
const MAX_SETTINGS = 50;

/** Settings of git, whichever way a tool takes them, as commands: `{ section: "core", key: "pager", value: "x" }`. */
export function gitSettingScripts(toolName: string, input: unknown): readonly string[] {
  if (!/git/i.test(toolName) || !/config|setting/i.test(`${toolName} ${Object.keys(input ?? {}).join(" ")}`))
    return [];
  const found: string[] = [];
  const add = (key: string, value: unknown): void => {
    if (found.length < MAX_SETTINGS && /^[a-z][\w-]*\..+$/i.test(key))
      found.push(scriptOfWords(["git", "config", key, String(value)]));
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > 4 || found.length >= MAX_SETTINGS) return;
    if (Array.isArray(value)) {
      if (value.length === 2 && typeof value[0] === "string") add(value[0], value[1]);
      for (const each of value) visit(each, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of settingsIn(value)) add(name, inner);
      for (const each of Object.values(value)) visit(each, depth + 1);
    } else if (typeof value === "string" && /^[\w.-]+=/.test(value))
      add(value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1));
  };
  visit(input, 0);
  return found;
}

const HOLDS_SETTINGS =
  /config|setting|^(?:entries|options|values|vars|variables|data|params|args|input|items|list)$/i;

/** The settings that the fields of one object say: by parts of a name, by whole names, or by sections. */
function settingsIn(value: object): readonly (readonly [string, unknown])[] {
  const fields = Object.entries(value);
  const textOf = (pattern: RegExp): string | undefined =>
    fields.find(([key, each]) => pattern.test(key) && typeof each === "string")?.[1];
  const parts = [textOf(/^section$/i), textOf(/^sub_?section$/i), textOf(SETTING_KEY)];
  const set = fields.find(([key]) => /^(?:value|val|to|data)$/i.test(key));
  const whole = parts.filter((part) => part !== undefined).join(".");
  return [
    ...(set === undefined || whole === "" ? [] : [[whole, set[1]] as const]),
    ...fields.flatMap(([key, inner]): readonly (readonly [string, unknown])[] => {
      if (typeof inner === "object" && inner !== null && !Array.isArray(inner) && !HOLDS_SETTINGS.test(key))
        return Object.entries(inner).map(([name, each]) => [`${key}.${name}`, each] as const);
      return key.includes(".") ? [[key, inner]] : [];
    }),
  ];
}

const COMMAND_KEY = /^(?:command|commands|cmd|name|op|operation|query|args|arguments|argv|action|verb)$/i;

/** The commands that a store of keys is given, in one line each; null where a tool is for none. */
export function storeCommands(toolName: string, input: object): readonly string[] | null {
  if (!/redis|valkey|keydb|dragonfly/i.test(toolName)) return null;
  const parts = Object.entries(input).map(([key, value]) => ({
    key,
    text: fieldsOf(value)
      .map((field) => String(field.value))
      .join(" "),
  }));
  const verb = (toolName.split("__").at(-1) ?? "").replace(/[_-]+/g, " ");
  const lines = parts.flatMap(({ key }, at) =>
    COMMAND_KEY.test(key)
      ? [
          parts
            .slice(at)
            .map(({ text }) => text)
            .join(" "),
        ]
      : [],
  );
  return [...lines, `${verb} ${parts.map(({ text }) => text).join(" ")}`];
}
