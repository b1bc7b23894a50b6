import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { matchesPart } from "./path-glob.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

/** Operations on Hookline's service, its installed program, or its process group. */
export function judgeOwnService(command: ShellCommand): Finding | null {
  const removes =
    /^(?:rm|mv|unlink|shred|truncate|chmod|ln|cp|tee)$/.test(command.name) &&
    command.substituted.some((each) => each.args.some((word) => /hookline/i.test(word.text)));
  if (removes)
    return ask("own-daemon", `${displayCommand(command)} could remove Hookline, which guards this session.`);
  return mostSevere([
    judgeManager(command),
    judgeBus(command),
    judgeProcessGroup(command),
    judgePackageManager(command),
  ]);
}

/** Pure service managers: only inspecting and starting is allowed. */
const MANAGERS =
  /^(?:systemctl|launchctl|service|rc-service|sv|s6-svc|s6-rc|pm2|supervisorctl|forever|initctl|runsvctrl|nssm|dinitctl|svcadm|cgfreezer)$/;
/** Programs that can also stop services. */
const OTHER_MANAGERS = /^(?:brew|docker|podman|nerdctl|sc|net)$/;
const STOPS =
  /^(?:stop|disable|kill|mask|unload|bootout|remove|delete|rm|restart|terminate|down|pause|freeze|reload|try-restart|kickstart|-d|exit)$/;
const MANAGER_READS =
  /^(?:status|show|is-[a-z-]+|list(?:-[a-z-]+)?|ls|cat|help|print(?:-[a-z]+)?|blame|procinfo|logs?|describe|desc|info|prettylist|jlist|monit|env|report|id|get|check|avail|tail|fg|start|enable|reenable|link|edit|enable-linger|load|bootstrap|submit|s)$/i;
/** Their options with a value in the next word. */
const OPTION_WITH_VALUE =
  /^(?:-[ptnosHMP]|--(?:property|type|lines|output|signal|host|machine|state|job-mode|root|kill-whom?|what|value|namespace|name))$/;

function judgeManager(command: ShellCommand): Finding | null {
  const { name, args } = command;
  const texts = args.map((word) => word.text);
  if (!texts.some((text) => namesService(text) || (MANAGERS.test(name) && /\/hookline$/i.test(text))))
    return null;
  const stops = texts.some((text) => STOPS.test(text));
  if (OTHER_MANAGERS.test(name)) return stops ? denyStop(command) : null;
  if (!MANAGERS.test(name)) return null;
  const verb = texts.find(
    (text, at) =>
      !/^[-+]/.test(text) &&
      !OPTION_WITH_VALUE.test(texts[at - 1] ?? "") &&
      !/hookline/i.test(text) &&
      text !== "",
  );
  const onlyReads = verb !== undefined && MANAGER_READS.test(verb);
  return (stops && !onlyReads) || (verb !== undefined && !onlyReads) ? denyStop(command) : null;
}

function denyStop(command: ShellCommand): Finding {
  return deny("own-daemon", `${displayCommand(command)} would stop Hookline, which guards this session.`);
}

/** Also as a glob: `hook*`. */
function namesService(text: string): boolean {
  if (/(?:^|[^\w/])hookline/i.test(text)) return true;
  return (
    /[*?[]/.test(text) &&
    /\w/.test(text) &&
    SERVICE_NAMES.some((name) => matchesPart(text.toLowerCase(), name))
  );
}

const SERVICE_NAMES = ["hookline", "hookline.service", "com.hookline.daemon"];

/** Programs that send messages to a service manager. */
export const BUS_CLIENT = /^(?:busctl|dbus-send|gdbus|qdbus(?:-qt\d|\d)?|dbus-next|dasbus)$/;
const BUS_READS =
  /^(?:introspect|status|tree|list|monitor|capture|get-property)$|(?:^|\.)(?:Get\w*|List\w*|Introspect|Ping|LoadUnit|StartUnit|Start|Subscribe)$/;

function judgeBus(command: ShellCommand): Finding | null {
  if (!BUS_CLIENT.test(command.name)) return null;
  const texts = command.args.map((word) => word.text);
  const isOwn = texts.some((text) => /hookline/i.test(text));
  return isOwn && !texts.some((text) => BUS_READS.test(text)) ? denyStop(command) : null;
}

/** Kernel files that freeze or kill all processes of a service. */
const GROUP = /^\/sys\/fs\/cgroup\/.*hookline/i;

function judgeProcessGroup(command: ShellCommand): Finding | null {
  const written = [
    ...command.redirects.flatMap(({ operator, target }) =>
      operator.includes(">") && target ? [target] : [],
    ),
    ...(/^(?:tee|cp|mv|dd|sponge)$/.test(command.name) ? command.args : []),
  ];
  return written.some((word) => GROUP.test(word.text)) ? denyStop(command) : null;
}

/** Package managers that can install for a single project, and those that never do. */
const PROJECT_PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn|yarnpkg|bun|deno)$/;
const SYSTEM_PACKAGE_MANAGERS =
  /^(?:volta|brew|snap|apt|apt-get|dnf|yum|pacman|zypper|apk|port|asdf|mise|rtx|proto|aqua|nix|nix-env|flatpak|pipx|scoop|choco|winget|corepack|cnpm)$/;
const PACKAGE_REMOVES = /^(?:uninstall|un|unlink|remove|rm|r|purge|unpublish|link|ln)$/;
/** Verbs with which a package manager only reports, or runs what is installed. */
const PACKAGE_READS =
  /^(?:view|v|info|show|search|find|list|ls|la|ll|outdated|why|explain|docs|home|homepage|repo|bugs|audit|pack|run|run-script|exec|x|dlx|test|t|start|config|c|cache|prefix|root|bin|where|which|latest|current|policy|depends|deps|uses|desc|log|cat|help|services|fund|ping|whoami|access|owner|create|init)$/;
const IS_GLOBAL = /^(?:-[a-z]*g|--global(?:=true)?|--location=global|global)$/;
const TAKES_PROJECT = /^(?:-w|-F|--workspace|--filter|--scope|-C|--prefix|--dir|--cwd)$/;
const OWN_PACKAGE = /(?:^|[/:@])hookline(?:[@#].*|-v?\d[\w.-]*|\.tgz|\.git(?:#.*)?|\/)?$/i;

function judgePackageManager(command: ShellCommand): Finding | null {
  const isSystemWide = SYSTEM_PACKAGE_MANAGERS.test(command.name);
  if (!isSystemWide && !PROJECT_PACKAGE_MANAGERS.test(command.name)) return null;
  const texts = command.args.map((word) => word.text);
  const operands = texts.filter(
    (text, at) => !text.startsWith("-") && !TAKES_PROJECT.test(texts[at - 1] ?? ""),
  );
  const verbs = operands.filter((text) => text !== "global");
  const at = verbs.findIndex((text) => OWN_PACKAGE.test(text));
  if (at < 1 || PACKAGE_READS.test(verbs[0]!)) return null;
  const changes =
    isSystemWide || PACKAGE_REMOVES.test(verbs[0]!) || texts.some((text) => IS_GLOBAL.test(text));
  return changes
    ? ask(
        "own-daemon",
        `${displayCommand(command)} would change the installed Hookline, which guards this session.`,
      )
    : null;
}
