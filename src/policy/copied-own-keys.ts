import { displayCommand } from "./display-command.ts";
import { ask, type Finding } from "./finding.ts";
import { isInside, type Locations, pathsOf } from "./locations.ts";
import { KEY_NAMES } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

const COPIES = /^(?:[gb]?s?d?tar|cp|gcp|rsync|zip|7z[az]?|ditto|cpio|pax|mv)$/;

/** A copy of a folder with our home in it, from which the same script reads a file named like our keys. */
export function judgeKeyFromCopy(commands: readonly ShellCommand[], locations: Locations): Finding | null {
  const copiers = commands.filter((command) => copiesHome(command, locations));
  if (copiers.length === 0) return null;
  const reader = commands.find((command) => !copiers.includes(command) && namesKey(command));
  return reader === undefined
    ? null
    : ask("own-file", `${displayCommand(reader)} could extract one of Hookline's own files from a copy.`);
}

function copiesHome({ name, args, cwds }: ShellCommand, locations: Locations): boolean {
  if (!COPIES.test(name)) return false;
  return args.some(
    ({ text }) =>
      /^[~./]/.test(text) &&
      pathsOf(text, locations, cwds).some(
        (path) => path !== locations.own.dir && isInside(locations.own.dir, path),
      ),
  );
}

function namesKey({ args }: ShellCommand): boolean {
  return args.some(({ text }) => {
    const name = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
    return /[a-z]{3}/.test(name) && KEY_NAMES.some((key) => matchesPart(name, key));
  });
}
