/**
 * A query as a database may read it: comments are spaces, quotes around a name mean nothing, and concatenated strings
 * are one. Where systems differ (nested comments, `#`), each variant is a form of its own.
 */
export function queryForms(text: string): readonly string[] {
  const plain = withoutEscapes(text);
  const forms = /\/\*|--|#/.test(plain) ? SYNTAXES.map((syntax) => withoutComments(plain, syntax)) : [plain];
  const joined = /\b(?:exec(?:ute)?|prepare|sp_executesql)\b/i.test(plain)
    ? forms.map((form) => form.replace(/'\s*(?:\+|\|\|)\s*N?'/g, ""))
    : [];
  return [...new Set([...forms, ...joined].map(withoutNameQuotes))];
}

/** Comment and quote syntax of common systems. */
interface CommentSyntax {
  readonly nests: boolean;
  readonly hash: boolean;
  /** Whether a comment marker inside quotes is ignored. */
  readonly quotes: boolean;
}

const SYNTAXES: readonly CommentSyntax[] = [
  { nests: true, hash: false, quotes: true },
  { nests: false, hash: true, quotes: true },
  { nests: false, hash: false, quotes: false },
];

function withoutComments(text: string, { nests, hash, quotes }: CommentSyntax): string {
  let result = "";
  let copiedTo = 0;
  let at = 0;
  const skipTo = (end: number): void => {
    result += `${text.slice(copiedTo, at)} `;
    copiedTo = end;
    at = end;
  };
  while (at < text.length) {
    const char = text[at]!;
    if (char === "-" && text[at + 1] === "-") skipTo(lineEnd(text, at));
    else if (hash && char === "#") skipTo(lineEnd(text, at));
    // MySQL runs the contents of `/*! … */`.
    else if (text.startsWith("/*!", at)) skipTo(afterDigits(text, at + 3));
    else if (text.startsWith("*/", at)) skipTo(at + 2);
    else if (text.startsWith("/*", at)) skipTo(commentEnd(text, at, nests));
    else if (quotes && (char === "'" || char === '"' || char === "`")) {
      const end = text.indexOf(char, at + 1);
      at = end < 0 ? at + 1 : end + 1;
    } else at++;
  }
  return result + text.slice(copiedTo);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (/\d/.test(text[at] ?? "")) at++;
  return at;
}

function commentEnd(text: string, from: number, nests: boolean): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith("*/", at) && (--depth === 0 || !nests)) return at + 2;
    if (text.startsWith("/*", at)) depth = nests ? depth + 1 : 1;
    else if (!text.startsWith("*/", at)) continue;
    at++;
  }
  return text.length;
}

/** `"pg_read_file"`, `[xp_cmdshell]`, `` `load_file` ``: plain names. */
function withoutNameQuotes(text: string): string {
  return text.replace(/"(\w{1,64})"|`(\w{1,64})`|\[([a-z_]\w{0,63})\]/gi, (_, a, b, c) => a ?? b ?? c);
}

/** `U&"d\0061t\+000061"` */
function withoutEscapes(text: string): string {
  if (!/U&["']/i.test(text)) return text;
  return text
    .replace(/\\(?:\+00([\da-f]{4})|([\da-f]{4}))/gi, (_, six: string | undefined, four: string) =>
      String.fromCharCode(Number.parseInt(six ?? four, 16)),
    )
    .replace(/U&(?=["'])/gi, "");
}
