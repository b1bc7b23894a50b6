import type { ArgDef, ArgsDef, CommandDef } from "citty";
import { COMMAND_GROUPS } from "./command-groups.ts";
import { displayWidth, truncateToWidth } from "./display-width.ts";
import { EXAMPLES, type Example, ROOT_EXAMPLES } from "./examples.ts";
import type { Paint } from "./paint.ts";

interface HelpOptions {
  readonly width: number;
  readonly paint: Paint;
}

type Row = readonly [label: string, about: string];

const GAP_CELLS = 2;
/** The description of a longer label starts on the next line. */
const MAX_LABEL_CELLS = 30;

/** `hookline --help`: all commands in groups. */
export async function rootHelp(
  root: CommandDef<never>,
  commands: ReadonlyMap<string, CommandDef<never>>,
  options: HelpOptions,
): Promise<string> {
  const { description = "" } = await metaOf(root);
  const groups = await Promise.all(
    COMMAND_GROUPS.map(async ([title, names]) => {
      const rows = names.map(
        async (name): Promise<Row> => [name, (await metaOf(commands.get(name)!)).description ?? ""],
      );
      return [title, await Promise.all(rows)] as const;
    }),
  );
  const labelCells = Math.max(...groups.flatMap(([, rows]) => rows.map(([label]) => label.length)));
  return [
    ...wrap(description, options.width),
    "",
    `${options.paint("bold", "Usage:")} hookline COMMAND [OPTIONS]`,
    ...groups.flatMap(([title, rows]) => section(title, rows, options, labelCells)),
    ...section("Options", [...(await optionRowsOf(root)), HELP_ROW], options),
    ...exampleLines(ROOT_EXAMPLES, options),
    "",
    ...wrap("See `hookline help COMMAND` for options and examples.", options.width),
  ].join("\n");
}

/** `hookline COMMAND --help`. No line is wider than the terminal, and none has trailing spaces. */
export async function commandHelp(command: CommandDef<never>, options: HelpOptions): Promise<string> {
  const { name = "", description = "" } = await metaOf(command);
  const positionals = (await argsOf(command)).filter(([, def]) => def.type === "positional");
  const words = positionals.map(([key, def]) => (def.required ? upper(key) : `[${upper(key)}]`));
  const argumentRows = positionals.map(([key, def]): Row => [upper(key), aboutOf(def)]);
  return [
    ...wrap(description, options.width),
    "",
    `${options.paint("bold", "Usage:")} ${[`hookline ${name}`, "[OPTIONS]", ...words].join(" ")}`,
    ...section("Arguments", argumentRows, options),
    ...section("Options", [...(await optionRowsOf(command)), HELP_ROW], options),
    ...exampleLines(EXAMPLES[name] ?? [], options),
  ].join("\n");
}

const HELP_ROW: Row = ["-h, --help", "Show this help"];

function section(title: string, rows: readonly Row[], options: HelpOptions, labelCells = 0): string[] {
  if (rows.length === 0) return [];
  return ["", options.paint("bold", `${title}:`), ...rowLines(rows, options.width, labelCells)];
}

/** Never wrapped in the middle: a comment that does not fit goes above its command. */
function exampleLines(examples: readonly Example[], { width, paint }: HelpOptions): string[] {
  if (examples.length === 0) return [];
  const indent = " ".repeat(GAP_CELLS);
  const cells = Math.max(...examples.map(([line]) => displayWidth(line)));
  const isBeside = examples.every(
    ([, about]) => GAP_CELLS + cells + GAP_CELLS + 2 + displayWidth(about) <= width,
  );
  const lines = examples.flatMap(([line, about]) =>
    isBeside
      ? [`${indent}${line.padEnd(cells)}${indent}${paint("dim", `# ${about}`)}`]
      : [`${indent}${paint("dim", `# ${about}`)}`, `${indent}${line}`],
  );
  return ["", paint("bold", "Examples:"), ...lines];
}

async function optionRowsOf(command: CommandDef<never>): Promise<Row[]> {
  return (await argsOf(command)).filter(([, def]) => def.type !== "positional").flatMap(optionRows);
}

async function argsOf(command: CommandDef<never>): Promise<[string, ArgDef][]> {
  return Object.entries(((await resolveValue(command.args)) ?? {}) as ArgsDef);
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

function rowLines(rows: readonly Row[], width: number, labelCells: number): string[] {
  const widest = Math.max(labelCells, ...rows.map(([label]) => displayWidth(label)));
  const column = Math.min(MAX_LABEL_CELLS, widest) + 2 * GAP_CELLS;
  const indent = " ".repeat(Math.min(column, Math.floor(width / 2)));
  return rows.flatMap(([label, about]) => {
    const first = `${" ".repeat(GAP_CELLS)}${label}`;
    const lines = wrap(about, width - indent.length);
    if (displayWidth(first) + GAP_CELLS > indent.length)
      return [truncateToWidth(first, width), ...lines.map((line) => `${indent}${line}`)];
    return lines.map((line, index) => `${index === 0 ? first.padEnd(indent.length) : indent}${line}`);
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
  return (await resolveValue(command.meta)) ?? {};
}

async function resolveValue<T>(value: T | (() => T | Promise<T>) | Promise<T>): Promise<T> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;
}
