import { type CommandFile, file, IS_BARE, meant, operands } from "./command-words.ts";
import { fedText } from "./ending-processes.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

const GIT_READS =
  /^(?:show|diff|blame|annotate|cat-file|difftool|archive|format-patch|add|stage|commit|hash-object|update-index|stash|notes|send-email|bundle|range-diff)$/;
const GIT_WRITES = /^(?:mv|clone|bundle|worktree|init|submodule)$/;
const GIT_RESTORES = /^(?:checkout|restore)$/;
/** Options of git's whose value is text. */
const GIT_TEXT =
  /^(?:-m|-am|--message|--author|--date|-C|-c|--reuse-message|--fixup|--squash|--trailer|-S|--format|--pretty|-G|--grep|--since|--until|-n)$/;

/** The files that git is given. */
export function byGit(command: ShellCommand): readonly CommandFile[] {
  const { args } = command;
  const written = args.flatMap((word, at) => {
    const attached = /^--(?:output(?:-directory)?|file|directory|prefix)=(.+)$/s.exec(word.text)?.[1];
    if (attached !== undefined) return [{ ...file(word, "write" as const), text: attached }];
    const before = args[at - 1]?.text ?? "";
    const isConfig =
      args.some((each) => each.text === "config") && !args.some((each) => GIT_LOOKS.test(each.text));
    return /^(?:-o|--output|--output-directory)$/.test(before) || (isConfig && /^(?:-f|--file)$/.test(before))
      ? [file(word, "write")]
      : [];
  });
  return [...written, ...byGitVerb(command).filter(isFileOfGit(command)), ...bundled(command)];
}

const GIT_LOOKS = /^(?:--get.*|--list|-l|get|list)$/;

function byGitVerb(command: ShellCommand): readonly CommandFile[] {
  const words = operands(command).filter((word) => {
    const before = command.args[command.args.indexOf(word) - 1]?.text ?? "";
    return !GIT_TEXT.test(before);
  });
  const at = words.findIndex((word) => /^[a-z-]+$/.test(word.text));
  const verb = words[at]?.text ?? "";
  const rest = words.slice(at + 1);
  const has = (pattern: RegExp): boolean => command.args.some((word) => pattern.test(word.text));
  if (verb === "grep") return rest.slice(1).flatMap(meant);
  if (verb === "apply" || verb === "am") return patched(command);
  if (GIT_READS.test(verb) || (verb === "log" && has(/^(?:-p|-u|--patch|-L.*)$/)))
    return rest.flatMap((word) => meant(word).map((each) => ({ ...each, isGlob: /[*?[]/.test(each.text) })));
  if (GIT_RESTORES.test(verb)) return rest.map((word) => file(word, "restore"));
  if (GIT_WRITES.test(verb) || (verb === "rm" && !has(/^--cached$/)))
    return rest.map((word) => file(word, "write"));
  return [];
}

/** The files that a patch in the text itself changes. */
export function patched(command: ShellCommand): readonly CommandFile[] {
  return [
    ...fedText(command).matchAll(/^(?:\+\+\+|---|\*\*\*|Index:|rename to) (?:[ab]\/)?([^\t\n]+)/gm),
  ].map(([, text = ""]) => ({ text, isGlob: false, access: "write" }));
}

/** Where no file is meant for sure, `add_access_token` is a branch. */
function isFileOfGit({ args }: ShellCommand): (file: CommandFile) => boolean {
  const takesFiles = args.some((word) =>
    /^(?:add|stage|rm|mv|hash-object|update-index|--no-index|--)$|:/.test(word.text),
  );
  return ({ text }) => takesFiles || !IS_BARE.test(text);
}

/** `git bundle create F`. */
function bundled({ args }: ShellCommand): readonly CommandFile[] {
  const at = args.findIndex((word, n) => word.text === "create" && args[n - 1]?.text === "bundle");
  const made = at < 0 ? undefined : args.slice(at + 1).find((word) => !word.text.startsWith("-"));
  return made === undefined ? [] : [file(made, "write")];
}
