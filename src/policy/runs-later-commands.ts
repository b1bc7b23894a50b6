import { NAME_ONLY_PROGRAMS } from "./command-files.ts";
import { displayCommand } from "./display-command.ts";
import { ask, type Finding } from "./finding.ts";
import { gitRunsLater } from "./git-settings.ts";
import { isReadingProgram } from "./read-only/is-read-only.ts";
import {
  COMMON_PHRASES,
  RUNS_LATER_OPTIONS,
  RUNS_LATER_PHRASES,
  SUBCOMMAND_OF_OPTION,
  VSCODE_EDITOR,
  VSCODE_OPTION,
} from "./runs-later-phrases.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

/** Commands that change what runs later without naming a file. */
export function judgeRunsLater(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const runsLater =
    command.name === "git"
      ? gitRunsLater(command)
      : namesOf(command).some((name) => isRunsLaterCall(name, texts)) ||
        command.starters.some(({ name, words }) =>
          isRunsLaterCall(
            name,
            words.map((word) => word.text),
          ),
        );
  return runsLater ? ask("runs-later", `${displayCommand(command)} would change what runs later.`) : null;
}

/** Includes the scope of a scoped package: `npx @smithery/cli`. */
function namesOf({ name, path }: ShellCommand): readonly string[] {
  const scope = /^@([\w.-]+)\//.exec(path)?.[1];
  return scope === undefined ? [name] : [name, scope];
}

/** Alternatives for each word of a phrase. */
type Phrase = readonly (readonly string[])[];

const PHRASES = new Map<string, Phrase[]>();
for (const [programs, phrases] of RUNS_LATER_PHRASES)
  for (const program of programs.split(" "))
    PHRASES.set(program, [...(PHRASES.get(program) ?? []), ...phrasesOf(phrases)]);
const COMMON_PHRASE_LIST = phrasesOf(COMMON_PHRASES);

function phrasesOf(list: string): readonly Phrase[] {
  return list.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("|")));
}

/** They only select which script or program runs now. */
const RUNS_NOW = /^(?:run|run-script|exec|dlx)$/;
/** They start a package's program by its name. */
const PACKAGE_RUNNERS = /^(?:npm|yarn|pnpm|bun|bundle|poetry|pipenv|pdm|hatch|rye|uv|composer|mise|pixi)$/;
/** Plugins are part of the application being built; Claude Code has its own rules. */
const HAS_OWN_PLUGINS = /^(?:claude|cordova|ionic|phonegap|ns|tns|flutter|expo|nx|ng)$/;
/** How many words of a command are searched for a help option. */
const MAX_HELP_WORDS = 40;

function isRunsLaterCall(program: string, texts: readonly string[]): boolean {
  if (texts.slice(0, MAX_HELP_WORDS).some((text) => /^--(?:help|version)$/.test(text))) return false;
  const name = plainName(program);
  if (lacksOption(name, texts) || matchesOption(name, texts)) return true;
  // `python -m pip config set`
  const words = texts.filter((text) => !/^[-+/]/.test(text) || text === "/create");
  if (/^python[\d.]*$/.test(name) && texts.includes("-m")) {
    const at = texts.indexOf("-m") + 1;
    return isRunsLaterCall(texts[at] ?? "", texts.slice(at + 1));
  }
  const runsNow = RUNS_NOW.test(words[0] ?? "");
  const ownPhrases = PHRASES.get(name);
  if (!runsNow && ownPhrases?.some((phrase) => containsPhrase(phrase, words)) === true) return true;
  const run = PACKAGE_RUNNERS.test(name) ? words[runsNow ? 1 : 0] : undefined;
  if (run !== undefined && isRunsLaterCall(run, texts.slice(texts.indexOf(run) + 1))) return true;
  if (runsNow) return false;
  return (
    !NAME_ONLY_PROGRAMS.has(name) &&
    !isReadingProgram(name) &&
    !HAS_OWN_PLUGINS.test(name) &&
    COMMON_PHRASE_LIST.some((phrase) => containsPhrase(phrase, words))
  );
}

/** `pip3.12`, `husky@9`, `code.cmd`. */
function plainName(program: string): string {
  const name = program.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, "");
  const version = name.lastIndexOf("@");
  return (version > 0 ? name.slice(0, version) : name).replace(/^(pip)[\d.]+$/, "$1");
}

/** The first word may follow an option's value, and so may the next ones. */
function containsPhrase(phrase: Phrase, words: readonly string[]): boolean {
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

function matchesOption(name: string, texts: readonly string[]): boolean {
  if (VSCODE_EDITOR.test(name)) return texts.some((text) => VSCODE_OPTION.test(text));
  if (!Object.hasOwn(RUNS_LATER_OPTIONS, name)) return false;
  const verb = Object.hasOwn(SUBCOMMAND_OF_OPTION, name) ? SUBCOMMAND_OF_OPTION[name] : undefined;
  return (
    (verb === undefined || texts.includes(verb)) && texts.some((text) => RUNS_LATER_OPTIONS[name]!.test(text))
  );
}

/** Where the absence of an option matters. */
function lacksOption(name: string, texts: readonly string[]): boolean {
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
