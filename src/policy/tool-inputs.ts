import { isCommandName } from "./carried-commands.ts";
import { namesIn } from "./command-words.ts";
import { IS_EDITOR, readEditorText } from "./editor-text.ts";
import { readCell } from "./notebook-cells.ts";
import { patchedFiles } from "./patched-files.ts";
import { commandsInQuery, isPlainQuery, isQueryOf, leavesDatabase } from "./sql-text.ts";
import { scriptsInText } from "./text-scripts.ts";
import { doesBy, isTyping, runsShell, type ToolAct } from "./tool-acts.ts";
import { fieldsOf, parsedText } from "./tool-fields.ts";
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
import { filledTexts, gitSettingScripts, storeCommands } from "./tool-parts.ts";
import { programs, scriptOfTool, wordLists } from "./tool-programs.ts";
import { classOfTool, isPathKey, isRoute, isSelector, type JudgedTool, namesNoFile } from "./tools.ts";
import { spend } from "./work.ts";

/** What the values of another tool's input look like, whatever their keys are called. It only makes a verdict stricter. */
export interface GuessedInput {
  /** Values that read like a command line, or like its words. */
  readonly scripts: readonly string[];
  /** Values that may be code, or hold a command. */
  readonly codes: readonly string[];
  /** Names of files, the folders that they may lie in, and the files that are written, by a patch or else. */
  readonly names: readonly string[];
  readonly folders: readonly string[];
  readonly patched: readonly string[];
  /** Every text that is no content: for addresses. */
  readonly texts: readonly string[];
  /** Statements with which a database reaches out of itself. */
  readonly queries: readonly string[];
  /** There is more of it than is looked through. */
  readonly isCut: boolean;
}

