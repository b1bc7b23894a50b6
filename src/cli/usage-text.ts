import type { ArgDef, ArgsDef, CommandDef } from "citty";
import { displayWidth, truncateToWidth } from "./display-width.ts";
import type { Paint } from "./paint.ts";

interface UsageOptions {
  readonly width: number;
  readonly paint: Paint;
}

type Row = readonly [label: string, about: string];

const GAP = 2;
/** A longer label has its description on the next line. */
const MAX_LABEL = 30;

/** The `--help` text: no line is wider than the terminal, and none has trailing spaces. */
export async function usageText(
  command: CommandDef<never>,
  commands: readonly (readonly [string, CommandDef<never>])[],
  { width, paint }: UsageOptions,
): Promise<string> {
  const { name = "hookline", description = "" } = await metaOf(command);
  const args = Object.entries(((await resolved(command.args)) ?? {}) as ArgsDef);
  const positionals = args.filter(([, def]) => def.type === "positional");
  const options = args.filter(([, def]) => def.type !== "positional");
  const words = positionals.map(([key, def]) => (def.required ? upper(key) : `[${upper(key)}]`));
  const whole = name === "hookline" ? name : `hookline ${name}`;
  const rows = await Promise.all(
    commands.map(async ([key, each]): Promise<Row> => [key, (await metaOf(each)).description ?? ""]),
  );
  const usage = [whole, ...(commands.length > 0 ? ["COMMAND"] : []), "[OPTIONS]", ...words].join(" ");
  const part = (title: string, of: readonly Row[]): string[] =>
    of.length === 0 ? [] : ["", paint("bold", title), ...rowLines(of, width)];
  return [
    ...wrap(description, width),
    "",
    `${paint("bold", "Usage:")} ${usage}`,
    ...part(
      "Arguments:",
      positionals.map(([key, def]): Row => [upper(key), aboutOf(def)]),
    ),
    ...part("Options:", [...options.flatMap(optionRows), ["-h, --help", "Show this help"]]),
    ...part("Commands:", rows),
    ...(commands.length > 0 ? ["", "`hookline COMMAND --help` tells more about a command."] : []),
  ].join("\n");
}

function optionRows([name, def]: [string, ArgDef]): Row[] {
  const letters = ("alias" in def ? [def.alias ?? []].flat() : []).map((letter) => `-${letter}, `);
  const value = def.type === "boolean" ? "" : ` <${def.valueHint ?? "value"}>`;
  const row: Row = [`${letters.join("")}--${name}${value}`, aboutOf(def)];
  const off = "negativeDescription" in def ? def.negativeDescription : undefined;
  return off === undefined ? [row] : [row, [`--no-${name}`, off]];
}

function aboutOf({ description = "", ...def }: ArgDef): string {
  return def.default === undefined ? description : `${description} (default ${def.default})`;
}

function rowLines(rows: readonly Row[], width: number): string[] {
  const column = Math.min(MAX_LABEL, Math.max(...rows.map(([label]) => displayWidth(label)))) + 2 * GAP;
  const indent = " ".repeat(Math.min(column, Math.floor(width / 2)));
  return rows.flatMap(([label, about]) => {
    const first = `${" ".repeat(GAP)}${label}`;
    const lines = wrap(about, width - indent.length);
    if (displayWidth(first) + GAP > indent.length)
      return [truncateToWidth(first, width), ...lines.map((line) => `${indent}${line}`)];
    return lines.map((line, at) => `${at === 0 ? first.padEnd(indent.length) : indent}${line}`);
  });
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function upper(name: string): string {
  return name.toUpperCase();
}

async function metaOf(command: CommandDef<never>): Promise<{ name?: string; description?: string }> {
  return (await resolved(command.meta)) ?? {};
}

async function resolved<T>(value: T | (() => T | Promise<T>) | Promise<T>): Promise<T> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;
}
