import { fileNamesIn } from "./command-words.ts";
import { filledTemplates, gitSettingScripts, keyValueCommands } from "./composed-inputs.ts";
import { EDITOR_TOOL, readEditorText } from "./editor-text.ts";
import { isCommandName } from "./nested-commands.ts";
import { readCell } from "./notebook-cells.ts";
import { patchedFiles } from "./patched-files.ts";
import { commandsInQuery, escapesDatabase, isPlainQuery, isQueryField } from "./sql-text.ts";
import { scriptsInText } from "./text-scripts.ts";
import { actionOfTool, isTypingTool, runsShell, type ToolAction } from "./tool-actions.ts";
import { fieldsOf, isLongJson, parseIfJson } from "./tool-fields.ts";
import {
  CODE_KEY,
  COMMAND_KEY,
  CONTENT_KEY,
  FIELD_OF_FILE,
  FILES_KEY,
  FOLDER_KEY,
  isIdentifier,
  MOUNT_KEY,
  SEARCH_KEY,
  TEXT_KEY,
} from "./tool-keys.ts";
import { scriptFromToolName, scriptsFromFields, scriptsFromWordLists } from "./tool-programs.ts";
import { classOfTool, isHttpRoute, isPathKey, isSelector, type JudgedTool, namesNoFile } from "./tools.ts";
import { spend } from "./work.ts";

/** What the values of another tool's input look like, whatever their keys. Only makes a verdict stricter. */
export interface GuessedInput {
  /** Values that look like a command line, or like its words. */
  readonly scripts: readonly string[];
  /** Values that may be code, or contain a command. */
  readonly codes: readonly string[];
  /** File names, the folders they may be in, and the files that are written, by a patch or otherwise. */
  readonly names: readonly string[];
  readonly folders: readonly string[];
  readonly patched: readonly string[];
  /** Every text that is not content: for addresses. */
  readonly texts: readonly string[];
  /** Statements with which a database reaches outside itself. */
  readonly queries: readonly string[];
  /** The input has more than is scanned. */
  readonly isCut: boolean;
}

const emptyGuess = (): MutableGuess => ({
  scripts: [],
  codes: [],
  names: [],
  folders: [],
  patched: [],
  texts: [],
  queries: [],
  isCut: false,
});

const MAX_VALUES = 2_000;
const MAX_DEPTH = 8;
const MAX_TEXT_LENGTH = 100_000;
const MAX_SCRIPTS = 200;
const MAX_FOLDERS = 4;

const TYPED_KEY = /^(?:values?|text|texts|keys?|chars?|characters|string|input|query|content)$/i;

/** Whether a value is for people, or typed where nothing runs it. */
function isTextForPeople({ action, isTyping }: Pick<Guess, "action" | "isTyping">, key: string): boolean {
  return (action === "talks" && TEXT_KEY.test(key)) || (isTyping && TYPED_KEY.test(key));
}

export function guessInput(tool: JudgedTool, input: Readonly<Record<string, unknown>>): GuessedInput {
  if (classOfTool(tool) !== "other") return emptyGuess();
  const { toolName } = tool;
  const guess: Guess = {
    action: actionOfTool(toolName),
    isShell: runsShell(toolName),
    toolName,
    isTyping: isTypingTool(toolName),
    valuesLeft: MAX_VALUES,
    found: emptyGuess(),
  };
  const nameScript = scriptFromToolName(
    toolName,
    input,
    (key, value) => TEXT_KEY.test(key) || namesNoFile(key, value),
  );
  if (nameScript !== undefined) addScript(guess, nameScript);
  visit(guess, input, { key: "", depth: 0, hasPath: false });
  visitParts(guess, input);
  return guess.found;
}

/** Visits what is assembled from several values. */
function visitParts(guess: Guess, input: Readonly<Record<string, unknown>>): void {
  for (const script of gitSettingScripts(guess.toolName, input)) addScript(guess, script);
  if (guess.action !== "talks")
    for (const text of filledTemplates(fieldsOf(input)))
      for (const script of scriptsInText(text, "pieces")) addScript(guess, script);
  const lines = keyValueCommands(guess.toolName, input) ?? [];
  guess.found.queries.push(...lines.filter((line) => escapesDatabase(line, true)));
}

type MutableGuess = { -readonly [Key in keyof GuessedInput]: Mutable<GuessedInput[Key]> };

interface Guess {
  readonly action: ToolAction;
  readonly isShell: boolean;
  readonly toolName: string;
  /** The tool types into a browser page or an app. */
  readonly isTyping: boolean;
  valuesLeft: number;
  readonly found: MutableGuess;
}

type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/** The position of a value. `hasPath`: a file is named next to it, so content is written there. */
interface ValuePosition {
  readonly key: string;
  readonly depth: number;
  readonly hasPath: boolean;
}

/** Each value is checked as a command, a path and code. */
const VALUE_COST = 1_000;

