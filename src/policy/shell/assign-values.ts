import type { Command } from "unbash";
import { expandWord, type VariableValue } from "./expand-word.ts";
import { isPlainSetting } from "./plain-variables.ts";
import { UNKNOWN } from "./shell-reading.ts";
import { type ConstructContext, copyFlow, type Flow, toExpansionContext, type Walk } from "./walk.ts";

const UNKNOWN_VALUE: VariableValue = { text: UNKNOWN, isGlob: false };

type AssignmentNode = Extract<Command["prefix"][number], { type: "Assignment" }>;

/** Returns what was assigned. */
export function assignNode(
  walk: Walk,
  node: AssignmentNode,
  flow: Flow,
  inside: ConstructContext,
): readonly VariableValue[] {
  const value = node.value;
  const words =
    value.type === "ArrayValue"
      ? value.elements.flatMap((word) => expandWord(word, toExpansionContext(walk, flow)).flat())
      : expandWord(value, toExpansionContext(walk, flow)).map((choice) => ({
          text: choice.map((word) => word.text).join(" "),
          isGlob: choice.some((word) => word.isGlob),
          variables: choice.flatMap((word) => word.variables),
          guesses: choice.flatMap((word) => word.guesses ?? []),
          holdsNumber: choice.some((word) => word.holdsNumber === true),
        }));
  const values = words.map(({ text, isGlob, variables, guesses = [], holdsNumber = false }) => ({
    text,
    isGlob,
    variables,
    holdsNumber,
    ...(guesses.length > 0 ? { guesses } : {}),
  }));
  const before = node.append ? (walk.values.get(node.name) ?? [UNKNOWN_VALUE]) : [];
  walk.assign(node.name, [
    ...values,
    ...before.flatMap((old) =>
      values.map((value) => ({
        text: old.text + value.text,
        isGlob: old.isGlob || value.isGlob,
        holdsNumber: old.holdsNumber === true || value.holdsNumber,
      })),
    ),
  ]);
  flow.assigned.add(node.name);
  for (const { text } of values) runCommandVariable(walk, node.name, text, inside, flow);
  return values;
}

export function runCommandVariable(
  walk: Walk,
  name: string,
  value: string,
  inside: ConstructContext,
  flow: Flow,
): void {
  if (!IS_COMMAND.test(name) || isPlainSetting(name, value)) return;
  walk.walkText(value, { ...inside, wrappers: [...inside.wrappers, name] }, copyFlow(flow));
}

/** Variables whose value is a command that other programs run. */
const IS_COMMAND =
  /^(?:PROMPT_COMMAND|RSYNC_RSH|CVS_RSH|PS4|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|GIT_EXTERNAL_DIFF|\w*(?:EDITOR|PAGER|SSH_COMMAND|ASKPASS))$/;
