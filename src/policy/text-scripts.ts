import { isCommandName } from "./nested-commands.ts";
import { isKnownProgram } from "./read-only/is-read-only.ts";
import { giveUp, spend } from "./work.ts";

/**
 * Scripts in a text of unknown kind. `shell`: it certainly is one. `pieces`: each piece that starts like a command
 * counts; `prose`: unless it is a sentence. `text`: it is for people, unless all of it, or its start, is a command.
 */
export function scriptsInText(
  rawText: string,
  mode: "shell" | "pieces" | "prose" | "text",
): readonly string[] {
  if (rawText.length > MAX_TEXT_LENGTH) {
    if (mode !== "text" || scriptsInText(rawText.slice(0, MAX_TEXT_LENGTH), mode).length > 0) giveUp();
    return [];
  }
  const text = rawText.replace(/\r\n?/g, "\n");
  spend(8 * text.length);
  const pieces = piecesOf(text);
  spend(400 * pieces.length);
  const commandPieces = pieces.filter((piece) => isCommandPiece(piece, mode === "text" || mode === "prose"));
  const commands = commandPieces.map((piece) => piece.text);
  const startsWithCommand =
    commandPieces.length > 0 && (commandPieces.length === pieces.length || commandPieces[0] === pieces[0]);
  const parts = commands.length > MAX_PIECES ? [commands.join("\n")] : commands;
  switch (mode) {
    case "shell":
      return [text, ...parts];
    case "pieces":
    case "prose":
      return commands.length === 0
        ? []
        : [...(startsWithCommand || isCompound(pieces) ? [text] : []), ...parts];
    case "text":
      return startsWithCommand ? [text, ...parts] : [];
    default:
      return mode satisfies never;
  }
}

/** `for x in y; do …; done` */
function isCompound(pieces: readonly Piece[]): boolean {
  return (
    pieces.some(({ text }) => /^(?:for|while|until|if|case|select)\s/.test(text)) &&
    pieces.some(({ text }) => /^(?:do|then|done|fi|esac)(?![\w-])/.test(text))
  );
}

/** A longer text that does not start like a command counts as none. */
const MAX_TEXT_LENGTH = 32_768;
const MAX_PIECES = 12;

/** A part of a text. `isInner`: it starts at a bracket, like a condition or an argument in code. */
interface Piece {
  readonly text: string;
  readonly isInner: boolean;
}

/** Splits at command ends outside quotes; inside them too if one is never closed, as in prose. */
function piecesOf(text: string): readonly Piece[] {
  return splitPieces(text, true) ?? splitPieces(text, false) ?? [];
}

