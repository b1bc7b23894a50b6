import { displayCommand } from "./display-command.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

/** Commands whose purpose is to change something. Others may too; they are asked about. */
const WRITERS = new Set(
  "rm rmdir mv cp ln mkdir touch tee truncate shred install dd chmod chown chgrp patch rsync unlink sponge mkfifo rimraf kill pkill killall crontab".split(
    " ",
  ),
);
const GIT_WRITES =
  /^(?:add|commit|push|pull|merge|rebase|reset|checkout|switch|restore|clean|rm|mv|cherry-pick|revert|apply|am|init|clone|gc|update-ref|filter-branch)$/;
const PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn|bun|pip|pip3|gem|cargo|go|apt|apt-get|brew|dnf|yum|pacman)$/;
const PACKAGE_WRITES =
  /^(?:i|install|ci|add|remove|rm|uninstall|update|upgrade|publish|link|unlink|get|prune|dedupe|init|create)$/;

/** The first command that writes, named for a sentence; null when none is known to. */
export function firstWriteIn(commands: readonly ShellCommand[]): string | null {
  const writer = commands.find(writes);
  if (writer === undefined) return null;
  return writer.name === "" ? "a redirection into a file" : displayCommand(writer);
}

function writes(command: ShellCommand): boolean {
  const texts = command.args.map((word) => word.text);
  const writesFile = command.redirects.some(
    ({ operator, target }) =>
      target !== null &&
      operator.includes(">") &&
      !(operator.endsWith("&") && /^(?:\d|-)$/.test(target.text)) &&
      !/^\/dev\/(?:null|stderr|stdout|tty)$/.test(target.text),
  );
  if (writesFile || WRITERS.has(command.name)) return true;
  if (command.name === "sed") return texts.some((text) => /^-[a-zA-Z]*i|^--in-place/.test(text));
  if (command.name === "find") return texts.includes("-delete");
  const verb = texts.find((text) => !text.startsWith("-")) ?? "";
  if (command.name === "git") return GIT_WRITES.test(verb);
  if (verb === "version") return /^(?:npm|pnpm|yarn|bun)$/.test(command.name);
  return PACKAGE_MANAGERS.test(command.name) && PACKAGE_WRITES.test(verb);
}
