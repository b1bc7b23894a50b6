import { quoteWords } from "./nested-commands.ts";
import { type Field, fieldsOf } from "./tool-fields.ts";
import { giveUp, spend } from "./work.ts";

/** Assembles values that a tool's input has in parts. */

const MAX_FILLED_TEMPLATES = 20;
/** Longer values are prose, not templates. */
const MAX_TEMPLATE_LENGTH = 32_768;
const PLACEHOLDER =
  /\{\{\s{0,4}[\w.]{1,64}\s{0,4}\}\}|\$?\{[\w.]{1,64}\}|\$\w{1,64}|<\w{1,64}>|%\(\w{1,64}\)s|%\w{1,64}%|(?<=\s):\w{1,64}/g;

/** Texts with their placeholders filled from the same input: `{ template: "rm -rf {path}", path: "/" }`. */
export function filledTemplates(fields: readonly Field[]): readonly string[] {
  const values = new Map(fields.map(({ key, value }) => [key, String(value)]));
  const filledTexts = fields.flatMap(({ value }) => {
    if (typeof value !== "string" || value.length > MAX_TEMPLATE_LENGTH) return [];
    const filled = value.replace(PLACEHOLDER, (placeholder) => {
      const name = placeholder.replace(/\)s$/, "").replace(/[^\w.]/g, "");
      const found = values.get(name) ?? values.get(name.slice(name.lastIndexOf(".") + 1)) ?? placeholder;
      spend(found.length);
      return found;
    });
    return filled === value ? [] : [filled];
  });
  if (filledTexts.length > MAX_FILLED_TEMPLATES) giveUp();
  return filledTexts;
}

const SETTING_KEY = /^(?:key|name|setting|option|variable|config_?key)$/i;
const MAX_SETTINGS = 50;

/** Git settings in any form a tool accepts, as commands: `{ section: "core", key: "pager", value: "x" }`. */
export function gitSettingScripts(toolName: string, input: unknown): readonly string[] {
  if (!/git/i.test(toolName) || !/config|setting/i.test(`${toolName} ${Object.keys(input ?? {}).join(" ")}`))
    return [];
  const found: string[] = [];
  const add = (key: string, value: unknown): void => {
    if (!/^[a-z][\w-]*\..+$/i.test(key)) return;
    if (found.length >= MAX_SETTINGS) giveUp();
    found.push(quoteWords(["git", "config", key, String(value)]));
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      if (value.length === 2 && typeof value[0] === "string") add(value[0], value[1]);
      for (const each of value) visit(each);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of settingsIn(value)) add(name, inner);
      for (const each of Object.values(value)) visit(each);
    } else if (typeof value === "string" && /^[\w.-]+=/.test(value))
      add(value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1));
  };
  visit(input);
  return found;
}

const HOLDS_SETTINGS =
  /config|setting|^(?:entries|options|values|vars|variables|data|params|args|input|items|list)$/i;

/** The settings in one object's fields: by parts of a name, by full names, or by sections. */
function settingsIn(value: object): readonly (readonly [string, unknown])[] {
  const fields = Object.entries(value);
  const textOf = (pattern: RegExp): string | undefined =>
    fields.find(([key, each]) => pattern.test(key) && typeof each === "string")?.[1];
  const parts = [textOf(/^section$/i), textOf(/^sub_?section$/i), textOf(SETTING_KEY)];
  const set = fields.find(([key]) => /^(?:value|val|to|data)$/i.test(key));
  const fullName = parts.filter((part) => part !== undefined).join(".");
  return [
    ...(set === undefined || fullName === "" ? [] : [[fullName, set[1]] as const]),
    ...fields.flatMap(([key, inner]): readonly (readonly [string, unknown])[] => {
      if (typeof inner === "object" && inner !== null && !Array.isArray(inner) && !HOLDS_SETTINGS.test(key))
        return Object.entries(inner).map(([name, each]) => [`${key}.${name}`, each] as const);
      return key.includes(".") ? [[key, inner]] : [];
    }),
  ];
}

const COMMAND_KEY = /^(?:command|commands|cmd|name|op|operation|query|args|arguments|argv|action|verb)$/i;

/** The commands for a key-value store, one line each; null for a tool of another kind. */
export function keyValueCommands(toolName: string, input: object): readonly string[] | null {
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
