import { isInside, type Places, pathsOf } from "../../places.ts";
import { holdsSecrets } from "../../protected-files.ts";
import { isKnown } from "../../shell/shell-reading.ts";
import { spend } from "../../work.ts";
import { type Call, has } from "../grammar.ts";
import { type GitPlace, gitFoldersOf, textOf } from "./git-place.ts";

/** Secrets that git itself keeps: files that were committed, and passwords in the addresses of its remotes. */

const SHOWS_NO_LINES = [
  "--stat",
  "--numstat",
  "--shortstat",
  "--dirstat",
  "--summary",
  "--compact-summary",
  "--name-only",
  "--name-status",
  "--raw",
  "--quiet",
  "--no-patch",
  "-s",
];
const SHOWS_LINES = [
  "-p",
  "-u",
  "--patch",
  "-U",
  "--unified",
  "-W",
  "--function-context",
  "--binary",
  "-c",
  "--cc",
];
const ASKS_ABOUT_LINES = [
  "-S",
  "-G",
  "--patch-with-raw",
  "--patch-with-stat",
  "-m",
  "--word-diff",
  "--color-words",
  "--check",
];

/** Whether a git command tells what stands in files, of whichever it comes upon. */
function tellsLines(verb: string, call: Call): boolean {
  if (has(call, ...SHOWS_LINES, ...ASKS_ABOUT_LINES)) return true;
  if (verb === "grep") return true;
  return /^(?:diff|show|stash)$/.test(verb) && !has(call, ...SHOWS_NO_LINES);
}

const CHANGES = /^(?:grep|diff|show|log|rev-list|stash|reflog|diff-tree|diff-index|shortlog)$/;

/** Whether a command shows lines of a file for secrets that is under version control. */
export function showsTrackedSecret(verb: string, call: Call, here: readonly GitPlace[]): boolean {
  if (!CHANGES.test(verb) || !tellsLines(verb, call)) return false;
  const { places, command } = call;
  // `HEAD:a.ts` is that file alone.
  if (verb === "show" && call.operands.length > 0 && call.operands.every(({ text }) => text.includes(":")))
    return false;
  const chosen = call.operands
    .slice(verb === "grep" && !has(call, "-e") ? 1 : 0)
    .filter((word) => isKnown(word) && /^[^:^@]+$/.test(word.text) && namesFile(word.text, call));
  const folders = chosen.flatMap(({ text }) => pathsOf(text, places, command.cwds));
  return here.some((place) => {
    if (place.type !== "repository") return false;
    if (has(call, "--all", "--glob") && hasStash(place.root, places)) return true;
    return trackedSecrets(place.root, places).some(
      (secret) => folders.length === 0 || folders.some((folder) => isInside(secret, folder)),
    );
  });
}

/** A stash may hold files that were not tracked. */
function hasStash(root: string, places: Places): boolean {
  const folders = gitFoldersOf(root, places);
  const refs = folders === null ? "unknown" : (places.world.entries?.(`${folders.common}/refs`) ?? "unknown");
  return !Array.isArray(refs) || refs.some(({ name }) => name === "stash");
}

/** A pathspec: something that is there, or a glob, which was judged by what it may find. */
function namesFile(text: string, { places, command }: Call): boolean {
  if (/[*?[]/.test(text)) return true;
  return pathsOf(text, places, command.cwds).some((path) => {
    const folder = path.slice(0, path.lastIndexOf("/")) || "/";
    const listing = places.world.entries?.(folder) ?? "unknown";
    return Array.isArray(listing) && listing.some(({ name }) => `${folder}/${name}` === path);
  });
}

/** What every name of a secret has about it, at least: the tables of names are slower by a hundred times. */
const MAY_BE_SECRET =
  /(?:^|\/)\.(?!git|eslint|prettier|editorconfig|npmignore|docker|nvmrc|babelrc|github|vscode|storybook|husky|changeset)[^/]*(?:$|\/)|secret|cred|passw|token|vault|account|kube|openrc|wallet|cookie|_history|\.(?:env|key|pem|p8|p12|pfx|jks|bks|keystore|ppk|kdbx?|tfvars|tfstate|ovpn|jwt|jwk|gpg|asc|keytab)(?:[^a-z]|$)|(?:rsa|dsa|ecdsa|ed25519)|[-_./](?:sa|auth|keys?|env)[-_.]|(?:^|\/)(?:env|keys?|auth|acme)\./i;
/** One look at the tables. */
const LOOK = 2_000;

function trackedSecrets(root: string, places: Places): readonly string[] {
  const folders = gitFoldersOf(root, places);
  const index = folders === null ? null : (places.world.bytes?.(`${folders.own}/index`) ?? null);
  // One that is too large to be looked through is taken for a project without committed secrets.
  if (!(index instanceof Uint8Array)) return [];
  spend(index.length / 5);
  return namesInIndex(Buffer.from(index.buffer, index.byteOffset, index.byteLength))
    .filter((name) => MAY_BE_SECRET.test(name) && !CODE.test(name))
    .map((name) => `${root}/${Buffer.from(name, "latin1").toString("utf8")}`)
    .filter((path) => {
      spend(LOOK);
      return holdsSecrets(path, places);
    });
}

const CODE =
  /(?:^|\/)[^./][^/]*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|h|cc|cpp|hpp|swift|scala|html?|s?css|less|mdx?|svg|png|jpe?g|gif|webp|snap)$/;

const HEADER = 12;
const FIXED = 62;
const EXTENDED = 0x4000;

/** The files of an index, each byte of a name a character, as its format says: https://git-scm.com/docs/index-format. */
function namesInIndex(index: Buffer): readonly string[] {
  if (index.length < HEADER || index.toString("latin1", 0, 4) !== "DIRC") return [];
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  const names: string[] = [];
  let before = "";
  for (let at = HEADER; names.length < count && at + FIXED < index.length; ) {
    const isExtended = (index.readUInt16BE(at + FIXED - 2) & EXTENDED) !== 0;
    let start = at + FIXED + (isExtended ? 2 : 0);
    let shared = "";
    // The fourth version tells how much of the name before it is left out.
    if (version === 4) {
      let removed = index[start]! & 0x7f;
      while ((index[start++]! & 0x80) !== 0) removed = ((removed + 1) << 7) | (index[start]! & 0x7f);
      shared = before.slice(0, Math.max(0, before.length - removed));
    }
    const end = index.indexOf(0, start);
    if (end < 0) break;
    before = shared + index.toString("latin1", start, end);
    names.push(before);
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return names;
}

const IN_ADDRESS = /:\/\/(?!git@)[^\s/@]{1,1000}@/;

/** Whether the address of a remote may have a password in it. */
export function hasSecretAddress(here: readonly GitPlace[], places: Places): boolean {
  return here.some((place) => {
    if (place.type !== "repository") return false;
    const folders = gitFoldersOf(place.root, places);
    if (folders === null) return true;
    const files = [
      `${folders.common}/config`,
      `${folders.own}/config.worktree`,
      `${places.home}/.gitconfig`,
      `${places.home}/.config/git/config`,
    ];
    return files.some(
      (file) => places.world.bytes?.(file) === "unknown" || IN_ADDRESS.test(textOf(file, places) ?? ""),
    );
  });
}
