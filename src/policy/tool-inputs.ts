import { isCommandName, scriptOfWords } from "./carried-commands.ts";
import { kindOfTool } from "./tools.ts";

/** What the values of another tool's input look like, whatever their keys are called. It only makes a verdict stricter. */
export interface GuessedInput {
  /** Values that read like a command line, or like its words. */
  readonly scripts: readonly string[];
  /** Values that may be code, or hold a command. */
  readonly codes: readonly string[];
  /** Names of files, and the files a patch changes. */
  readonly names: readonly string[];
  readonly patched: readonly string[];
  /** Every text that is no content: for addresses. */
  readonly texts: readonly string[];
  /** There is more of it than is looked through. */
  readonly isCut: boolean;
}

const NOTHING: GuessedInput = { scripts: [], codes: [], names: [], patched: [], texts: [], isCut: false };

const MOST_VALUES = 2_000;
const DEEPEST = 8;
const LONGEST = 100_000;
const MOST_SCRIPTS = 100;

/** Keys whose values are for people or models, or are what is written. */
const TEXT_KEY =
  /^(?:content|contents|text|body|message|messages|prompt|query|question|description|title|summary|comment|comments|reason|data|html|markdown|notes?|details|subject|label|pattern|regex|old_?string|new_?string|old_?str|new_?str|snippet|caption|reply)$/i;
/** What is written into files. */
const CONTENT_KEY =
  /^(?:contents?|file_?text|(?:new|old)_?(?:text|string|str|source|content)|replacement|html|markdown)$/i;
const COMMAND_KEY =
  /^(?:commands?|cmds?|cmd_?lines?|command_?lines?|argv|args|arguments|params|parameters|program|executable|exe|bin|binary|shell|bash|sh|zsh|line|lines|keys|stdin|invocation|entrypoint)$|_?(?:command|cmd)$/i;
/** May be of any language. */
const CODE_KEY =
  /^(?:script|scripts|code|source|statement|statements|exec|run|input|expression|expr|eval|sql|payload|task|job|function|body)$|_?(?:script|code)$/i;

/** By its name a tool runs what it is given, or only passes it on to people. */
const RUNS =
  /run|exec|eval|shell|term(?!s)|command|bash|spawn|script|repl|type|keys|stdin|send_?input|invoke|launch|process|console|notebook|jupyter|sandbox|ssh|tmux|python|code_?interp|powershell|query|sql/i;
const IS_TERMINAL = /(?:^|[^a-z])(?:term|terminal|shell|ssh|tmux|bash|exec|repl|jupyter|sandbox|console)/i;
const TALKS =
  /send|post|message|comment|chat|mail|note|issue|ticket|page|document|reply|memory|remember|recall|(?<![a-z])(?:push|put|save|commit|store)|upload|translate|summar|say|speak|notify|search|think|write|edit|create|update|append|insert|review|log|annotate/i;

export function guessInput(toolName: string, input: Readonly<Record<string, unknown>>): GuessedInput {
  if (kindOfTool(toolName) !== "other") return NOTHING;
  const guess: Guess = {
    does: doesBy(toolName),
    left: MOST_VALUES,
    found: { scripts: [], codes: [], names: [], patched: [], texts: [], isCut: false },
  };
  visit(guess, input, "", 0);
  return guess.found;
}

interface Guess {
  readonly does: "runs" | "talks" | "searches" | "unknown";
  left: number;
  readonly found: { -readonly [Key in keyof GuessedInput]: Mutable<GuessedInput[Key]> };
}

type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

function doesBy(toolName: string): Guess["does"] {
  const verb = toolName.split("__").at(-1) ?? toolName;
  const searches = /search|find|lookup|web/i.test(verb);
  if ((RUNS.test(verb) || IS_TERMINAL.test(toolName)) && !searches) return "runs";
  if (searches) return "searches";
  return TALKS.test(verb) ? "talks" : "unknown";
}

