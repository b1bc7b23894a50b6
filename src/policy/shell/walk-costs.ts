import type { VariableValue } from "./expand-word.ts";
import { ANY_VARIABLE, type ShellCommand, UNKNOWN } from "./shell-reading.ts";

/** Every check reads a command's words, some of them several times, and looks through what is piped into it. */
export function workOn({
  args,
  redirects,
  layers,
  pipedFrom,
  substituted,
  cwds,
  wrappers,
}: ShellCommand): number {
  const texts = [...args, ...redirects].reduce((sum, each) => {
    const text = "operator" in each ? (each.text ?? each.target?.text ?? "") : each.text;
    return sum + 400 + 8 * text.length;
  }, 2_000);
  const around = layers.length * 50 + wrappers.length * 20 + cwds.length * 50;
  return texts + around + 20 * (pipedFrom.length + substituted.length);
}

/** Past a few values it may be anything, and hold any variable once one of them did. */
export function anyValue(before: VariableValue | undefined, value: VariableValue): VariableValue {
  const held = [...(before?.variables ?? []), ...(value.variables ?? [])];
  return { text: UNKNOWN, isGlob: false, variables: held.length > 0 ? [ANY_VARIABLE] : [] };
}
