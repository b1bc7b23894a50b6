import { isKnown, type ShellCommand, type Starter } from "../shell/shell-reading.ts";
import { isSystemPath } from "./program-path.ts";

/** The words allowed between a wrapper's name and the program it starts. */
const STARTERS: Readonly<Record<string, RegExp>> = {
  timeout:
    /^(?:(?:-k ?|--kill-after=)\d{1,6}[smhd]? |(?:-s ?|--signal=)[A-Z\d]{1,9} |--preserve-status |--foreground )*\d{1,6}(?:\.\d+)?[smhd]? $/,
  nice: /^(?:-n ?-?\d{1,2} |-\d{1,2} |--adjustment=-?\d{1,2} )?$/,
  stdbuf: /^(?:-[ioe] ?(?:L|0|\d{1,6}[KM]?) |--(?:input|output|error)=(?:L|0) )*$/,
  command: /^(?:-p )?$/,
  builtin: /^$/,
  // Without `-n` and `-L`, which run words that are judged together one after the other.
  xargs:
    /^(?:-[0rtx]+ |--(?:null|no-run-if-empty) |-P ?\d{1,6} |-I ?\S{1,20} |-[0rtx]+P ?\d{1,6} |-[0rtx]+I ?\S{1,20} |-d ?\\[n0] |--max-procs=\d{1,6} )*$/,
};

/** Shells whose language this parser reads. */
const PARSED_SHELLS = new Set(["sh", "bash", "dash", "zsh"]);
const SHELL_OPTIONS = /^(?:-[eux]+ |-[eux]*o pipefail )*-[leux]*c $/;

/** Whether a command's wrappers leave its effect unchanged: `timeout 5`, `nice`, `sh -c`. */
export function hasHarmlessStarters({ wrappers, starters }: ShellCommand): boolean {
  const programs = wrappers.filter((name) => name !== "find" && name !== "fd" && name !== "fdfind");
  return (
    programs.length === starters.length &&
    starters.every((starter, at) => starter.name === programs[at] && isHarmless(starter))
  );
}

function isHarmless({ name, path, words }: Starter): boolean {
  if (!isSystemPath(path) || !words.every((word) => isKnown(word) && !word.isGlob && !word.isSplit))
    return false;
  const pattern = PARSED_SHELLS.has(name)
    ? SHELL_OPTIONS
    : Object.hasOwn(STARTERS, name)
      ? STARTERS[name]
      : undefined;
  return pattern?.test(words.map((word) => `${word.text} `).join("")) === true;
}
