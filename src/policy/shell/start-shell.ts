import { plainPath } from "./printed-text.ts";
import { EVALUATION, isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import {
  assignPositionalParameters,
  type ConstructContext,
  copyFlow,
  emptyCommand,
  type Flow,
  type Flows,
  type Walk,
} from "./walk.ts";
import { FED_INPUT } from "./written-scripts.ts";

/** Stdin, or a descriptor that the script itself opened. */
const FROM_DESCRIPTOR = /^\/dev\/stdin$|^\/(?:dev|proc\/self)\/fd\/\d+$/;
const SHELL_OPTION_WITH_VALUE = /^(?:[-+][oO]|--rcfile|--init-file)$/;

export function isDescriptor(word: ShellWord | undefined): boolean {
  return word !== undefined && !word.isProcess && FROM_DESCRIPTOR.test(word.text);
}

export function startShell(walk: Walk, command: ShellCommand, here: ConstructContext, flows: Flows): void {
  let hasCode = false;
  let readsStdin = false;
  let at = 0;
  const { args } = command;
  for (; at < args.length; at++) {
    const text = args[at]!.text;
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (SHELL_OPTION_WITH_VALUE.test(text)) at++;
    else if (/^-[a-zA-Z]*c/.test(text) || text === "--command") hasCode = true;
    else if (/^-[a-zA-Z]*s/.test(text)) readsStdin = true;
  }
  const operand = args[at];
  const inside: ConstructContext = {
    ...here,
    assignedVariables: command.assignedVariables,
    wrappers: [...here.wrappers, command.name],
    starters: [...here.starters, { name: command.name, path: command.path, words: args.slice(0, at) }],
  };
  if (hasCode || readsStdin) assignPositionsFromArgs(walk, args.slice(hasCode ? at + 1 : at), hasCode);
  if (hasCode) {
    if (operand === undefined) walk.emit(command);
    else {
      runCode(walk, command, operand, inside, flows.own);
      if (command.redirects.length > 0) walk.emit(emptyCommand("", command.redirects, here, flows.own));
    }
    return;
  }
  if (operand !== undefined && !readsStdin && !isDescriptor(operand)) {
    walk.emit({ ...command, hiddenCode: operand.isProcess || !isKnown(operand) ? "argument" : null });
    runWrittenScript(walk, operand.text, inside, flows.own);
    return;
  }
  if (inside.pipedFrom.length === 0 && hereText(command) === undefined)
    for (const file of [FED_INPUT, ...stdinFiles(command)]) runWrittenScript(walk, file, inside, flows.own);
  const stdin = hereText(command) ?? inside.stdin;
  if (stdin !== undefined) {
    walk.walkText(stdin, { ...inside, stdin: undefined, pipedFrom: [] }, copyFlow(flows.own));
    walk.emit({ ...command, hiddenCode: stdin.includes(UNKNOWN) ? "stdin" : null });
    if (hasStdinRedirect(command)) walk.emit({ ...command, hiddenCode: "stdin" });
  } else
    walk.emit({
      ...command,
      hiddenCode: inside.pipedFrom.length > 0 || hasStdinRedirect(command) ? "stdin" : null,
    });
}

/** Runs what the script itself wrote into a file before. */
export function runWrittenScript(walk: Walk, path: string, inside: ConstructContext, flow: Flow): void {
  const file = plainPath(path);
  const texts = walk.written.get(file) ?? [];
  // Removed first: running it again adds nothing, and a file may run itself.
  walk.written.delete(file);
  for (const text of texts)
    walk.walkText(text, { ...inside, wrappers: [...inside.wrappers, file] }, copyFlow(flow));
}

/** From a here-document or a here-string. */
export function hereText(command: ShellCommand): string | undefined {
  return command.redirects.find(({ text }) => text !== null)?.text ?? undefined;
}

/** Whether stdin is a file, a descriptor or another command's output: in bash that overrides a pipe. */
export function readsStdinFromFile({ redirects }: Pick<ShellCommand, "redirects">): boolean {
  return redirects.some(({ operator, target }) => target !== null && /^<(?:&|>)?$/.test(operator));
}

/** `< <(…)`: stdin is another command's output. */
export function readsStdinFromProcess({ redirects }: ShellCommand): boolean {
  return redirects.some(({ target }) => target?.isProcess);
}

function hasStdinRedirect(command: ShellCommand): boolean {
  return command.redirects.some(
    ({ target, operator }) =>
      target !== null &&
      (target.isProcess ||
        !isKnown(target) ||
        /^\/dev\/(?:tcp|udp)\//.test(target.text) ||
        (operator === "<&" && /^\d+$/.test(target.text))),
  );
}

/** `sh < x` */
function stdinFiles(command: ShellCommand): readonly string[] {
  return command.redirects.flatMap(({ operator, target }) =>
    operator === "<" && target !== null ? [target.text] : [],
  );
}

/** `sh -c 'cat "$1"' _ x`: the words after the code are its `$0`, `$1` and so on. */
function assignPositionsFromArgs(walk: Walk, args: readonly ShellWord[], fromZero: boolean): void {
  const [first, ...rest] = args.filter((word, at) => at > 0 || word.text !== "--");
  if (first === undefined) return;
  if (fromZero) walk.assign("0", [{ text: first.text, isGlob: first.isGlob }]);
  assignPositionalParameters(walk, fromZero ? rest : [first, ...rest]);
}

/** Code in one word. Its known parts are read even when others are unknown. */
export function runCode(
  walk: Walk,
  command: ShellCommand,
  code: ShellWord,
  inside: ConstructContext,
  flow: Flow,
): void {
  if (!isKnown(code)) walk.emit({ ...command, hiddenCode: "argument", redirects: [] });
  // The name of a file inside a script is part of the script: `sh -c 'echo {}'`.
  else if (code.isSplit || code.found !== undefined) walk.emit(emptyCommand(EVALUATION, [], inside, flow));
  // Other shells read some syntax of bash as commands, files and expansions.
  else if (!/^(?:ba|z)sh$/.test(command.name) && BASH_ONLY_SYNTAX.test(code.text))
    walk.emit(emptyCommand(EVALUATION, [], inside, flow));
  walk.walkText(code.text, inside, copyFlow(flow));
}

const BASH_ONLY_SYNTAX =
  /\[\[|\$['"]|&>|>&(?![\d-])|\|&|\(\(|[<>]\(|<<<|<<-?\s*\S*[$'"\\]|\$\[|\$\{[^}]*[/^,@!:]|\bfunction\b|\bselect\b|\bcoproc\b|[{,][^\s{}]*\}|\+=|=\(|\w\[/;
