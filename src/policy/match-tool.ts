import { changesCommands } from "./changing-variables.ts";
import { matchesText } from "./path-glob.ts";
import { matchesPlace, pathsOf } from "./places.ts";
import { onlyHarmlessRedirects } from "./read-only/redirects.ts";
import type { PolicyRequest, World } from "./request.ts";
import { splitMatch } from "./rules-match.ts";
import { isTooCostly, patternTrouble, patternWork, toRegExp } from "./rules-pattern.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { WRAPPERS } from "./shell/wrappers.ts";
import { lookAt, type Subject } from "./subject.ts";
import { isTooLong } from "./too-long.ts";
import { namedPaths } from "./tools.ts";
import { giveUp, spend, withinBudget } from "./work.ts";

/**
 * Whether a rule's matcher is for a request: `Bash`, `Edit|Write`, `Bash(npm test*)`, `mcp__memory__.*`, `*`. A
 * command fits when any of the commands it runs does, and so does one that is too long to look through: right for
 * denying and asking, too much for allowing.
 */
export function matchesTool(match: string, request: PolicyRequest, world: World): boolean {
  const matches = isTooLong(request)
    ? null
    : withinBudget(() => matchesSubject(match, lookAt(request, world)));
  return matches ?? readMatch(match, request.toolName).length > 0;
}

export function matchesSubject(match: string, subject: Subject): boolean {
  return readMatch(match, subject.request.toolName).some(
    (argument) => argument === null || matchesArgument(argument, subject, "any"),
  );
}

/** Whether a matcher covers all of a request that is no script. */
export function coversSubject(match: string, subject: Subject): boolean {
  return readMatch(match, subject.request.toolName).some(
    (argument) => argument === null || matchesArgument(argument, subject, "every"),
  );
}

/** Whether a matcher covers one command of a script, with what it is started by. */
export function coversCommand(match: string, toolName: string, command: ShellCommand): boolean {
  if (command.unread !== null || command.assigns.some(changesCommands)) return false;
  return readMatch(match, toolName).some((argument) => {
    if (argument === null) return true;
    if (!onlyHarmlessRedirects(command, () => true)) return false;
    return command.layers.some((layer, at) => {
      const isExact = !argument.includes("*");
      const outer = command.wrappers.slice(0, at);
      const inner = command.wrappers.slice(at);
      return (
        matchesScript(argument, layer) &&
        outer.every((name) => WRAPPERS[name]?.isHarmless) &&
        (isExact || inner.every((name) => Object.hasOwn(WRAPPERS, name)))
      );
    });
  });
}

/** The arguments of those parts of a matcher that name the tool; null for a part without one. */
function readMatch(match: string, toolName: string): readonly (string | null)[] {
  return splitMatch(match).flatMap((part) => {
    const [, name = "", argument = null] = /^([^()]*)(?:\((.*)\))?$/su.exec(part) ?? [];
    return name !== "" && matchesName(name.trim(), toolName) ? [argument] : [];
  });
}

function matchesName(pattern: string, toolName: string): boolean {
  if (pattern === "*" || pattern === toolName) return true;
  if (/^[\w-]*$/.test(pattern)) return false;
  // A star that repeats nothing is one of a glob.
  if (/^[\w*-]+$/.test(pattern)) return matchesText(pattern, toolName);
  if (patternTrouble(pattern) !== null) return false;
  if (isTooCostly(pattern, toolName)) giveUp();
  spend(patternWork(pattern, toolName));
  return toRegExp(`^(?:${pattern})$`, "u").test(toolName);
}

function matchesArgument(argument: string, subject: Subject, how: "any" | "every"): boolean {
  const { request, input, places, reading, script } = subject;
  if (script !== null && reading !== null) {
    // A script is covered command by command.
    if (how === "every") return false;
    return (
      matchesScript(argument, script.trim()) ||
      reading.commands.some((each) =>
        [...each.layers, ...plainTexts(each)].some((layer) => matchesScript(argument, layer)),
      )
    );
  }
  const named = namedPaths(request, input);
  if (named.length > 0) {
    const fits = named.map(({ path }) => {
      const matches = pathsOf(path, places).map((each) => matchesPlace(argument, each, places));
      return how === "any" ? matches.includes(true) : matches.every(Boolean);
    });
    return how === "any" ? fits.includes(true) : fits.every(Boolean);
  }
  if (argument.startsWith("domain:"))
    return matchesText(argument.slice("domain:".length), hostOf(input["url"]));
  return Object.values(input).some((value) => typeof value === "string" && matchesText(argument, value));
}

/** `npm test:*` is `npm test` and whatever follows; a star at the end after a blank may stand for nothing. */
function matchesScript(pattern: string, text: string): boolean {
  const prefix = pattern.endsWith(":*")
    ? pattern.slice(0, -2)
    : pattern.endsWith(" *")
      ? pattern.slice(0, -2)
      : null;
  if (prefix !== null && matchesText(prefix, text)) return true;
  return matchesText(pattern.endsWith(":*") ? `${prefix} *` : pattern, text);
}

const MOST_SKIPPED = 12;

/** With its bare name, `/bin/rm x` is `rm x`; and without options before a subcommand, `git -c a=b push` is `git push`. */
function plainTexts({ name, args }: ShellCommand): readonly string[] {
  const words = args.map((word) => word.shown);
  const isOption = (at: number): boolean => words[at]?.startsWith("-") === true;
  const texts = [[name, ...words].join(" ")];
  // A word after an option may be its value.
  for (let at = 0; at < MOST_SKIPPED && (isOption(at) || isOption(at - 1)); at++)
    texts.push([name, ...words.slice(at + 1)].join(" "));
  return texts;
}

function hostOf(url: unknown): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : "";
}
