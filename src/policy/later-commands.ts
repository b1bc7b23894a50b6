import { shown } from "./dangerous-commands.ts";
import { ask, type Finding } from "./finding.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

/** Settings of git's that are commands. */
const GIT_RUNS =
  /^(?:core\.(?:hookspath|fsmonitor|editor|pager|sshcommand|askpass|gitproxy|attributesfile)|alias\..+|.*\.(?:helper|cmd|textconv|clean|smudge|process|driver|program)|diff\.external|init\.templatedir|include(?:if)?\..*|pager\..*|sequence\.editor|gpg\..*program|url\..*)$/i;

/** Commands that change what runs later without naming a file. */
export function runsLater(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const runs = ((): boolean => {
    switch (command.name) {
      case "crontab":
        return !texts.includes("-l");
      case "at":
      case "batch":
        return !texts.some((text) => /^-(?:l|c|V)$/.test(text));
      case "systemctl":
        return texts.some((text) =>
          /^(?:enable|link|edit|set-default|add-wants|add-requires|set-property)$/.test(text),
        );
      case "launchctl":
        return texts.some((text) => /^(?:load|bootstrap|submit|enable)$/.test(text));
      case "git": {
        const isReading = texts.some((text) => /^(?:--get.*|--list|-l|get|list|--unset.*)$/.test(text));
        if (texts.some((text, at) => texts[at - 1] === "-c" && GIT_RUNS.test(text.split("=")[0]!)))
          return true;
        return texts.includes("config") && !isReading && texts.some((text) => GIT_RUNS.test(text));
      }
      default:
        return false;
    }
  })();
  return runs ? ask("runs-later", `${shown(command)} changes what runs later.`) : null;
}

/** What of Hookline only tells something. */
const TELLS =
  /^(?:status|search|ask|context|sessions|session|timeline|observations|show|tail|away|limits|doctor|jump|help|--help|-h|--version|version)$/;
const TELLS_MORE =
  /^(?:policy (?:test|list|show)|recipes (?:list|show)|config (?:show|get)|memory .*|trust (?:list|show))/;

/** Commands with which an agent could answer for the person, or start another without these rules. */
export function steersItself(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const asked = ask("steers-itself", `${shown(command)} changes what an agent may do.`);
  if (command.name === "hookline") {
    const tells = texts.length === 0 || TELLS.test(texts[0]!) || TELLS_MORE.test(texts.join(" "));
    return tells ? null : asked;
  }
  if (command.name !== "claude") return null;
  const isFree = texts.some((text) =>
    /dangerously|bypassPermissions|dontAsk|^--settings|^--mcp-config/.test(text),
  );
  const isSetting =
    /^(?:mcp (?:add|remove)|config (?:set|add|remove)|plugin (?:install|add|enable|marketplace)|update|install)/;
  return isFree || isSetting.test(texts.join(" ")) ? asked : null;
}
