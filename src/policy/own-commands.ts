import { NAME_ONLY_PROGRAMS } from "./command-files.ts";
import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { stdinText } from "./killed-processes.ts";
import type { Locations } from "./locations.ts";
import { isOwnAddress, mentionsOwnPort, ownFileOf, ownPathsIn } from "./own-files.ts";
import { judgeOwnService } from "./own-service.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

/** Programs that only read their operands. */
const READERS = new Set(
  "cat head tail less more nl tac jq yq grep egrep fgrep rg ag ack wc sort uniq cut tr diff cmp strings xxd od hexdump file md5sum sha1sum sha256sum shasum cksum bat batcat column zcat zstdcat zgrep fold".split(
    " ",
  ),
);

export function isFileReader(command: ShellCommand): boolean {
  return READERS.has(command.name);
}

/** Their first word is a pattern, and messages are for people: neither opens a file. */
const SEARCHES = new Set("grep egrep fgrep rg ag ack".split(" "));
const LISTS_PORTS = new Set("lsof ss netstat fuser".split(" "));

/** How an agent could answer its own requests, or disable its guard: by our files, our port, our daemon. */
export function judgeHooklineAccess(command: ShellCommand, locations: Locations): Finding | null {
  return mostSevere([
    judgeOwnPaths(command, locations),
    judgeOwnPort(command, locations),
    judgeOwnService(command),
  ]);
}

function judgeOwnPaths(command: ShellCommand, locations: Locations): Finding | null {
  const usesVariable = command.args.some((word) => word.variables.includes("HOOKLINE_HOME"));
  if (/^(?:cd|pushd)$/.test(command.name)) {
    const printed = command.substituted.flatMap(({ args }) => args.map((word) => word.text));
    const entersOwnHome = printed.some((text) => ownPathsIn(text, locations).length > 0);
    if (usesVariable || entersOwnHome) return denyOwnFile(command);
  }
  if (NAME_ONLY_PROGRAMS.has(command.name) || SEARCHES.has(command.name) || isTextForPeople(command))
    return null;
  if (/^g?sed$/.test(command.name) && !command.args.some((word) => /[rRwW]\s*\S*hookline/i.test(word.text)))
    return null;
  const stdin = /^(?:cat|tee)$/.test(command.name) ? "" : stdinText(command);
  const texts = [...command.args.flatMap((word) => [word.text, word.display]), stdin];
  const paths = texts.flatMap((text) => ownPathsIn(text, locations));
  const files = paths.map((path) => ownFileOf(path, locations));
  const comesFromSearch = command.pipedFrom.some(
    ({ name, args }) =>
      /^(?:find|fd|fdfind|locate|ls)$/.test(name) && args.some((word) => /hookline/i.test(word.text)),
  );
  const readsVariable = texts.some(
    (text) => /HOOKLINE_HOME(?!\w*=)/.test(text) && !text.startsWith("HOOKLINE_HOME="),
  );
  if (readsVariable || files.includes("key") || (comesFromSearch && command.wrappers.includes("xargs")))
    return denyOwnFile(command);
  if (files.length === 0 || isFileReader(command)) return null;
  return files.every((file) => file === "rules")
    ? ask("own-file", `${displayCommand(command)} would access Hookline's rules or configuration.`)
    : denyOwnFile(command);
}

function denyOwnFile(command: ShellCommand): Finding {
  return deny("own-file", `${displayCommand(command)} would use a file reserved for Hookline.`);
}

const CONNECTS_TO_PORTS =
  /^(?:nc|ncat|netcat|telnet|socat|curl|wget|ssh|openssl|http|https|httpie|xh|nmap|websocat|wscat|grpcurl|hey|ab|wrk|lynx|w3m|links|aria2c|ngrok|localtunnel|lt|cloudflared|frpc|bore|mitmproxy)$/;
