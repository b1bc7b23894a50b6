import { foldedPath } from "../../folded-path.ts";
import { isInside, type Locations, pathsOf } from "../../locations.ts";
import { hasOption, type ParsedCommand } from "../grammar.ts";
import { hasAddressWithPassword, hasPasswordInLogs } from "./git-folder.ts";
import { trackedSecrets } from "./git-index.ts";
import { printsLines, printsOnlyNamedFiles, readsReflog } from "./git-lines.ts";
import { type GitLocation, gitFoldersOf, readSmallText } from "./git-location.ts";
import {
  type GitOperands,
  isExistingPath,
  isFileOfCommit,
  isPlainRevision,
  mentionsStash,
  readOperands,
} from "./git-revisions.ts";

/** Secrets that git itself stores: committed files, those in a stash, and passwords in URLs. */

/** Whether a command may show a secret that one of these repositories stores. */
export function showsStoredSecret(
  verb: string,
  call: ParsedCommand,
  repositories: readonly GitLocation[],
): boolean {
  if (verb === "remote") return printsAddress(call) && hasSecretAddress(repositories, call.locations);
  const showsReflog = readsReflog(verb, call);
  const showsLines = printsLines(verb, call);
  // They print a complete blob, whatever the options.
  const isObject = verb === "show" || (verb === "cat-file" && showsLines);
  if (!showsLines && !isObject && !showsReflog) return false;
  const operands = readOperands(verb, call);
  if ((showsLines || isObject) && (/^stash /.test(verb) || operands.revisions.some(mentionsStash)))
    return true;
  return repositories.some((repository) => {
    if (repository.type !== "repository") return false;
    if (showsReflog && hasSecretReflog(repository.root, operands, call)) return true;
    if (!showsLines && !isObject) return false;
    return (
      (mayReachStash(verb, call, operands) && hasStash(repository.root, call.locations)) ||
      showsTracked(verb, call, operands, trackedSecrets(repository.root, call.locations))
    );
  });
}

/** `git remote` alone lists names. */
function printsAddress({ flags, operands }: ParsedCommand): boolean {
  return flags.size > 0 || operands.length > 0;
}

function hasSecretReflog(root: string, { revisions }: GitOperands, { locations }: ParsedCommand): boolean {
  const folders = gitFoldersOf(root, locations);
  if (folders === null) return true;
  if (revisions.every((text) => text === "HEAD"))
    return hasAddressWithPassword(`${folders.own}/logs/HEAD`, locations);
  return [folders.own, folders.common].some((folder) => hasPasswordInLogs(folder, locations));
}

/** A stash is reachable by name, among all references, by object id and by a search for its message. */
function mayReachStash(verb: string, call: ParsedCommand, { revisions }: GitOperands): boolean {
  return (
    readsReflog(verb, call) ||
    hasOption(call, "--all", "--glob") ||
    !revisions.every((text) => isPlainRevision(text) || isFileOfCommit(text))
  );
}

/** A stash may contain untracked files. */
function hasStash(root: string, locations: Locations): boolean {
  const folders = gitFoldersOf(root, locations);
  if (folders === null) return true;
  const top = locations.world.entries?.(folders.common) ?? "unknown";
  const refs = locations.world.entries?.(`${folders.common}/refs`) ?? "unknown";
  if (top === "unknown" || refs === "unknown") return true;
  // The newer reference format is not read.
  if (top !== "no folder" && top.some(({ name }) => name === "reftable")) return true;
  if (refs !== "no folder" && refs.some(({ name }) => foldedPath(name) === "stash")) return true;
  const packed = `${folders.common}/packed-refs`;
  return (
    locations.world.bytes?.(packed) === "unknown" ||
    / refs\/stash$/im.test(readSmallText(packed, locations) ?? "")
  );
}

/** Whether lines of one of these files may be shown. Where they are unknown, only named files are safe. */
function showsTracked(
  verb: string,
  call: ParsedCommand,
  { revisions, paths }: GitOperands,
  secrets: readonly string[] | null,
): boolean {
  if (secrets?.length === 0) return false;
  const isObject = verb === "show" || verb === "cat-file";
  const hasMoreRevisions = hasOption(
    call,
    "--all",
    "--branches",
    "--tags",
    "--remotes",
    "--glob",
    "--exclude",
    "-g",
  );
  if (isObject && revisions.length > 0 && revisions.every(isFileOfCommit) && !hasMoreRevisions) return false;
  const isPlain = revisions.every(isPlainRevision);
  if (verb === "cat-file" || !printsLines(verb, call))
    return !revisions.every((text) => isPlainRevision(text) || isFileOfCommit(text));
  if (!isPlain || paths.length === 0 || !printsOnlyNamedFiles(verb, call)) return true;
  return paths.some(
    (word) =>
      !isExistingPath(word, call) ||
      pathsOf(word.text, call.locations, call.command.cwds).some((path) =>
        secrets === null
          ? call.locations.world.entries?.(path) !== "no folder"
          : secrets.some((secret) => isInside(secret, path)),
      ),
  );
}

/** Whether the URL of a remote may contain a password. */
function hasSecretAddress(repositories: readonly GitLocation[], locations: Locations): boolean {
  return repositories.some((repository) => {
    if (repository.type !== "repository") return false;
    const folders = gitFoldersOf(repository.root, locations);
    if (folders === null) return true;
    return [
      `${folders.common}/config`,
      `${folders.own}/config.worktree`,
      `${locations.home}/.gitconfig`,
      `${locations.home}/.config/git/config`,
    ].some((file) => hasAddressWithPassword(file, locations));
  });
}