function splitPieces(text: string, respectsQuotes: boolean): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let quote = "";
  let start = 0;
  const end = (at: number): void => {
    const piece = text.slice(start, at).trim();
    if (piece !== "") pieces.push({ text: piece, isInner: /[(){}]/.test(text[start - 1] ?? "") });
    start = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (respectsQuotes && (char === "'" || char === '"')) quote = char;
    else if (char === "&" && (text[at - 1] === ">" || text[at + 1] === ">")) continue;
    else if (/[;&|\n`(){}]/.test(char)) end(at);
  }
  end(text.length);
  return quote === "" ? pieces : undefined;
}

/** What may precede the name of a command. */
const COMMAND_PREFIX =
  /^(?:(?:\$|then|do|else|elif|if|while|until|!)\s+|[A-Za-z_]\w*=\S*\s+|\d?[<>]{1,2}\s*[^\s<>]+\s+)*/;
/** Programs beyond those of the tables that read, send or change files. */
const PROGRAMS =
  /^(?:gh|glab|hub|aws|az|gcloud|gsutil|s3cmd|s5cmd|rclone|mc|bat|batcat|pytest|cargo|go|java|javac|mvn|gradle|dotnet|terraform|tofu|helm|ansible|vagrant|psql|mysql|mongosh|redis-cli|duckdb|ffmpeg|magick|pandoc|7z|unrar|gzip|xz|zstd|age|sops|pass|op|vault|ssh-keygen|ssh-add|ssh-copy-id|scp|sftp|ftp|mail|sendmail|mutt|xclip|xsel|pbcopy|wl-copy|open|xdg-open|code|vim|vi|nvim|nano|emacs|ed|ex|patch|screen|zellij|tsx|ts-node|uv|uvx|pip3?|poetry|pipx|brew|apt|apt-get|dnf|yum|pacman|snap|flatpak|at|crontab|service|launchctl|loginctl|nmap|lsof|fuser|strace|gdb|diff3|sdiff|vimdiff|colordiff|delta|ag|ack|ugrep|fzf|mdcat|glow|ccat|most|sponge|shred|mkfifo|hostnamectl|ip|ifconfig|iptables|ufw|mkdir|rmdir|ls|ll|dir|pwd|whoami|id|uname|uptime|hostname|date|true|false|test|sleep|which|env|printenv|ps|top|df|du|free|history|alias|unset|trap|wait|exit|return|ln|stat|file|tree|sort|uniq|cut|paste|join|comm|split|csplit|fold|fmt|nl|rev|shuf|tsort|expand|pr|look|strings|cmp|diff|jq|yq|xmllint|csvtool|column|iconv|dos2unix|zcat|zless|zgrep|bzcat|xzcat|rsync|unison|git|svn|hg|jj)$/;

/** Names of programs that are also everyday words. */
const EVERYDAY_WORD =
  /^(?:at|make|find|test|sort|file|set|read|open|install|touch|link|cut|head|tail|less|more|join|split|watch|time|date|type|kill|who|yes|mail|free|last|look|man|host|script|screen|service|mount|patch|batch|which|command|expand|fold|factor|strings|tree|truncate|write|export|source|go|node|move|copy|start|print|sleep|wait|column|paste|convert|import|display|top|strip|view|history|info|help|clear|reset|local|return|exit|break|continue|select|alias|bind|true|false|trap|shift|ping|say|code|stat|id|up|apply|pass|most|age|open|vault|helm|service|snap|delta|dir|env|watch|nice|echo|cat|just|task|act|tell|let|do|done|then|else|if|for|while|case|in|ed|ex|op|mc|ip|pr|ln)$/;
/** Words of a sentence that a command does not have. */
const SENTENCE =
  /(?:^|\s)(?:the|a|an|is|are|was|were|be|been|to|of|for|and|or|with|that|this|these|it|its|we|you|i|my|our|your|should|would|could|can|will|not|from|into|when|if|because|who|what|how|out|on|in|by|as|at|home)(?=[\s,.!?:]|$)/i;

/** Whether a piece starts and continues like a command. */
function isCommandPiece({ text: piece, isInner }: Piece, mayBeProse: boolean): boolean {
  if (/^\d?>{1,2}\|?\s*[^\s>]+$/.test(piece)) return true;
  const rest = piece.slice(COMMAND_PREFIX.exec(piece)![0].length);
  const [, path = "", words = ""] = /^([^\s<>]+)\s*(.*)$/s.exec(rest) ?? [];
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/["'\\]/g, "");
  // "at home" is not a time, and a text that only starts with a quote is a value.
  if (/^(?:at|batch)$/.test(name) && !/(?:^|\s)-|<|\bnow\b|\+/.test(words)) return false;
  const isQuoted = path.split(/["']/).length % 2 === 0;
  if (isProgram(name) && !isQuoted) return !((mayBeProse || EVERYDAY_WORD.test(name)) && isSentence(words));
  if (isInner || !/^[a-z\d./~][\w./~+@-]*$/.test(path) || isSentence(words)) return false;
  return /(?:^|\s)--?[a-zA-Z]/.test(words) || redirects(rest);
}

function isProgram(name: string): boolean {
  return isCommandName(name) || PROGRAMS.test(name) || isKnownProgram(name);
}

/** Whether a word is the name of a program and not also an everyday word. */
export function isProgramName(name: string): boolean {
  return isCommandName(name) || (isProgram(name) && !EVERYDAY_WORD.test(name));
}

/** `x > file`, but not an arrow, tag or comparison. */
function redirects(piece: string): boolean {
  return (
    /(?:^|[\s\w])&?>{1,2}\s*(?:[~.]|\/|[\w-]+[./])\S*/.test(piece) && !/<\/?[a-z]|process\.env/i.test(piece)
  );
}

function isSentence(words: string): boolean {
  if (redirects(words)) return false;
  if (SENTENCE.test(words)) return true;
  const plain = words.split(/\s+/).filter((word) => /^[A-Za-z]{2,}[,.!?:]?$/.test(word));
  return plain.length >= 2 && !/(?:^|\s)-/.test(words);
}