function visit(guess: Guess, value: unknown, position: ValuePosition): void {
  const { found } = guess;
  const { key, depth } = position;
  spend(VALUE_COST);
  if (guess.valuesLeft-- <= 0 || depth > MAX_DEPTH) {
    found.isCut = true;
    return;
  }
  if (/port|addr|listen|host|endpoint/i.test(key) && /^\d{1,5}$/.test(String(value)))
    found.texts.push(`:${String(value)}`);
  const isText = isTextForPeople(guess, key);
  if (typeof value === "string") {
    const inner = isText ? undefined : parseIfJson(value);
    const isFileContent = position.hasPath && CONTENT_KEY.test(key);
    if (!isText && !isFileContent && isLongJson(value)) found.isCut = true;
    if (inner !== undefined) visit(guess, inner, { ...position, depth: depth + 1 });
    visitText(guess, value, position);
  } else if (Array.isArray(value)) {
    if (!isText) for (const script of scriptsFromWordLists(value)) addScript(guess, script);
    for (const each of value) visit(guess, each, { ...position, depth: depth + 1 });
  } else if (typeof value === "object" && value !== null) visitFields(guess, value, position);
}

function visitFields(guess: Guess, value: object, { key, depth }: ValuePosition): void {
  const { found } = guess;
  for (const script of scriptsFromFields(value, (key) => isTextForPeople(guess, key)))
    addScript(guess, script);
  const hasPath = Object.keys(value).some(isPathKey);
  for (const [name, inner] of Object.entries(value)) {
    if (/\s/.test(name)) visitText(guess, name, { key: "", depth, hasPath });
    // Files by name, with the content for each.
    const isFile =
      /^[\w./-]{1,200}\.\w{1,10}$/.test(name) || (FILES_KEY.test(key) && !FIELD_OF_FILE.test(name));
    if (isFile && typeof inner === "string") found.patched.push(name);
    if (MOUNT_KEY.test(key))
      found.texts.push(`${/^(?:source|src|host)/i.test(name) ? String(inner) : name}:/x`);
    visit(guess, inner, { key: name, depth: depth + 1, hasPath });
  }
}

function visitText(guess: Guess, text: string, { key, hasPath }: ValuePosition): void {
  const { found, action, isShell } = guess;
  if (guess.isTyping && TYPED_KEY.test(key)) return;
  found.patched.push(...patchedFiles(text));
  visitQuery(guess, text, key);
  visitEditor(guess, text, key);
  const isContent = CONTENT_KEY.test(key) && (hasPath || action === "talks");
  const isText = action !== "runs" && (isContent || TEXT_KEY.test(key));
  if (!isText) found.texts.push(text);
  if (isText) {
    if (action !== "unknown" || isContent) return;
    for (const script of scriptsInText(text, "text")) addScript(guess, script);
    if (isCode(text)) addCode(guess, text);
    return;
  }
  if ((action === "searches" && SEARCH_KEY.test(key)) || isSelector(key)) return;
  if (text.length > MAX_TEXT_LENGTH) found.isCut = true;
  if (FOLDER_KEY.test(key) && /^[~./\w-][^\s\0]*$/.test(text)) {
    if (found.folders.length < MAX_FOLDERS) found.folders.push(text);
    else found.isCut = true;
  }
  if (
    !namesNoFile(key, text) &&
    !isIdentifier(guess.toolName, key, text) &&
    !isHttpRoute(guess.toolName, text)
  )
    found.names.push(...namesOf(text));
  const decoded = decodedCommand(text);
  if (decoded !== undefined) addScript(guess, decoded);
  const isCommand = COMMAND_KEY.test(key) && !(action === "talks" && /^lines?$/i.test(key));
  const mode =
    action === "runs" && (isShell || isCommand) && /\S\s+\S/.test(text)
      ? "shell"
      : action === "talks" && !isCommand
        ? "prose"
        : "pieces";
  if (isCommand && /\S\s+\S/.test(text)) addScript(guess, text);
  for (const script of scriptsInText(text, mode)) addScript(guess, script);
  // Options for the program that the tool starts.
  if (/^--?[a-zA-Z][\w-]*\s+\S/.test(text)) addScript(guess, `: ; x ${text}`);
  if (isPlainQuery(text, guess.toolName, key)) return;
  if (action === "runs" || isCommand || CODE_KEY.test(key) || (action !== "talks" && looksLikeCode(text)))
    addCode(guess, text);
}

/** A database statement: by the tool, by its key, or by how it starts. */
function visitQuery(guess: Guess, text: string, key: string): void {
  const { found, action, toolName } = guess;
  // A single word may be a value of a key-value command: those are read as one line.
  if (keyValueCommands(toolName, {}) !== null && !/\s/.test(text)) return;
  const isQuery = isQueryField(toolName, key);
  const isProse = action === "talks" || action === "searches";
  if ((isProse && !(isQuery && /sql|query|statement/i.test(key))) || !escapesDatabase(text, isQuery)) return;
  found.queries.push(text);
  for (const script of commandsInQuery(text)) addScript(guess, script);
}

