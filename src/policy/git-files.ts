import { BARE_SECRET_NAME, type CommandFile, filesInWord, operands, toCommandFile } from "./command-words.ts";
import { stdinText } from "./killed-processes.ts";
import { literalWord, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

/** They print names or move branches, and show no file contents. Any other verb counts as reading. */
const GIT_NAMES =
  /^(?:status|ls-files|ls-tree|check-ignore|check-attr|rev-parse|rev-list|branch|remote|fetch|push|pull|reset|clean|describe|shortlog|merge-base|name-rev|for-each-ref|show-ref|symbolic-ref|show-branch|count-objects|gc|fsck|prune|switch|rebase|cherry-pick|revert|merge|tag|config|version|help|sparse-checkout|maintenance|bisect|cherry|log|reflog|ls-remote|update-ref|repack|var|rm|lfs)$/;
/** With one of these, `log` and similar verbs show what changed. */
const GIT_PATCH =
  /^(?:-[a-zA-Z]*[puW]|-[a-zA-Z]*[cm]|-U\d*|-L.*|--(?:patch|patch-with-stat|patch-with-raw|unified|function-context|cc|combined-all-paths|word-diff|word-diff-regex|color-words|binary|diff-merges|remerge-diff|full-index|ext-diff|textconv)(?:=.*)?)$/;
const GIT_WRITES = /^(?:mv|clone|bundle|worktree|init|submodule)$/;
const GIT_RESTORES = /^(?:checkout|restore)$/;
/** Git options whose value is text. */
const GIT_TEXT =
  /^(?:-m|-am|--message|--author|--date|-C|-c|--reuse-message|--fixup|--squash|--trailer|-S|--format|--pretty|-G|--grep|--since|--until|-n)$/;

export function filesOfGit(command: ShellCommand): readonly CommandFile[] {
  const { args } = command;
  const isConfig =
    args.some((each) => each.text === "config") && !args.some((each) => GIT_CONFIG_READS.test(each.text));
  const written = args.flatMap((word, at) => {
    const attached = /^--(?:output(?:-directory)?|file|directory|prefix)=(.+)$/s.exec(word.text)?.[1];
    const isRead = word.text.startsWith("--file=") && !isConfig;
    if (attached !== undefined && !isRead)
      return [{ ...toCommandFile(word, "write" as const), text: attached }];
    const before = args[at - 1]?.text ?? "";
    return /^(?:-o|--output|--output-directory)$/.test(before) || (isConfig && /^(?:-f|--file)$/.test(before))
      ? [toCommandFile(word, "write")]
      : [];
  });
  return [...written, ...filesOfGitVerb(command).filter(isFileOfGit(command)), ...bundledFiles(command)];
}

const GIT_CONFIG_READS = /^(?:--get.*|--list|-l|get|list)$/;

function filesOfGitVerb(command: ShellCommand): readonly CommandFile[] {
  const words = operands(command).filter((word) => {
    const before = command.args[command.args.indexOf(word) - 1]?.text ?? "";
    return !GIT_TEXT.test(before);
  });
  const at = words.findIndex((word) => /^[a-z-]+$/.test(word.text));
  const verb = words[at]?.text ?? "";
  const rest = words.slice(at + 1);
  const has = (pattern: RegExp): boolean => command.args.some((word) => pattern.test(word.text));
  const opened = filesOpenedByGitOption(command, verb);
  if (verb === "grep") {
    const all = operands(command);
    return [...opened, ...all.slice(all.indexOf(words[at]!) + 2).flatMap(filesInWord)];
  }
  if (verb === "apply" || verb === "am")
    return [...opened, ...filesPatchedInText(command), ...rest.flatMap(toReadFiles)];
  if (GIT_RESTORES.test(verb)) return [...opened, ...rest.map((word) => toCommandFile(word, "restore"))];
  if (GIT_WRITES.test(verb) || (verb === "rm" && !has(/^--cached$/)))
    return [...opened, ...rest.map((word) => toCommandFile(word, "write"))];
  const shows = /^(?:log|reflog|rev-list)$/.test(verb) && has(GIT_PATCH);
  if (verb === "" || (GIT_NAMES.test(verb) && !shows)) return opened;
  // They read a message from stdin, not names.
  const piped =
    /^(?:commit|tag|notes)$/.test(verb) && !has(/^--pathspec-from-file/) ? [] : stdinWords(command);
  return [...opened, ...[...rest, ...piped].flatMap(toReadFiles)];
}

function toReadFiles(word: ShellWord): readonly CommandFile[] {
  return filesInWord(word).map((each) => ({ ...each, isGlob: /[*?[]/.test(each.text) }));
}

/** What git gets from stdin, or from another git's output: `cat-file -p $(git rev-parse :x)`. */
function stdinWords(command: ShellCommand): readonly ShellWord[] {
  const printed = command.substituted
    .filter(
      ({ name, args }) =>
        name === "git" && args.some((word) => /^(?:rev-parse|ls-files|ls-tree|rev-list)$/.test(word.text)),
    )
    .flatMap(({ args }) => args);
  return [
    ...printed,
    ...stdinText(command)
      .split(/\s+/)
      .filter((text) => text !== "")
      .map(literalWord),
  ];
}

/** `-F file`, `--blob=HEAD:file`, `-L1,5:file`. */
function filesOpenedByGitOption({ args }: ShellCommand, verb: string): readonly CommandFile[] {
  return args.flatMap((word, at): readonly CommandFile[] => {
    const before = args[at - 1]?.text ?? "";
    const isFile =
      /^(?:-F|--file|--blob|--template|--pathspec-from-file|--stdin-path|--attr-source|--trailer-file)$/.test(
        before,
      ) ||
      (verb === "config" && before === "-f");
    const value = isFile
      ? word.text
      : /^(?:-L[^:]*:|--(?:file|blob|template|pathspec-from-file)=|-F)(.+)$/s.exec(word.text)?.[1];
    return value === undefined ? [] : toReadFiles({ ...word, text: value });
  });
}

/** The files that an inline patch changes. */
export function filesPatchedInText(command: ShellCommand): readonly CommandFile[] {
  return [
    ...stdinText(command).matchAll(/^(?:\+\+\+|---|\*\*\*|Index:|rename to) (?:[ab]\/)?([^\t\n]+)/gm),
  ].map(([, text = ""]) => ({ text, isGlob: false, access: "write" }));
}

/** Unless it is certainly a file, `add_access_token` is a branch. */
function isFileOfGit({ args }: ShellCommand): (file: CommandFile) => boolean {
  const takesFiles = args.some((word) =>
    /^(?:add|stage|rm|mv|hash-object|update-index|--no-index|--)$|:/.test(word.text),
  );
  return ({ text }) => takesFiles || !BARE_SECRET_NAME.test(text);
}

/** `git bundle create F`. */
function bundledFiles({ args }: ShellCommand): readonly CommandFile[] {
  const at = args.findIndex((word, n) => word.text === "create" && args[n - 1]?.text === "bundle");
  const bundle = at < 0 ? undefined : args.slice(at + 1).find((word) => !word.text.startsWith("-"));
  return bundle === undefined ? [] : [toCommandFile(bundle, "write")];
}