const CONNECTS =
  /https?|fetch|sock|connect|request|urlopen|urllib|axios|net\.|Net::|IO::|LWP|tcp|Invoke-|WebClient|got\(/i;

/** They kill the listening process: `killport 37777`, `npx kill-port-process 37777`. */
const FREES_PORTS =
  /^fkill|(?:kill|free|clear|release|close|stop).{0,10}port|port.{0,10}(?:kill|free|clear)/i;

function freesPort(command: ShellCommand, locations: Locations): boolean {
  const { name, args } = command;
  const kills = args.some((word) => /^(?:-[a-zA-Z]*k[a-zA-Z]*|--kill)$/.test(word.text));
  const frees = name === "fuser" ? kills : FREES_PORTS.test(name);
  return frees && args.some((word) => mentionsOwnPort(word.text, locations));
}

/** Whether code of any language connects to our port. */
export function codeConnectsToHookline(code: string, locations: Locations): boolean {
  return mentionsOwnPort(code, locations) && CONNECTS.test(code);
}

function judgeOwnPort(command: ShellCommand, locations: Locations): Finding | null {
  const { name, args } = command;
  if (command.redirects.some((each) => isOwnDevice(each.target?.text ?? "", locations)))
    return denyOwnPort(command);
  if (freesPort(command, locations))
    return deny("own-daemon", `${displayCommand(command)} would stop Hookline, which guards this session.`);
  const listsOwnPort = (each: ShellCommand): boolean =>
    LISTS_PORTS.has(each.name) && each.args.some((word) => mentionsOwnPort(word.text, locations));
  const sources = [...command.pipedFrom, ...command.substituted];
  const isListed =
    sources.some((each) => LISTS_PORTS.has(each.name)) &&
    sources.some((each) => each.args.some((word) => mentionsOwnPort(word.text, locations)));
  if (name === "kill" && (isListed || sources.some(listsOwnPort)))
    return deny("own-daemon", `${displayCommand(command)} would stop Hookline, which guards this session.`);
  const closes = name === "ss" && args.some((word) => /^(?:-[a-zA-Z]*K|--kill$)/.test(word.text));
  if (closes && listsOwnPort(command)) return denyOwnPort(command);
  if (
    NAME_ONLY_PROGRAMS.has(name) ||
    isFileReader(command) ||
    LISTS_PORTS.has(name) ||
    name === "tee" ||
    isTextForPeople(command)
  )
    return null;
  // An unknown part inside a number may be empty.
  const connects = [
    ...args.map((word) => word.text.replace(/(?<=\d)\0+(?=\d)/g, "")),
    stdinText(command),
  ].some((text, at) => {
    if (!mentionsOwnPort(text, locations)) return false;
    if (/^--?(?:[\w-]*port|p)(?:=|$)/.test(/^\d+$/.test(text) ? (args[at - 1]?.text ?? "") : text))
      return true;
    if (CONNECTS_TO_PORTS.test(name) || isAddress(text, locations)) return true;
    return /\s|\(/.test(text) && codeConnectsToHookline(text, locations);
  });
  return connects ? denyOwnPort(command) : null;
}

function isAddress(text: string, locations: Locations): boolean {
  return isOwnAddress(text, locations) || (text.startsWith(`${locations.own.port}/`) && /tcp|udp/.test(text));
}

function isOwnDevice(text: string, locations: Locations): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(text) && new RegExp(`/0*${locations.own.port}$`).test(text);
}

function denyOwnPort(command: ShellCommand): Finding {
  return deny(
    "own-port",
    `${displayCommand(command)} would connect to Hookline's own port, which is reserved for you.`,
  );
}

export function isTextForPeople({ name, args }: ShellCommand): boolean {
  return (
    name === "gh" ||
    (name === "git" && args.some((word) => /^(?:commit|tag|notes|log|grep)$/.test(word.text)))
  );
}

/** Hookline commands that only report, unless an option says otherwise. */
const READ_ONLY_VERB =
  /^(?:status|search|ask|context|sessions|session|timeline|observations|show|tail|away|limits|doctor|jump|help|--help|-h|--version|-v|version)$/;
const CHANGES =
  /^--(?:fix|off|on|set|add|remove|delete|clear|reset|yes|force|apply|write|enable|disable|import|mark-seen|seen)(?:=|$)/;

/** `away` marks what it printed as seen, unless an option prevents that. */
function isReadOnlyVerb(ownWords: readonly string[]): boolean {
  if (ownWords.length === 0) return true;
  const [verb = "", ...options] = ownWords;
  if (!READ_ONLY_VERB.test(verb) || options.some((text) => CHANGES.test(text))) return false;
  return verb !== "away" || options.some((text) => /^(?:--(?:keep|since|waits|help)(?:=|$)|-h$)/.test(text));
}

const READ_ONLY_SUBCOMMAND =
  /^(?:answer(?: --json)?$|policy (?:test|list|show|check)|recipes (?:list|show)|config(?: (?:show|get))?(?: [\w.]+)?(?: --\w+)*$|memory .*|trust (?:list|show))/;
/** With these an agent would answer for the user, sign itself in, or disable its guard. */
const ACTS_FOR_USER =
  /^(?:answer|down|uninstall|open|attach|top)\b|^config\b.*\b(?:guard|approve|serve|control|port|exclude|failClosed)|^trust\b.*--(?:yes|revoke)|^install\b.*(?:--no-|off\b|false)/;

const OTHER_AGENTS = new Set(
  "codex gemini cursor-agent opencode copilot qwen amp crush goose aider droid".split(" "),
);
const OWN_PROGRAM =
  /(?:^|[/#])hookline(?:@[^/]*)?(?:\/(?:bin\/[\w.-]+|dist\/(?:[\w-]+\/)*(?:main|cli|index)\.[cm]?js|src\/cli\/main\.ts))?$/;

/** Commands with which an agent could answer for the user, or start another agent without these rules. */
export function judgeSelfControl(command: ShellCommand): Finding | null {
  const words = [command.path, ...command.args.map((word) => word.text)];
  const askFinding = ask("steers-itself", `${displayCommand(command)} would change what an agent may do.`);
  // Also through another program: `node bin/hookline …`, `pnpm hookline …`.
  const at = words
    .slice(0, 4)
    .findIndex((text) => OWN_PROGRAM.test(text) || /\/cli\/main\.[jt]s$/.test(text));
  const texts = words.slice(1);
  const isOwn =
    at >= 0 &&
    (at === 0 || !NAME_ONLY_PROGRAMS.has(command.name)) &&
    !isFileReader(command) &&
    !isTextForPeople(command);
  if (
    isOwn &&
    !/^(?:cd|git|code|vim|npm|pnpm|yarn|cp|mv|ln|tar|docker)$/.test(at === 0 ? "" : command.name)
  ) {
    const ownWords = wordsFromVerb(words.slice(at + 1));
    const line = ownWords.join(" ");
    if (ACTS_FOR_USER.test(line) && !READ_ONLY_SUBCOMMAND.test(line) && !/ --help\b| -h\b/.test(line))
      return deny("steers-itself", `${displayCommand(command)} is reserved for you, not for agents.`);
    return isReadOnlyVerb(ownWords) || READ_ONLY_SUBCOMMAND.test(line) ? null : askFinding;
  }
  if (/^(?:|export|declare|typeset|readonly)$/.test(command.name)) {
    const isSet = [...command.assignedVariables, ...texts].some((text) =>
      /^CLAUDE_CONFIG_DIR(?:=|$)/.test(text),
    );
    return isSet ? askFinding : null;
  }
  if (OTHER_AGENTS.has(command.name))
    return texts.some((text) =>
      /^--(?:dangerously|yolo|full-auto|allow-all|trust-all|force$|yes-always)/.test(text),
    )
      ? askFinding
      : null;
  if (!/^claude(?:-code)?(?:@.*)?$/.test(command.name)) return null;
  const isUnrestricted = texts.some((text) =>
    /dangerously|bypassPermissions|acceptEdits|dontAsk|^--setting|^--bare$|^--mcp-config|^--allowed-?tools|^--plugin-dir/i.test(
      text,
    ),
  );
  const CHANGES_SETTINGS =
    /^(?:mcp (?:add|remove)|config (?:set|add|remove)|plugin (?:install|add|enable|marketplace)|update|install)/;
  // Other settings than those that contain our hooks.
  const usesOtherSettings = command.assignedVariables.some((name) =>
    /^(?:CLAUDE_CONFIG_DIR|HOME|XDG_CONFIG_HOME)$/.test(name),
  );
  return isUnrestricted || usesOtherSettings || CHANGES_SETTINGS.test(texts.join(" ")) ? askFinding : null;
}

const VERBS = /^(?:answer|down|uninstall|open|attach|top|config|trust|install)$/;

/** Skips options and their values before the verb: `--json down`, `-- down`. */
function wordsFromVerb(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => VERBS.test(word));
  const isFirst = words.slice(0, at).every((word, n) => /^-/.test(word) || /^-/.test(words[n - 1] ?? ""));
  if (at > 0 && isFirst) return words.slice(at);
  const start = words.findIndex((word) => !word.startsWith("-"));
  return start < 0 ? words : words.slice(start);
}
