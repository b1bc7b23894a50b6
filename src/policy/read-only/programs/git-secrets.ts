import { foldedPath } from "../../folded-path.ts";
import { isInside, type Places, pathsOf } from "../../places.ts";
import { type Call, has } from "../grammar.ts";
import { hasAddressWithPassword, hasPasswordInLogs } from "./git-folder.ts";
import { trackedSecrets } from "./git-index.ts";
import { printsLines, readsReflog, staysWithPaths } from "./git-lines.ts";
import { type GitPlace, gitFoldersOf, textOf } from "./git-place.ts";
import {
  isExisting,
  isFileOfCommit,
  isPlainRevision,
  mentionsStash,
  type Operands,
  readOperands,
} from "./git-revisions.ts";

/** Secrets that git itself keeps: committed files, those in a stash, and passwords in addresses. */

/** Whether a command may show a secret that one of these repositories keeps. */
export function showsKeptSecret(verb: string, call: Call, here: readonly GitPlace[]): boolean {
  if (verb === "remote") return isTellingAddress(call) && hasSecretAddress(here, call.places);
  const isReflog = readsReflog(verb, call);
  const isLines = printsLines(verb, call);
  // They print a blob whole, whatever the options.
  const isObject = verb === "show" || (verb === "cat-file" && isLines);
  if (!isLines && !isObject && !isReflog) return false;
  const operands = readOperands(verb, call);
  if ((isLines || isObject) && (/^stash /.test(verb) || operands.revisions.some(mentionsStash))) return true;
  return here.some((place) => {
    if (place.type !== "repository") return false;
    if (isReflog && hasSecretReflog(place.root, operands, call)) return true;
    if (!isLines && !isObject) return false;
    return (
      (mayReachStash(verb, call, operands) && hasStash(place.root, call.places)) ||
      showsTracked(verb, call, operands, trackedSecrets(place.root, call.places))
    );
  });
}

/** `git remote` alone lists names. */
function isTellingAddress({ flags, operands }: Call): boolean {
  return flags.size > 0 || operands.length > 0;
}

function hasSecretReflog(root: string, { revisions }: Operands, { places }: Call): boolean {
  const folders = gitFoldersOf(root, places);
  if (folders === null) return true;
  if (revisions.every((text) => text === "HEAD"))
    return hasAddressWithPassword(`${folders.own}/logs/HEAD`, places);
  return [folders.own, folders.common].some((folder) => hasPasswordInLogs(folder, places));
}

/** A stash is found by its name, among all references, by its number and by a search for its message. */
function mayReachStash(verb: string, call: Call, { revisions }: Operands): boolean {
  return (
    readsReflog(verb, call) ||
    has(call, "--all", "--glob") ||
    !revisions.every((text) => isPlainRevision(text) || isFileOfCommit(text))
  );
}

/** A stash may hold files that were not tracked. */
function hasStash(root: string, places: Places): boolean {
  const folders = gitFoldersOf(root, places);
  if (folders === null) return true;
  const top = places.world.entries?.(folders.common) ?? "unknown";
  const refs = places.world.entries?.(`${folders.common}/refs`) ?? "unknown";
  if (top === "unknown" || refs === "unknown") return true;
  // The newer format of references is not read.
  if (top !== "no folder" && top.some(({ name }) => name === "reftable")) return true;
  if (refs !== "no folder" && refs.some(({ name }) => foldedPath(name) === "stash")) return true;
  const packed = `${folders.common}/packed-refs`;
  return places.world.bytes?.(packed) === "unknown" || / refs\/stash$/im.test(textOf(packed, places) ?? "");
}

/** Whether lines of one of these files may be shown. */
function showsTracked(
  verb: string,
  call: Call,
  { revisions, paths }: Operands,
  secrets: readonly string[],
): boolean {
  if (secrets.length === 0) return false;
  const isObject = verb === "show" || verb === "cat-file";
  const hasMore = has(call, "--all", "--branches", "--tags", "--remotes", "--glob", "--exclude", "-g");
  if (isObject && revisions.length > 0 && revisions.every(isFileOfCommit) && !hasMore) return false;
  const isPlain = revisions.every(isPlainRevision);
  if (verb === "cat-file" || !printsLines(verb, call))
    return !revisions.every((text) => isPlainRevision(text) || isFileOfCommit(text));
  if (!isPlain || paths.length === 0 || !staysWithPaths(verb, call)) return true;
  return paths.some(
    (word) =>
      !isExisting(word, call) ||
      pathsOf(word.text, call.places, call.command.cwds).some((path) =>
        secrets.some((secret) => isInside(secret, path)),
      ),
  );
}

/** Whether the address of a remote may have a password in it. */
function hasSecretAddress(here: readonly GitPlace[], places: Places): boolean {
  return here.some((place) => {
    if (place.type !== "repository") return false;
    const folders = gitFoldersOf(place.root, places);
    if (folders === null) return true;
    return [
      `${folders.common}/config`,
      `${folders.own}/config.worktree`,
      `${places.home}/.gitconfig`,
      `${places.home}/.config/git/config`,
    ].some((file) => hasAddressWithPassword(file, places));
  });
}
