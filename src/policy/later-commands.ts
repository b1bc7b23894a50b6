import { ask, type Finding } from "./finding.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";

/** Settings of git's that are commands. */
const GIT_RUNS =
  /^(?:core\.(?:hookspath|fsmonitor|editor|pager|sshcommand|askpass|gitproxy|attributesfile)|alias\..+|.*\.(?:helper|cmd|textconv|clean|smudge|process|driver|program)|diff\.external|init\.templatedir|include(?:if)?\..*|pager\..*|sequence\.editor|gpg\..*program|url\..*|protocol\..*allow|interactive\.difffilter|remote\..*\.(?:uploadpack|receivepack))$/i;

/** Commands that change what runs later without naming a file. */
export function runsLater(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const runs = ((): boolean => {
    switch (command.name) {
      case "crontab":
      case "incrontab":
      case "fcrontab":
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
        if (texts.some((text, at) => GIT_RUNS.test(settingOf(text, texts[at - 1]).split("=")[0]!)))
          return true;
        if (
          /^(?:clone|init)(?: |$)/.test(texts.join(" ")) &&
          texts.some((text) => /^--template(?:=|$)/.test(text))
        )
          return true;
        return texts.includes("config") && !isReading && texts.some((text) => GIT_RUNS.test(text));
      }
      case "npm":
      case "pnpm":
      case "yarn":
      case "pip":
      case "pip3":
        return /^(?:config (?:set|edit|delete)|set)(?: |$)/.test(texts.join(" "));
      case "direnv":
        return /^(?:allow|permit|grant)$/.test(texts[0] ?? "");
      case "visudo":
      case "usermod":
      case "chpasswd":
      case "chsh":
        return true;
      case "passwd":
        return !texts.some((text) => /^(?:-S|--status)$/.test(text));
      case "update-alternatives":
        return texts.some((text) => /^--(?:set|install|config|auto)$/.test(text));
      default:
        return false;
    }
  })();
  return runs ? ask("runs-later", `${shown(command)} changes what runs later.`) : null;
}

/** A setting that is given to one call of git's: `-c x=y`, `-cx=y`, `--config-env=x=y`, `clone --config x=y`. */
function settingOf(text: string, before: string | undefined): string {
  if (before === "-c" || before === "--config" || before === "--config-env") return text;
  return /^(?:-c|--config=|--config-env=)(?=\w)(.+)$/s.exec(text)?.[1] ?? "";
}
