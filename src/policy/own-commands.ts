import { NAMES_ONLY } from "./command-files.ts";
import { fedText } from "./ending-processes.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { isOwnAddress, namesOwnPort, ownFileOf, ownPathsIn } from "./own-files.ts";
import { reachesOwnService } from "./own-service.ts";
import type { Places } from "./places.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";

/** Programs that only read what they are given. */
const READERS = new Set(
  "cat head tail less more nl tac jq yq grep egrep fgrep rg ag ack wc sort uniq cut tr diff cmp strings xxd od hexdump file md5sum sha1sum sha256sum shasum cksum bat batcat column zcat zstdcat zgrep fold".split(
    " ",
  ),
);

export function onlyReads(command: ShellCommand): boolean {
  return READERS.has(command.name);
}

/** Their first word is a pattern, and messages are for people: neither opens a file. */
const SEARCHES = new Set("grep egrep fgrep rg ag ack".split(" "));
const LOOKS_AT_PORTS = new Set("lsof ss netstat fuser".split(" "));

/** How an agent could answer its own requests, or switch off what guards it: by our files, our port, our daemon. */
export function reachesHookline(command: ShellCommand, places: Places): Finding | null {
  return gravest([byMention(command, places), byPort(command, places), reachesOwnService(command)]);
}

function byMention(command: ShellCommand, places: Places): Finding | null {
  const usesVariable = command.args.some((word) => word.variables.includes("HOOKLINE_HOME"));
  if (/^(?:cd|pushd)$/.test(command.name)) {
    const printed = command.substituted.flatMap(({ args }) => args.map((word) => word.text));
    const leads = printed.some((text) => ownPathsIn(text, places).length > 0);
    if (usesVariable || leads) return ownFile(command);
  }
  if (NAMES_ONLY.has(command.name) || SEARCHES.has(command.name) || isMessage(command)) return null;
  if (/^g?sed$/.test(command.name) && !command.args.some((word) => /[rRwW]\s*\S*hookline/i.test(word.text)))
    return null;
  const fed = /^(?:cat|tee)$/.test(command.name) ? "" : fedText(command);
  const texts = [...command.args.flatMap((word) => [word.text, word.shown]), fed];
  const paths = texts.flatMap((text) => ownPathsIn(text, places));
  const files = paths.map((path) => ownFileOf(path, places));
  const isFound = command.pipedFrom.some(
    ({ name, args }) =>
      /^(?:find|fd|fdfind|locate|ls)$/.test(name) && args.some((word) => /hookline/i.test(word.text)),
  );
  const readsVariable = texts.some(
    (text) => /HOOKLINE_HOME(?!\w*=)/.test(text) && !text.startsWith("HOOKLINE_HOME="),
  );
  if (readsVariable || files.includes("key") || (isFound && command.wrappers.includes("xargs")))
    return ownFile(command);
  if (files.length === 0 || onlyReads(command)) return null;
  return files.every((file) => file === "rules")
    ? ask("own-file", `${shown(command)} uses Hookline's own rules or configuration.`)
    : ownFile(command);
}

function ownFile(command: ShellCommand): Finding {
  return deny("own-file", `${shown(command)} uses a file that only Hookline itself may use.`);
}

const TALKS_TO_PORTS =
  /^(?:nc|ncat|netcat|telnet|socat|curl|wget|ssh|openssl|http|https|httpie|xh|nmap|websocat|wscat|grpcurl|hey|ab|wrk|lynx|w3m|links|aria2c|ngrok|localtunnel|lt|cloudflared|frpc|bore|mitmproxy)$/;