function visit(guess: Guess, value: unknown, key: string, depth: number): void {
  const { found, does } = guess;
  if (guess.left-- <= 0 || depth > DEEPEST) {
    found.isCut = true;
    return;
  }
  if (/port$/i.test(key) && /^\d{1,5}$/.test(String(value))) found.texts.push(`:${String(value)}`);
  const isSaid = TEXT_KEY.test(key) && does === "talks";
  if (typeof value === "string") {
    const inner = isSaid ? undefined : parsed(value);
    if (inner !== undefined) visit(guess, inner, key, depth + 1);
    visitText(guess, value, key);
  } else if (Array.isArray(value)) {
    if (!isSaid) for (const script of wordLists(value)) addScript(guess, script);
    for (const each of value) visit(guess, each, key, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    for (const script of programs(value)) addScript(guess, script);
    for (const [name, inner] of Object.entries(value)) {
      if (/\s/.test(name)) visitText(guess, name, "");
      // Files by name, with what is written into each.
      if (/^[\w./-]{1,200}\.\w{1,10}$/.test(name) && typeof inner === "string") found.patched.push(name);
      visit(guess, inner, name, depth + 1);
    }
  }
}

function visitText(guess: Guess, text: string, key: string): void {
  const { found, does } = guess;
  found.patched.push(...patchedFiles(text));
  const isWhole = isCommandLine(text);
  const isContent = CONTENT_KEY.test(key);
  const isText = does !== "runs" && (isContent || TEXT_KEY.test(key));
  if (!isText) found.texts.push(text);
  if (isText || does === "searches") {
    if (isWhole && does === "unknown" && !isContent) addScript(guess, text);
    return;
  }
  if (text.length > LONGEST) found.isCut = true;
  if (/^[\w.@~%-]{2,255}$|^file:\//i.test(text)) found.names.push(text);
  const decoded = decodedCommand(text);
  if (decoded !== undefined) addScript(guess, decoded);
  if (isWhole || (COMMAND_KEY.test(key) && /\S\s+\S/.test(text))) addScript(guess, text);
  if (
    does === "runs" ||
    COMMAND_KEY.test(key) ||
    CODE_KEY.test(key) ||
    (does !== "talks" && looksLikeCode(text))
  )
    found.codes.push(text);
}

function addScript({ found }: Guess, script: string): void {
  if (found.scripts.length < MOST_SCRIPTS) found.scripts.push(script);
  else found.isCut = true;
}

const MOST_PAIRS = 8;

/** The words of a command, in one list or in lists of lists. */
function wordLists(list: readonly unknown[]): readonly string[] {
  const words = list.flat(DEEPEST);
  const isWords = words.every((each) => typeof each === "string" || typeof each === "number");
  return isWords && words.length > 1 ? [scriptOfWords(words.map(String))] : [];
}

/** `{ program: "rm", arguments: ["-rf", "/"] }`: a name, and beside it words. */
function programs(value: object): readonly string[] {
  const fields = Object.values(value);
  const names = fields
    .filter((each): each is string => typeof each === "string" && /^[\w./~+-]{1,200}$/.test(each))
    .filter((each) => isCommandName(each.slice(each.lastIndexOf("/") + 1)))
    .slice(0, MOST_PAIRS);
  if (names.length === 0) return [];
  const words = fields.flatMap((each) => {
    if (typeof each === "string" && !names.includes(each) && each.length < 5_000) return [each];
    if (Array.isArray(each) && each.every((one) => typeof one === "string" || typeof one === "number"))
      return [scriptOfWords(each.slice(0, 500).map(String))];
    return [];
  });
  const rests = words.length > 1 ? [...words.slice(0, MOST_PAIRS), words.join(" ")] : words;
  return names.flatMap((name) => rests.map((rest) => `${name} ${rest}`));
}

/** A short text that begins with a command's name and has more words. */
function isCommandLine(text: string): boolean {
  return text.length <= 5_000 && beginsLikeCommand(text);
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

function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text) || !/[\]}"]$/.test(text.trimEnd()) || text.length > 50_000) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const PATCH =
  /^(?:\+\+\+ |\*\*\* (?:Add|Update|Delete|Move to)(?: File)?: |rename to )(?:[ab]\/)?([^\t\n]{1,1000})/gm;

/** The files that a patch changes, in either of the two usual forms. */
function patchedFiles(text: string): readonly string[] {
  return [...text.matchAll(PATCH)].map(([, file = ""]) => file.trim());
}
