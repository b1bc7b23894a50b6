import { type InspectedRequest, inspectRequest } from "./inspect-request.ts";
import { matchesLocation, pathsOf } from "./locations.ts";
import { matchesText } from "./path-glob.ts";
import { hasHarmlessRedirects } from "./read-only/harmless-redirects.ts";
import type { PolicyRequest, World } from "./request.ts";
import { splitMatcher } from "./rules-matcher.ts";
import { isTooCostly, patternProblem, patternWork, toRegExp } from "./rules-pattern.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { WRAPPERS } from "./shell/wrappers.ts";
import { isTooLong } from "./too-long.ts";
import { namedPaths } from "./tools.ts";
import { isUnsafeVariable } from "./unsafe-variables.ts";
import { giveUp, spend, withinBudget } from "./work.ts";

/**
 * Whether a rule's matcher applies to a request: `Bash`, `Edit|Write`, `Bash(npm test*)`, `mcp__memory__.*`, `*`. A
 * script matches when any of its commands does, and so does one that is too long to scan: right for denying and asking,
 * too broad for allowing.
 */
export function matchesTool(match: string, request: PolicyRequest, world: World): boolean {
  const matches = isTooLong(request)
    ? null
    : withinBudget(() => matchesRequest(match, inspectRequest(request, world)));
  return matches ?? readMatch(match, request.toolName).length > 0;
}

export function matchesRequest(match: string, subject: InspectedRequest): boolean {
  return readMatch(match, subject.request.toolName).some(
    (argument) => argument === null || matchesArgument(argument, subject, "any"),
  );
}

/** Whether a matcher covers a whole request that is not a script. */
export function coversRequest(match: string, subject: InspectedRequest): boolean {
  return readMatch(match, subject.request.toolName).some(
    (argument) => argument === null || matchesArgument(argument, subject, "every"),
  );
}

/** Whether a matcher covers one command of a script, including its wrappers. */
export function coversCommand(match: string, toolName: string, command: ShellCommand): boolean {
  if (command.hiddenCode !== null || command.assignedVariables.some(isUnsafeVariable)) return false;
  return readMatch(match, toolName).some((argument) => {
    if (argument === null) return true;
    if (!hasHarmlessRedirects(command, () => true)) return false;
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

/** The arguments of the matcher parts that name the tool; null for a part without one. */
function readMatch(match: string, toolName: string): readonly (string | null)[] {
  return splitMatcher(match).flatMap((part) => {
    const [, name = "", argument = null] = /^([^()]*)(?:\((.*)\))?$/su.exec(part) ?? [];
    return name !== "" && matchesName(name.trim(), toolName) ? [argument] : [];
  });
}

function matchesName(pattern: string, toolName: string): boolean {
  if (pattern === "*" || pattern === toolName) return true;
  if (/^[\w-]*$/.test(pattern)) return false;
  // A star with nothing before it to repeat is a glob's.
  if (/^[\w*-]+$/.test(pattern)) return matchesText(pattern, toolName);
  if (patternProblem(pattern) !== null) return false;
  if (isTooCostly(pattern, toolName)) giveUp();
  spend(patternWork(pattern, toolName));
  return toRegExp(`^(?:${pattern})$`, "u").test(toolName);
}

function matchesArgument(argument: string, subject: InspectedRequest, quantifier: "any" | "every"): boolean {
  const { request, input, locations, reading, script } = subject;
  if (script !== null && reading !== null) {
    // A script is covered command by command.
    if (quantifier === "every") return false;
    return (
      matchesScript(argument, script.trim()) ||
      reading.commands.some((each) =>
        [...each.layers, ...plainTexts(each)].some((layer) => matchesScript(argument, layer)),
      )
    );
  }
  const named = namedPaths(request, input);
  if (named.length > 0) {
    const results = named.map(({ path }) => {
      const matches = pathsOf(path, locations).map((each) => matchesLocation(argument, each, locations));
      return quantifier === "any" ? matches.includes(true) : matches.every(Boolean);
    });
    return quantifier === "any" ? results.includes(true) : results.every(Boolean);
  }
  if (argument.startsWith("domain:"))
    return matchesText(argument.slice("domain:".length), hostOf(input["url"]));
  return Object.values(input).some((value) => typeof value === "string" && matchesText(argument, value));
}

/** `npm test:*` is `npm test` and anything after it; a star at the end after a space may match nothing. */
function matchesScript(pattern: string, text: string): boolean {
  const prefix = pattern.endsWith(":*")
    ? pattern.slice(0, -2)
    : pattern.endsWith(" *")
      ? pattern.slice(0, -2)
      : null;
  if (prefix !== null && matchesText(prefix, text)) return true;
  return matchesText(pattern.endsWith(":*") ? `${prefix} *` : pattern, text);
}

/** By bare name, `/bin/rm x` is `rm x`; without options before the verb, `git -c a=b push` is `git push`. */
function plainTexts({ name, args }: ShellCommand): readonly string[] {
  const words = args.map((word) => word.display);
  const isOption = (at: number): boolean => words[at]?.startsWith("-") === true;
  const texts = [[name, ...words].join(" ")];
  // A word after an option may be its value.
  for (let at = 0; isOption(at) || isOption(at - 1); at++) {
    spend(20 * (words.length - at));
    texts.push([name, ...words.slice(at + 1)].join(" "));
  }
  return texts;
}

function hostOf(url: unknown): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : "";
}