const SPEAKS =
  /https?|fetch|sock|connect|request|urlopen|urllib|axios|net\.|Net::|IO::|LWP|tcp|Invoke-|WebClient|got\(/i;

/** They end whoever listens: `killport 37777`, `npx kill-port-process 37777`. */
const FREES_PORTS =
  /^fkill|(?:kill|free|clear|release|close|stop).{0,10}port|port.{0,10}(?:kill|free|clear)/i;

function freesPort(command: ShellCommand, places: Places): boolean {
  const { name, args } = command;
  const kills = args.some((word) => /^(?:-[a-zA-Z]*k[a-zA-Z]*|--kill)$/.test(word.text));
  const frees = name === "fuser" ? kills : FREES_PORTS.test(name);
  return frees && args.some((word) => namesOwnPort(word.text, places));
}

/** Whether code of any language speaks to our port. */
export function codeSpeaksToHookline(code: string, places: Places): boolean {
  return namesOwnPort(code, places) && SPEAKS.test(code);
}

function byPort(command: ShellCommand, places: Places): Finding | null {
  const { name, args } = command;
  if (command.redirects.some((each) => isOwnDevice(each.target?.text ?? "", places))) return ownPort(command);
  if (freesPort(command, places))
    return deny("own-daemon", `${shown(command)} ends Hookline, which guards this session.`);
  const lists = (each: ShellCommand): boolean =>
    LOOKS_AT_PORTS.has(each.name) && each.args.some((word) => namesOwnPort(word.text, places));
  const sources = [...command.pipedFrom, ...command.substituted];
  const isListed =
    sources.some((each) => LOOKS_AT_PORTS.has(each.name)) &&
    sources.some((each) => each.args.some((word) => namesOwnPort(word.text, places)));
  if (name === "kill" && (isListed || sources.some(lists)))
    return deny("own-daemon", `${shown(command)} ends Hookline, which guards this session.`);
  const closes = name === "ss" && args.some((word) => /^(?:-[a-zA-Z]*K|--kill$)/.test(word.text));
  if (closes && lists(command)) return ownPort(command);
  if (
    NAMES_ONLY.has(name) ||
    onlyReads(command) ||
    LOOKS_AT_PORTS.has(name) ||
    name === "tee" ||
    isMessage(command)
  )
    return null;
  // What is not known inside a number may be nothing.
  const speaks = [...args.map((word) => word.text.replace(/(?<=\d)\0+(?=\d)/g, "")), fedText(command)].some(
    (text, at) => {
      if (!namesOwnPort(text, places)) return false;
      if (/^--?(?:[\w-]*port|p)(?:=|$)/.test(/^\d+$/.test(text) ? (args[at - 1]?.text ?? "") : text))
        return true;
      if (TALKS_TO_PORTS.test(name) || isAddress(text, places)) return true;
      return /\s|\(/.test(text) && codeSpeaksToHookline(text, places);
    },
  );
  return speaks ? ownPort(command) : null;
}

function isAddress(text: string, places: Places): boolean {
  return isOwnAddress(text, places) || (text.startsWith(`${places.own.port}/`) && /tcp|udp/.test(text));
}

function isOwnDevice(text: string, places: Places): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(text) && new RegExp(`/0*${places.own.port}$`).test(text);
}

function ownPort(command: ShellCommand): Finding {
  return deny("own-port", `${shown(command)} speaks to Hookline's own port, which is for people.`);
}

export function isMessage({ name, args }: ShellCommand): boolean {
  return (
    name === "gh" ||
    (name === "git" && args.some((word) => /^(?:commit|tag|notes|log|grep)$/.test(word.text)))
  );
}

/** What of Hookline only tells something, unless an option says otherwise. */
const TELLS =
  /^(?:status|search|ask|context|sessions|session|timeline|observations|show|tail|away|limits|doctor|jump|help|--help|-h|--version|-v|version)$/;
const CHANGES =
  /^--(?:fix|off|on|set|add|remove|delete|clear|reset|yes|force|apply|write|enable|disable|import|mark-seen|seen)(?:=|$)/;

/** `away` marks what it told as seen, unless it is told not to. */
function onlyTells(own: readonly string[]): boolean {
  if (own.length === 0) return true;
  const [verb = "", ...options] = own;
  if (!TELLS.test(verb) || options.some((text) => CHANGES.test(text))) return false;
  return verb !== "away" || options.some((text) => /^(?:--(?:keep|since|waits|help)(?:=|$)|-h$)/.test(text));
}

const TELLS_MORE =
  /^(?:answer(?: --json)?$|policy (?:test|list|show|check)|recipes (?:list|show)|config(?: (?:show|get))?(?: [\w.]+)?(?: --\w+)*$|memory .*|trust (?:list|show))/;
/** With these an agent would answer for the person, let itself in, or switch off what guards it. */
const IN_PLACE_OF_A_PERSON =
  /^(?:answer|down|uninstall|open|attach|top)\b|^config\b.*\b(?:guard|approve|serve|control|port|exclude|failClosed)|^trust\b.*--(?:yes|revoke)|^install\b.*(?:--no-|off\b|false)/;

const OTHER_AGENTS = new Set(
  "codex gemini cursor-agent opencode copilot qwen amp crush goose aider droid".split(" "),
);
const OWN_PROGRAM =
  /(?:^|[/#])hookline(?:@[^/]*)?(?:\/(?:bin\/[\w.-]+|dist\/(?:[\w-]+\/)*(?:main|cli|index)\.[cm]?js|src\/cli\/main\.ts))?$/;

/** Commands with which an agent could answer for the person, or start another without these rules. */
export function steersItself(command: ShellCommand): Finding | null {
  const given = [command.path, ...command.args.map((word) => word.text)];
  const asked = ask("steers-itself", `${shown(command)} changes what an agent may do.`);
  // Also started by another program: `node bin/hookline …`, `pnpm hookline …`.
  const at = given
    .slice(0, 4)
    .findIndex((text) => OWN_PROGRAM.test(text) || /\/cli\/main\.[jt]s$/.test(text));
  const texts = given.slice(1);
  const isOwn =
    at >= 0 && (at === 0 || !NAMES_ONLY.has(command.name)) && !onlyReads(command) && !isMessage(command);
  if (
    isOwn &&
    !/^(?:cd|git|code|vim|npm|pnpm|yarn|cp|mv|ln|tar|docker)$/.test(at === 0 ? "" : command.name)
  ) {
    const own = fromVerb(given.slice(at + 1));
    const line = own.join(" ");
    if (IN_PLACE_OF_A_PERSON.test(line) && !TELLS_MORE.test(line) && !/ --help\b| -h\b/.test(line))
      return deny("steers-itself", `${shown(command)} is for a person, not for an agent.`);
    return onlyTells(own) || TELLS_MORE.test(line) ? null : asked;
  }
  if (/^(?:|export|declare|typeset|readonly)$/.test(command.name)) {
    const isSet = [...command.assigns, ...texts].some((text) => /^CLAUDE_CONFIG_DIR(?:=|$)/.test(text));
    return isSet ? asked : null;
  }
  if (OTHER_AGENTS.has(command.name))
    return texts.some((text) =>
      /^--(?:dangerously|yolo|full-auto|allow-all|trust-all|force$|yes-always)/.test(text),
    )
      ? asked
      : null;
  if (!/^claude(?:-code)?(?:@.*)?$/.test(command.name)) return null;
  const isFree = texts.some((text) =>
    /dangerously|bypassPermissions|acceptEdits|dontAsk|^--setting|^--bare$|^--mcp-config|^--allowed-?tools|^--plugin-dir/i.test(
      text,
    ),
  );
  const isSetting =
    /^(?:mcp (?:add|remove)|config (?:set|add|remove)|plugin (?:install|add|enable|marketplace)|update|install)/;
  // Other settings than those that hold our hooks.
  const isElsewhere = command.assigns.some((name) =>
    /^(?:CLAUDE_CONFIG_DIR|HOME|XDG_CONFIG_HOME)$/.test(name),
  );
  return isFree || isElsewhere || isSetting.test(texts.join(" ")) ? asked : null;
}

const VERBS = /^(?:answer|down|uninstall|open|attach|top|config|trust|install)$/;

/** Without options and their values before the verb: `--json down`, `-- down`. */
function fromVerb(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => VERBS.test(word));
  const isFirst = words.slice(0, at).every((word, n) => /^-/.test(word) || /^-/.test(words[n - 1] ?? ""));
  if (at > 0 && isFirst) return words.slice(at);
  const start = words.findIndex((word) => !word.startsWith("-"));
  return start < 0 ? words : words.slice(start);
}