const nothing = (): Found => ({
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
const DEEPEST = 8;
const LONGEST = 100_000;
const MAX_SCRIPTS = 200;
const MAX_FOLDERS = 4;

const TYPED_KEY = /^(?:values?|text|texts|keys?|chars?|characters|string|input|query|content)$/i;

/** Whether a value is for people, or typed where nothing runs it. */
function isSaidBy({ does, isTyping: types }: Pick<Guess, "does" | "isTyping">, key: string): boolean {
  return (does === "talks" && TEXT_KEY.test(key)) || (types && TYPED_KEY.test(key));
}

export function guessInput(tool: JudgedTool, input: Readonly<Record<string, unknown>>): GuessedInput {
  if (classOfTool(tool) !== "other") return nothing();
  const { toolName } = tool;
  const guess: Guess = {
    does: doesBy(toolName),
    isShell: runsShell(toolName),
    toolName,
    isTyping: isTyping(toolName),
    left: MAX_VALUES,
    found: nothing(),
  };
  const whole = scriptOfTool(toolName, input, (key, value) => TEXT_KEY.test(key) || namesNoFile(key, value));
  if (whole !== undefined) addScript(guess, whole);
  visit(guess, input, { key: "", depth: 0, hasPath: false });
  visitParts(guess, input);
  return guess.found;
}

/** What is put together of several values. */
function visitParts(guess: Guess, input: Readonly<Record<string, unknown>>): void {
  for (const script of gitSettingScripts(guess.toolName, input)) addScript(guess, script);
  if (guess.does !== "talks")
    for (const text of filledTexts(fieldsOf(input)))
      for (const script of scriptsInText(text, "pieces")) addScript(guess, script);
  const lines = storeCommands(guess.toolName, input) ?? [];
  guess.found.queries.push(...lines.filter((line) => leavesDatabase(line, true)));
}

type Found = { -readonly [Key in keyof GuessedInput]: Mutable<GuessedInput[Key]> };

interface Guess {
  readonly does: ToolAct;
  readonly isShell: boolean;
  readonly toolName: string;
  /** It types into a page of a browser or an app. */
  readonly isTyping: boolean;
  left: number;
  readonly found: Found;
}

type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/** Where a value stands. `hasPath`: a file is named beside it, so that content is written there. */
interface Place {
  readonly key: string;
  readonly depth: number;
  readonly hasPath: boolean;
}

/** Each value is looked at as a command, a path and code. */
const VALUE_COST = 1_000;

function visit(guess: Guess, value: unknown, place: Place): void {
  const { found } = guess;
  const { key, depth } = place;
  spend(VALUE_COST);
  if (guess.left-- <= 0 || depth > DEEPEST) {
    found.isCut = true;
    return;
  }
  if (/port|addr|listen|host|endpoint/i.test(key) && /^\d{1,5}$/.test(String(value)))
    found.texts.push(`:${String(value)}`);
  const isSaid = isSaidBy(guess, key);
  if (typeof value === "string") {
    const inner = isSaid ? undefined : parsedText(value);
    if (inner !== undefined) visit(guess, inner, { ...place, depth: depth + 1 });
    visitText(guess, value, place);
  } else if (Array.isArray(value)) {
    if (!isSaid) for (const script of wordLists(value)) addScript(guess, script);
    for (const each of value) visit(guess, each, { ...place, depth: depth + 1 });
  } else if (typeof value === "object" && value !== null) visitFields(guess, value, place);
}

function visitFields(guess: Guess, value: object, { key, depth }: Place): void {
  const { found } = guess;
  for (const script of programs(value, (key) => isSaidBy(guess, key))) addScript(guess, script);
  const hasPath = Object.keys(value).some(isPathKey);
  for (const [name, inner] of Object.entries(value)) {
    if (/\s/.test(name)) visitText(guess, name, { key: "", depth, hasPath });
    // Files by name, with what is written into each.
    const isFile =
      /^[\w./-]{1,200}\.\w{1,10}$/.test(name) || (FILES_KEY.test(key) && !FIELD_OF_FILE.test(name));
    if (isFile && typeof inner === "string") found.patched.push(name);
    if (MOUNT_KEY.test(key))
      found.texts.push(`${/^(?:source|src|host)/i.test(name) ? String(inner) : name}:/x`);
    visit(guess, inner, { key: name, depth: depth + 1, hasPath });
  }
}

function visitText(guess: Guess, text: string, { key, hasPath }: Place): void {
  const { found, does, isShell } = guess;
  if (guess.isTyping && TYPED_KEY.test(key)) return;
  found.patched.push(...patchedFiles(text));
  visitQuery(guess, text, key);
  visitEditor(guess, text, key);
  const isContent = CONTENT_KEY.test(key) && (hasPath || does === "talks");
  const isText = does !== "runs" && (isContent || TEXT_KEY.test(key));
  if (!isText) found.texts.push(text);
  if (isText) {
    if (does !== "unknown" || isContent) return;
    for (const script of scriptsInText(text, "whole")) addScript(guess, script);
    if (isWhollyCode(text)) addCode(guess, text);
    return;
  }
  if ((does === "searches" && SEARCH_KEY.test(key)) || isSelector(key)) return;
  if (text.length > LONGEST) found.isCut = true;
  if (FOLDER_KEY.test(key) && /^[~./\w-][^\s\0]{0,1000}$/.test(text) && found.folders.length < MAX_FOLDERS)
    found.folders.push(text);
  if (!namesNoFile(key, text) && !isIdentifier(guess.toolName, key, text) && !isRoute(guess.toolName, text))
    found.names.push(...namesOf(text));
  const decoded = decodedCommand(text);
  if (decoded !== undefined) addScript(guess, decoded);
  const isCommand = COMMAND_KEY.test(key) && !(does === "talks" && /^lines?$/i.test(key));
  const how =
    does === "runs" && (isShell || isCommand) && /\S\s+\S/.test(text)
      ? "shell"
      : does === "talks" && !isCommand
        ? "said"
        : "pieces";
  if (isCommand && /\S\s+\S/.test(text)) addScript(guess, text);
  for (const script of scriptsInText(text, how)) addScript(guess, script);
  // Options of whatever it starts.
  if (/^--?[a-zA-Z][\w-]*\s+\S/.test(text)) addScript(guess, `: ; x ${text}`);
  if (isPlainQuery(text, guess.toolName, key)) return;
  if (does === "runs" || isCommand || CODE_KEY.test(key) || (does !== "talks" && looksLikeCode(text)))
    addCode(guess, text);
}

/** A statement for a database: by the tool, by its key, or by how it begins. */
function visitQuery(guess: Guess, text: string, key: string): void {
  const { found, does, toolName } = guess;
  // One word of a command for a store of keys may be a value: they are read in one line.
  if (storeCommands(toolName, {}) !== null && !/\s/.test(text)) return;
  const isQuery = isQueryOf(toolName, key);
  const isSaid = does === "talks" || does === "searches";
  if ((isSaid && !(isQuery && /sql|query|statement/i.test(key))) || !leavesDatabase(text, isQuery)) return;
  found.queries.push(text);
  for (const script of commandsInQuery(text)) addScript(guess, script);
}

/** A command for an editor: by the tool, or by its colon. */
function visitEditor(guess: Guess, text: string, key: string): void {
  const isTyped =
    guess.does !== "talks" && (IS_EDITOR.test(guess.toolName) || /^\s*(?:<esc>)?:[a-z\d%!]/i.test(text));
  if (!isTyped || CONTENT_KEY.test(key)) return;
  const { written, read, scripts } = readEditorText(text);
  guess.found.patched.push(...written);
  guess.found.names.push(...read.filter((name) => name.length > 1));
  for (const script of scripts) addScript(guess, script);
}

/** `halt the rollout`, a button called `reboot`: these commands take options and times, and no other words. */
const POWER_IN_PROSE =
  /^\s*(?:shutdown|reboot|halt|poweroff)(?:\s+(?!-|now\b|\+?\d+(?:\s|$)|\d{1,2}:\d{2}(?:\s|$))\S.*)?$/s;

function addScript({ found, does, isShell }: Guess, script: string): void {
  if (!(does === "runs" && isShell) && POWER_IN_PROSE.test(script)) return;
  if (found.scripts.includes(script)) return;
  if (found.scripts.length < MAX_SCRIPTS) found.scripts.push(script);
  else found.isCut = true;
}

function addCode(guess: Guess, code: string): void {
  guess.found.codes.push(code);
  const { scripts, written } = readCell(code);
  for (const script of scripts) addScript(guess, script);
  guess.found.patched.push(...written);
}

const MAX_LINES = 50;

/** Addresses of other machines. */
const IS_REMOTE =
  /^(?:https?|wss?|ssh|git|s?ftp|s3|gs|data|mailto|[a-z]+sql|postgres|mongodb|redis|amqp)[+\w]*:\/\//i;

/** The files that a value may name: `.env`, `HEAD:.env`, `.env#L1`, `f=@.env`, `repo://.env`, one on each line. */
function namesOf(text: string): readonly string[] {
  if (/^file:\//i.test(text)) return [text];
  return text
    .split(/[\n\r]+/, MAX_LINES)
    .filter((line) => /^[^\s\0]{2,1000}$/.test(line) && !IS_REMOTE.test(line))
    .flatMap((line) => {
      const plain = spelled(line).replace(/^[a-z][a-z\d+.-]*:\/\//i, "");
      const parts = [...namesIn(plain), ...plain.split(/[#?]/, 1), ...plain.split(/[,;|]/)];
      return [...new Set([line, plain, ...parts])];
    })
    .filter((name) => name.length > 1);
}

/** As other systems and addresses write it: `C:\\x`, `.%65nv`. */
function spelled(name: string): string {
  const isWindows = /^(?:[A-Za-z]:|~|%\w{1,30}%|\\)\\/.test(name) || !/\\(?![A-Za-z\d_]{3})/.test(name);
  const path = isWindows ? name.replaceAll("\\", "/") : name;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function beginsLikeCommand(text: string): boolean {
  const first = /^\s*(?:\$\s+|sudo\s+)?(\S{1,200})\s+\S/.exec(text)?.[1] ?? "";
  return isCommandName(first.slice(first.lastIndexOf("/") + 1)) || /^\s*:\s*\(\)/.test(text);
}

/** A command that is written in base64. */
function decodedCommand(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text)) return undefined;
  const plain = Buffer.from(text, "base64").toString("latin1").replaceAll("\u0000", "");
  return /^[\t\n\r\x20-\x7e]+$/.test(plain) && beginsLikeCommand(plain) ? plain : undefined;
}

const CODE =
  /\b(?:import|require|subprocess|child_process|os\.|fs\.|system|popen|exec\w*|spawn\w*|eval|shutil|Process|Runtime|Remove-Item|Invoke-|unlink|rmtree|rmSync|open\s*\(|File\.|FileUtils|Path\(|shell|curl|rm)\b|\w\(\s*["'`]|=>|\$\(|;\s{0,20}$/m;

function looksLikeCode(text: string): boolean {
  return /\s|\(/.test(text) && CODE.test(text);
}

/** All of it, from its first word on. */
const BEGINS_CODE =
  /^\s*(?:#!|import\s|from\s+[\w.]+\s+import\b|(?:const|let|var)\s+[\w{[]|(?:await\s+)?[\w$.]+\(|[\w$]+\s*=[^=]|def\s|async\s|function\b|with\s+open|puts\s|print\s*[("'])/;

function isWhollyCode(text: string): boolean {
  return BEGINS_CODE.test(text) && looksLikeCode(text);
}
