/**
 * A path as a file system may resolve it: ignoring case, invisible characters, equivalent spellings of a character, and
 * trailing dots and spaces of a name.
 */
export function foldedPath(path: string): string {
  if (PLAIN.test(path) && !path.startsWith("/private/")) return path;
  return path
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu, "")
    .toLowerCase()
    .replace(/^\/private(?=\/(?:etc|var|tmp)(?:\/|$))/, "")
    .split("/")
    .map((part) => (/^\.{1,2}$/.test(part) ? part : withoutTail(part.replace(/:{1,2}\$\w{1,64}$/, ""))))
    .join("/");
}

/** Has no other spelling: no name ends with a dot. */
const PLAIN = /^(?:[a-z0-9/_-]|\.(?=[a-z0-9_-]))*$/;

function withoutTail(part: string): string {
  let end = part.length;
  while (end > 1 && (part[end - 1] === "." || part[end - 1] === " ")) end--;
  return part.slice(0, end);
}

/**
 * Other spellings of the same file that only some file systems know: a stream (`file:stream`), and a short name
 * (`GITHU~1`) as a glob.
 */
export function otherSpellings(folded: string): readonly string[] {
  const colon = folded.indexOf(":", folded.lastIndexOf("/") + 2);
  const streams = colon > 0 ? [folded.slice(0, colon)] : [];
  if (!/(?:^|\/)[^/~]{1,8}~\d(?=[./]|$)/.test(folded)) return streams;
  const short = /(^|\/)\.?([^/~]{1,8})~\d(?=[./]|$)/g;
  return [...streams, folded.replace(short, "$1.$2*"), folded.replace(short, "$1$2*")];
}
