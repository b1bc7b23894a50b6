import type { Locations } from "../../locations.ts";
import { holdsSecrets } from "../../protected-files.ts";
import { spend } from "../../work.ts";
import { gitFoldersOf } from "./git-location.ts";

/** A cheap prefilter: looking a name up in the tables of secrets is a hundred times slower. */
const MAY_BE_SECRET =
  /(?:^|\/)\.(?!git|eslint|prettier|editorconfig|npmignore|docker|nvmrc|babelrc|github|vscode|storybook|husky|changeset)[^/]*(?:$|\/)|secret|cred|passw|token|vault|account|kube|openrc|wallet|cookie|_history|\.(?:env|key|pem|p8|p12|pfx|jks|bks|keystore|ppk|kdbx?|tfvars|tfstate|ovpn|jwt|jwk|gpg|asc|keytab)(?:[^a-z]|$)|(?:rsa|dsa|ecdsa|ed25519)|[-_./](?:sa|auth|keys?|env)[-_.]|(?:^|\/)(?:env|keys?|auth|acme)\./i;
/** The cost of one lookup in the tables. */
const LOOKUP_COST = 2_000;

/** The secret files that the index lists; null where it cannot be read or is too large to scan. */
export function trackedSecrets(root: string, locations: Locations): readonly string[] | null {
  const folders = gitFoldersOf(root, locations);
  const index = folders === null ? null : (locations.world.bytes?.(`${folders.own}/index`) ?? null);
  if (index === "unknown") return null;
  if (index === null) return [];
  spend(index.length / 5);
  return namesInIndex(Buffer.from(index.buffer, index.byteOffset, index.byteLength))
    .filter((name) => MAY_BE_SECRET.test(name) && !CODE_FILE.test(name))
    .map((name) => `${root}/${Buffer.from(name, "latin1").toString("utf8")}`)
    .filter((path) => {
      spend(LOOKUP_COST);
      return holdsSecrets(path, locations);
    });
}

const CODE_FILE =
  /(?:^|\/)[^./][^/]*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|h|cc|cpp|hpp|swift|scala|html?|s?css|less|mdx?|svg|png|jpe?g|gif|webp|snap)$/;

const HEADER_BYTES = 12;
const FIXED_ENTRY_BYTES = 62;
const EXTENDED_FLAG = 0x4000;

/** The files of an index, one character per byte of a name: https://git-scm.com/docs/index-format. */
function namesInIndex(index: Buffer): readonly string[] {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return [];
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  const names: string[] = [];
  let previous = "";
  for (let offset = HEADER_BYTES; names.length < count && offset + FIXED_ENTRY_BYTES < index.length; ) {
    const isExtended = (index.readUInt16BE(offset + FIXED_ENTRY_BYTES - 2) & EXTENDED_FLAG) !== 0;
    let start = offset + FIXED_ENTRY_BYTES + (isExtended ? 2 : 0);
    let shared = "";
    // Version 4 stores how much of the previous name is dropped.
    if (version === 4) {
      let removed = index[start]! & 0x7f;
      while ((index[start++]! & 0x80) !== 0) removed = ((removed + 1) << 7) | (index[start]! & 0x7f);
      shared = previous.slice(0, Math.max(0, previous.length - removed));
    }
    const end = index.indexOf(0, start);
    if (end < 0) break;
    previous = shared + index.toString("latin1", start, end);
    names.push(previous);
    offset = version === 4 ? end + 1 : offset + Math.ceil((end + 1 - offset) / 8) * 8;
  }
  return names;
}
