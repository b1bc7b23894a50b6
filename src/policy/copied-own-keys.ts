import { displayCommand } from "./display-command.ts";
import { ask, type Finding } from "./finding.ts";
import { isInside, type Locations, pathsOf } from "./locations.ts";
import { KEY_NAMES } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

const COPIES = /^(?:[gb]?s?d?tar|cp|gcp|rsync|zip|7z[az]?|ditto|cpio|pax|mv)$/;

/** A copy of a folder with our home in it, from which the same script reads a file named like our keys. */
export function judgeKeyFromCopy(commands: readonly ShellCommand[], places: Locations): Finding | null {
  const copiers = commands.filter((command) => copiesHome(command, places));
  if (copiers.length === 0) return null;
  const taker = commands.find((command) => !copiers.includes(command) && namesKey(command));
  return taker === undefined
    ? null
    : ask("own-file", `${displayCommand(taker)} could extract one of Hookline's own files from a copy.`);
}

function copiesHome({ name, args, cwds }: ShellCommand, places: Locations): boolean {
  if (!COPIES.test(name)) return false;
  return args.some(
    ({ text }) =>
      /^[~./]/.test(text) &&
      pathsOf(text, places, cwds).some((path) => path !== places.own.dir && isInside(places.own.dir, path)),
  );
}

function namesKey({ args }: ShellCommand): boolean {
  return args.some(({ text }) => {
    const name = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
    return /[a-z]{3}/.test(name) && KEY_NAMES.some((key) => matchesPart(name, key));
  });
}
