import { NAMES_ONLY } from "./command-files.ts";
import { ask, type Finding } from "./finding.ts";
import { gitRunsLater } from "./git-settings.ts";
import {
  COMMON_PHRASES,
  EDITOR,
  EDITOR_OPTION,
  LATER_OPTIONS,
  LATER_VERBS,
  OPTION_OF,
} from "./later-verbs.ts";
import { isReader } from "./read-only/is-read-only.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";

/** Commands that change what runs later without naming a file. */
export function runsLater(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const isLater =
    command.name === "git"
      ? gitRunsLater(command)
      : namesOf(command).some((name) => changesLater(name, texts)) ||
        command.starters.some(({ name, words }) =>
          changesLater(
            name,
            words.map((word) => word.text),
          ),
        );
  return isLater ? ask("runs-later", `${shown(command)} changes what runs later.`) : null;
}

/** Also the scope of a package that has one: `npx @smithery/cli`. */
function namesOf({ name, path }: ShellCommand): readonly string[] {
  const scope = /^@([\w.-]+)\//.exec(path)?.[1];
  return scope === undefined ? [name] : [name, scope];
}

/** Alternatives for each word of a phrase. */
type Phrase = readonly (readonly string[])[];

const PHRASES = new Map<string, Phrase[]>();
for (const [programs, phrases] of LATER_VERBS)
  for (const program of programs.split(" "))
    PHRASES.set(program, [...(PHRASES.get(program) ?? []), ...phrasesOf(phrases)]);
const COMMON = phrasesOf(COMMON_PHRASES);

function phrasesOf(list: string): readonly Phrase[] {
  return list.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("|")));
}

/** They only say which script or program runs now. */
const RUNS = /^(?:run|run-script|exec|dlx)$/;
/** They start what a package brings, by its name. */
const RUNNERS = /^(?:npm|yarn|pnpm|bun|bundle|poetry|pipenv|pdm|hatch|rye|uv|composer|mise|pixi)$/;
/** Plugins are part of the application that is built; Claude Code has rules of its own. */
const HAS_OWN_PLUGINS = /^(?:claude|cordova|ionic|phonegap|ns|tns|flutter|expo|nx|ng)$/;
/** More words than a subcommand stands behind. */
const MAX_WORDS = 40;

function changesLater(program: string, given: readonly string[]): boolean {
  const texts = given.slice(0, MAX_WORDS);
  if (texts.some((text) => /^--(?:help|version)$/.test(text))) return false;
  const name = plainName(program);
  if (byHand(name, texts) || byOption(name, given)) return true;
  // `python -m pip config set`
  const words = texts.filter((text) => !/^[-+/]/.test(text) || text === "/create");
  if (/^python[\d.]*$/.test(name) && texts.includes("-m")) {
    const at = texts.indexOf("-m") + 1;
    return changesLater(texts[at] ?? "", texts.slice(at + 1));
  }
  const isRunning = RUNS.test(words[0] ?? "");
  const own = PHRASES.get(name);
  if (!isRunning && own?.some((phrase) => isSaid(phrase, words)) === true) return true;
  const run = RUNNERS.test(name) ? words[isRunning ? 1 : 0] : undefined;
  if (run !== undefined && changesLater(run, texts.slice(texts.indexOf(run) + 1))) return true;
  if (isRunning) return false;
  return (
    !NAMES_ONLY.has(name) &&
    !isReader(name) &&
    !HAS_OWN_PLUGINS.test(name) &&
    COMMON.some((phrase) => isSaid(phrase, words))
  );
}

/** `pip3.12`, `husky@9`, `code.cmd`. */
function plainName(program: string): string {
  const name = program.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, "");
  const version = name.lastIndexOf("@");
  return (version > 0 ? name.slice(0, version) : name).replace(/^(pip)[\d.]+$/, "$1");
}

/** The first word may stand behind the value of an option, and so may the next ones. */
function isSaid(phrase: Phrase, words: readonly string[]): boolean {
  let at = 0;
  for (const [n, choices] of phrase.entries()) {
    const found = words.findIndex((word, index) => index >= at && isOneOf(word, choices));
    if (found < 0) return phrase.length === 1 && choices[0] === "*";
    if (found > at + 1) return false;
    at = found + 1;
    if (n === phrase.length - 1) return true;
  }
  return false;
}

function isOneOf(word: string, choices: readonly string[]): boolean {
  const [first] = choices;
  return first === "*" || (first === "*=" && word.includes("=")) || choices.includes(word.toLowerCase());
}

function byOption(name: string, texts: readonly string[]): boolean {
  if (EDITOR.test(name)) return texts.some((text) => EDITOR_OPTION.test(text));
  if (!Object.hasOwn(LATER_OPTIONS, name)) return false;
  const verb = Object.hasOwn(OPTION_OF, name) ? OPTION_OF[name] : undefined;
  return (
    (verb === undefined || texts.includes(verb)) && texts.some((text) => LATER_OPTIONS[name]!.test(text))
  );
}

/** Where it is the lack of an option that tells. */
function byHand(name: string, texts: readonly string[]): boolean {
  switch (name) {
    case "crontab":
    case "incrontab":
    case "fcrontab":
      return !texts.includes("-l");
    case "at":
    case "batch":
      return !texts.some((text) => /^-(?:l|c|V)$/.test(text));
    case "passwd":
      return !texts.some((text) => /^(?:-S|--status)$/.test(text));
    default:
      return false;
  }
}
