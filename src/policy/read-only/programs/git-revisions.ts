import { pathsOf } from "../../locations.ts";
import { isKnown, type ShellWord } from "../../shell/shell-reading.ts";
import { hasOption, type ParsedCommand } from "../grammar.ts";

/** The operands of a git command, as git classifies them. */
export interface GitOperands {
  readonly revisions: readonly string[];
  readonly paths: readonly ShellWord[];
}

/** Without `--`, git rejects a word that is both; with it, everything before is a revision. */
export function readOperands(verb: string, call: ParsedCommand): GitOperands {
  const { args } = call.command;
  const end = args.findIndex((word) => word.text === "--");
  const after = end < 0 ? [] : args.slice(end + 1);
  const revisionWords = call.operands.slice(0, call.operands.length - (end < 0 ? 0 : after.length));
  const before = revisionWords.slice(startsWithText(verb, call) ? 1 : 0);
  const isPath = (word: ShellWord): boolean => end < 0 && verb !== "cat-file" && isExistingPath(word, call);
  return {
    revisions: before.filter((word) => !isPath(word)).map((word) => word.text),
    paths: [...before.filter(isPath), ...after],
  };
}

/** Whether the first operand is text: a search pattern, or the type before an object. */
function startsWithText(verb: string, call: ParsedCommand): boolean {
  if (verb === "cat-file") return call.operands.length === 2;
  return verb === "grep" && !hasOption(call, "-e");
}

/** A path that git cannot read as anything else: no glob, no magic. */
const PLAIN_PATH = /^[^-:*?[\\\0][^:*?[\\\0]*$/;

/** Whether a word is the plain path of an existing file or folder. */
export function isExistingPath(word: ShellWord, { locations, command }: ParsedCommand): boolean {
  if (!isKnown(word) || word.isGlob || word.isSplit || word.found !== undefined) return false;
  if (!PLAIN_PATH.test(word.text)) return false;
  return pathsOf(word.text, locations, command.cwds).some((path) => {
    const folder = path.slice(0, path.lastIndexOf("/")) || "/";
    const listing = locations.world.entries?.(folder) ?? "unknown";
    return Array.isArray(listing) && listing.some(({ name }) => `${folder}/${name}` === path);
  });
}

const NAME = String.raw`(?:@|\w[\w/-]*(?:\.[\w/-]+)*)`;
const COMMIT = String.raw`${NAME}(?:~\d{0,5}|\^[12]?|@\{(?:u|upstream|push|\d{1,4})\})*`;
const PLAIN = new RegExp(String.raw`^(?:\^?${COMMIT}(?:\^!)?|(?:${COMMIT})?\.{2,3}(?:${COMMIT})?)$`);
const REFLOG_OF_HEAD = /^@\{/;
const FILE_OF_COMMIT = new RegExp(String.raw`^(${COMMIT}):[^-:*?[\\\0/][^:*?[\\\0]*$`);

/** Git accepts four or more digits of an object id, also after the prefix of `git describe`. */
const OBJECT = /^(?:.*-g)?[0-9a-f]{4,64}$/i;

/** Whether a revision is a commit by branch names, or a range of such: no object id, no search. */
export function isPlainRevision(text: string): boolean {
  const revision = REFLOG_OF_HEAD.test(text) ? `HEAD${text}` : text;
  if (!PLAIN.test(revision)) return false;
  return revision
    .split("..")
    .every((end) => !OBJECT.test(end.replace(/^[.^]+/, "").replace(/[~^@].*$/s, "")));
}

/** `HEAD:a.ts` */
export function isFileOfCommit(text: string): boolean {
  const commit = FILE_OF_COMMIT.exec(text)?.[1];
  return commit !== undefined && isPlainRevision(commit);
}

/** `stash@{0}`, `refs/stash`, `main..stash`: the third parent contains untracked files. */
export function mentionsStash(text: string): boolean {
  return /(?:^|[^\w-])stash(?=$|\.\.|[^\w./-])/i.test(text);
}