/** An editor command: by the tool, or by its colon. */
function visitEditor(guess: Guess, text: string, key: string): void {
  const isTyped =
    guess.action !== "talks" && (EDITOR_TOOL.test(guess.toolName) || /^\s*(?:<esc>)?:[a-z\d%!]/i.test(text));
  if (!isTyped || CONTENT_KEY.test(key)) return;
  const { written, read, scripts } = readEditorText(text);
  guess.found.patched.push(...written);
  guess.found.names.push(...read.filter((name) => name.length > 1));
  for (const script of scripts) addScript(guess, script);
}

/** `halt the rollout`, a button called `reboot`: these commands take only options and times. */
const POWER_IN_PROSE =
  /^\s*(?:shutdown|reboot|halt|poweroff)(?:\s+(?!-|now\b|\+?\d+(?:\s|$)|\d{1,2}:\d{2}(?:\s|$))\S.*)?$/s;

function addScript({ found, action, isShell }: Guess, script: string): void {
  if (!(action === "runs" && isShell) && POWER_IN_PROSE.test(script)) return;
  if (found.scripts.includes(script)) return;
  if (found.scripts.length < MAX_SCRIPTS) found.scripts.push(script);
  else found.isCut = true;
}

function addCode(guess: Guess, code: string): void {
  if (code.length > MAX_TEXT_LENGTH) guess.found.isCut = true;
  guess.found.codes.push(code);
  const { scripts, written } = readCell(code);
  for (const script of scripts) addScript(guess, script);
  guess.found.patched.push(...written);
}

/** Addresses of other machines. */
const IS_REMOTE =
  /^(?:https?|wss?|ssh|git|s?ftp|s3|gs|data|mailto|[a-z]+sql|postgres|mongodb|redis|amqp)[+\w]*:\/\//i;

/** The files a value may name: `.env`, `HEAD:.env`, `.env#L1`, `f=@.env`, `repo://.env`, one per line. */
function namesOf(text: string): readonly string[] {
  if (/^file:\//i.test(text)) return [text];
  return text
    .split(/[\n\r]+/)
    .filter((line) => /^[^\s\0]{2,}$/.test(line) && !IS_REMOTE.test(line))
    .flatMap((line) => {
      const plain = normalizeSpelling(line).replace(/^[a-z][a-z\d+.-]*:\/\//i, "");
      const parts = [...fileNamesIn(plain), ...plain.split(/[#?]/, 1), ...plain.split(/[,;|]/)];
      return [...new Set([line, plain, ...parts])];
    })
    .filter((name) => name.length > 1);
}

/** Normalizes spellings of other systems and URLs: `C:\\x`, `.%65nv`. */
function normalizeSpelling(name: string): string {
  const isWindows = /^(?:[A-Za-z]:|~|%\w{1,30}%|\\)\\/.test(name) || !/\\(?![A-Za-z\d_]{3})/.test(name);
  const path = isWindows ? name.replaceAll("\\", "/") : name;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function startsWithCommand(text: string): boolean {
  const first = /^\s*(?:\$\s+|sudo\s+)?(\S+)\s+\S/.exec(text)?.[1] ?? "";
  return isCommandName(first.slice(first.lastIndexOf("/") + 1)) || /^\s*:\s*\(\)/.test(text);
}

/** A base64-encoded command. */
function decodedCommand(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text)) return undefined;
  const plain = Buffer.from(text, "base64").toString("latin1").replaceAll("\u0000", "");
  return /^[\t\n\r\x20-\x7e]+$/.test(plain) && startsWithCommand(plain) ? plain : undefined;
}

const CODE =
  /\b(?:import|require|subprocess|child_process|os\.|fs\.|system|popen|exec\w*|spawn\w*|eval|shutil|Process|Runtime|Remove-Item|Invoke-|unlink|rmtree|rmSync|open\s*\(|File\.|FileUtils|Path\(|shell|curl|rm)\b|\w\(\s*["'`]|=>|\$\(|;\s{0,20}$/m;

function looksLikeCode(text: string): boolean {
  return /\s|\(/.test(text) && CODE.test(text);
}

/** Code from its first word on. */
const STARTS_LIKE_CODE =
  /^\s*(?:#!|import\s|from\s+[\w.]+\s+import\b|(?:const|let|var)\s+[\w{[]|(?:await\s+)?[\w$.]+\(|[\w$]+\s*=[^=]|def\s|async\s|function\b|with\s+open|puts\s|print\s*[("'])/;

function isCode(text: string): boolean {
  return STARTS_LIKE_CODE.test(text) && looksLikeCode(text);
}
