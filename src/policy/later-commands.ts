import { ask, type Finding } from "./finding.ts";
import { gitRunsLater } from "./git-settings.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";

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
      case "git":
        return gitRunsLater(command);
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
