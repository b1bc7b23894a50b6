import { filesOf } from "./command-files.ts";
import { shown } from "./dangerous-commands.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { runsLater, steersItself } from "./later-commands.ts";
import { withoutBraces } from "./path-glob.ts";
import { type Places, pathsOf, shownPath } from "./places.ts";
import { type Protection, protectionOf, protectionOfGlob } from "./protected-files.ts";
import { type ShellCommand, UNKNOWN } from "./shell/shell-reading.ts";
import type { NamedPath } from "./tools.ts";

type Access = "read" | "write" | "move" | "mode" | "either" | "names";

/** What a tool's input says of files. */
export function judgeNamed(
  named: readonly NamedPath[],
  toolName: string,
  places: Places,
  protect: readonly string[],
): Finding | null {
  return gravest(
    named.map(({ path, access }) => judgePath(path, access, toolName, places, [places.cwd], protect)),
  );
}

/** The files a search is narrowed to. */
export function judgeSearched(glob: unknown, places: Places): Finding | null {
  if (typeof glob !== "string") return null;
  return gravest(
    withoutBraces(glob).map((each) => {
      const path = `${places.cwd}/${each}`;
      const found = protectionOfGlob(path, places) ?? protectionOf(path, places);
      return found === null ? null : judgement(found, "read", each, "Grep");
    }),
  );
}

/** What a command does to files: its redirections and its words. */
export function judgeCommandFiles(
  command: ShellCommand,
  places: Places,
  protect: readonly string[],
): Finding | null {
  const name = shown(command);
  const who = name === "``" ? "This" : name;
  return gravest([
    ...filesOf(command).map(({ text, isGlob, access }) => {
      const globs = isGlob ? pathsOf(text, places, knownOf(command.cwds, places)) : [];
      return gravest([
        ...globs.map((glob) => {
          const protection = protectionOfGlob(glob, places);
          return protection === null ? null : judgement(protection, access, text, who);
        }),
        judgePath(text, access, who, places, command.cwds, protect),
      ]);
    }),
    runsLater(command),
    steersItself(command),
  ]);
}

function knownOf(cwds: readonly string[], places: Places): readonly string[] {
  const known = cwds.filter((cwd) => !cwd.includes(UNKNOWN));
  return known.length > 0 ? known : [places.cwd];
}

function judgePath(
  text: string,
  access: Access,
  who: string,
  places: Places,
  cwds: readonly string[],
  protect: readonly string[],
): Finding | null {
  // Of a path that is not known, its end may still say what it is.
  const written = text.includes(UNKNOWN)
    ? text.slice(text.lastIndexOf(UNKNOWN) + 1).replace(/^\/*/, "")
    : text;
  if (written === "") return null;
  const findings = pathsOf(written, places, knownOf(cwds, places)).map((path) => {
    const protection = protectionOf(path, places, protect);
    return protection === null ? null : judgement(protection, access, shownPath(path, places), who);
  });
  return gravest(findings);
}

function judgement(protection: Protection, access: Access, path: string, who: string): Finding | null {
  if (access === "names") return null;
  const rule = protection.rule.replace(/^builtin\//, "");
  if (protection.kind === "secret") {
    if (access === "mode") return null;
    return access === "write"
      ? deny("write-secret-file", `${who} would change ${path}, ${protection.what}.`)
      : ask("read-secret-file", `${who} would use ${path}, ${protection.what}.`);
  }
  if (access === "read") return null;
  return ask(
    rule,
    `${who} would change ${path}: ${protection.kind === "later" ? protection.what : "it is protected by a rule"}.`,
  );
}
