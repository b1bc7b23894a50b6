/** Parser work per character outside any nesting. */
const WORK_PER_CHAR = 32;

/** Estimates the work of parsing: an upper bound, found by trying thousands of repeated tokens. */
export function parseWork(text: string): number {
  let work = WORK_PER_CHAR * text.length;
  let parens = 0;
  let parameters = 0;
  /** Open braces in the current word: each is matched up to the end of the word. */
  let braces = 0;
  /** Expansions and here-documents so far, open or closed: a quote may hide where one ends. */
  let expansions = 0;
  for (let at = 0; at < text.length; at++) {
    const before = text[at - 1];
    switch (text[at]) {
      case "(":
        parens++;
        if (before === "$" || before === "<" || before === ">") expansions++;
        break;
      case ")":
        if (parens > 0) parens--;
        break;
      case "{":
        if (before !== "$") braces++;
        else {
          parameters++;
          expansions++;
        }
        break;
      case "}":
        if (braces > 0) braces--;
        else if (parameters > 0) parameters--;
        break;
      case "[":
        if (before === "$") expansions += 8;
        break;
      case "<":
        if (before === "<") expansions++;
        break;
      case " ":
      case "\t":
      case "\n":
        if (before !== "\\") braces = 0;
        break;
    }
    work += 2 * (parens + parameters) + braces + (expansions >> 2);
  }
  return work;
}
