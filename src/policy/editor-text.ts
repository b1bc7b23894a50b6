import { quotedTextsIn } from "./dangerous-text.ts";
import { spend } from "./work.ts";

/** Reads editor commands that a tool types: `:w .envrc`, `:r !ls`. */

const PREFIX =
  /^[\s:]*(?:(?:sil(?:ent)?|noa(?:utocmd)?|keepalt|keepjumps|lockmarks|verb(?:ose)?|vert(?:ical)?|tab|%|\d+|\.|\$|'[<>a-z]|,)!?\s*)*/;
const WRITES =
  /^(?:w|wr|wri|writ|write|wq|wqa?|x|xit|exi|exit|sav|saveas|up|update|redir|mks|mksession|mkv|mkvimrc|mkexrc|wsh\w*|wv\w*|cp|copy|mv|move|Move|Rename|SaveAs|SudoWrite|write-file|append-to-file|rename-file)!?\s+(?:\+\+\S+\s+)*(?:>{1,2}!?\s*|=>\s*)?(\S.*)$/s;
const READS =
  /^(?:e|ed|edi|edit|r|re|rea|read|sp|split|vs|vsp|vsplit|vie|view|sv|sview|tabe|tabedit|tabnew|bad|badd|arge|argedit|args|so|sou|source|ru|runtime|luafile|lua|py3?file|pyx?file|rubyfile|find|fin|drop|new|vne|vnew|diffs|diffsplit|diffp|diffpatch|find-file|insert-file|load-file|open|o)!?\s+(?:\+\S+\s+)*(\S.*)$/s;
const RUNS =
  /^(?:(?:r|re|rea|read|w|wr|write|te|ter|term|terminal|bel|below|AsyncRun|Start|Dispatch|Make|Git|G|mak|make|grep|lgr\w*|lmak\w*|cexpr|lex|compile|shell-command|async-shell-command|sh|pipe|pipe-to|insert-output|append-output|run-shell-command|hsh|bh)!?\s*)?!\s*(\S.*)$|^(?:te|ter|term|terminal|AsyncRun|Start|Dispatch|compile|shell-command|async-shell-command|sh|run-shell-command|insert-output|append-output|pipe|pipe-to|hsh)!?\s+(\S.*)$/s;

export interface EditorEffects {
  readonly written: readonly string[];
  readonly read: readonly string[];
  readonly scripts: readonly string[];
}

export const EDITOR_TOOL =
  /vim|(?:^|[^a-z])(?:vi|ex|ed|kak|kakoune|helix|hx|emacs|emacsclient|editor|nvr|neovide|micro)(?:[^a-z]|$)/i;

/** What an editor's commands do with files, and what they run. */
export function readEditorText(text: string): EditorEffects {
  spend(24 * text.length);
  const parts = [text, ...quotedTextsIn(text)]
    .join("\n")
    .split(/<(?:cr|enter|return|ret)>|\\n|\n|\r|\s\|\s(?!\|)/i)
    .map((each) => each.replace(/^(?:<esc>|\u001b)+/i, "").replace(PREFIX, ""));
  const matchesOf = (pattern: RegExp): readonly string[] =>
    parts.flatMap((part) => {
      const found = pattern.exec(part);
      return found === null ? [] : [(found[1] ?? found[2] ?? "").trim()];
    });
  const files = (pattern: RegExp): readonly string[] =>
    matchesOf(pattern).flatMap((rest) => (rest.startsWith("!") ? [] : [rest, ...rest.split(/\s+/)]));
  return { written: files(WRITES), read: files(READS), scripts: matchesOf(RUNS) };
}
