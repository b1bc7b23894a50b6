import { plainPath } from "./printed-text.ts";
import { EVALUATION, isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { assignPositions, bare, copy, type Flow, type Flows, type Inside, type Walk } from "./walk.ts";
import { FED } from "./written-scripts.ts";

/** Its input, or a descriptor that the script itself opened. */
const FROM_DESCRIPTOR = /^\/dev\/stdin$|^\/(?:dev|proc\/self)\/fd\/\d+$/;
const SHELL_VALUED = /^(?:[-+][oO]|--rcfile|--init-file)$/;

export function isDescriptor(word: ShellWord | undefined): boolean {
  return word !== undefined && !word.isProcess && FROM_DESCRIPTOR.test(word.text);
}

export function startShell(walk: Walk, command: ShellCommand, here: Inside, flows: Flows): void {
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
    if (SHELL_VALUED.test(text)) at++;
    else if (/^-[a-zA-Z]*c/.test(text) || text === "--command") hasCode = true;
    else if (/^-[a-zA-Z]*s/.test(text)) readsStdin = true;
  }
  const operand = args[at];
  const inside: Inside = {
    ...here,
    assigns: command.assigns,
    wrappers: [...here.wrappers, command.name],
    starters: [...here.starters, { name: command.name, path: command.path, words: args.slice(0, at) }],
  };
  if (hasCode || readsStdin) givePositions(walk, args.slice(hasCode ? at + 1 : at), hasCode);
  if (hasCode) {
    if (operand === undefined) walk.emit(command);
    else {
      runCode(walk, command, operand, inside, flows.own);
      if (command.redirects.length > 0) walk.emit(bare("", command.redirects, here, flows.own));
    }
    return;
  }
  if (operand !== undefined && !readsStdin && !isDescriptor(operand)) {
    walk.emit({ ...command, unread: operand.isProcess || !isKnown(operand) ? "argument" : null });
    runWritten(walk, operand.text, inside, flows.own);
    return;
  }
  if (inside.pipedFrom.length === 0 && textFedTo(command) === undefined)
    for (const file of [FED, ...filesFed(command)]) runWritten(walk, file, inside, flows.own);
  const fed = textFedTo(command) ?? inside.stdin;
  if (fed !== undefined) {
    walk.walkText(fed, { ...inside, stdin: undefined, pipedFrom: [] }, copy(flows.own));
    walk.emit({ ...command, unread: fed.includes(UNKNOWN) ? "stdin" : null });
    if (isFed(command)) walk.emit({ ...command, unread: "stdin" });
  } else walk.emit({ ...command, unread: inside.pipedFrom.length > 0 || isFed(command) ? "stdin" : null });
}

/** What the script itself wrote into a file before, and runs now. */
export function runWritten(walk: Walk, path: string, inside: Inside, flow: Flow): void {
  const file = plainPath(path);
  const texts = walk.written.get(file) ?? [];
  // Once is enough, and a file may run itself.
  walk.written.delete(file);
  for (const text of texts)
    walk.walkText(text, { ...inside, wrappers: [...inside.wrappers, file] }, copy(flow));
}

/** By a here-document or a here-string. */
export function textFedTo(command: ShellCommand): string | undefined {
  return command.redirects.find((each) => each.text !== null)?.text ?? undefined;
}

/** Whether its input is a file, a descriptor or what another command prints: in bash that counts, and not a pipe. */
export function isFedByFile({ redirects }: Pick<ShellCommand, "redirects">): boolean {
  return redirects.some(({ operator, target }) => target !== null && /^<(?:&|>)?$/.test(operator));
}

/** `< <(…)`: what reads its input reads what another command prints. */
export function isFedByProcess({ redirects }: ShellCommand): boolean {
  return redirects.some(({ target }) => target?.isProcess);
}

function isFed(command: ShellCommand): boolean {
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
function filesFed(command: ShellCommand): readonly string[] {
  return command.redirects.flatMap(({ operator, target }) =>
    operator === "<" && target !== null ? [target.text] : [],
  );
}

/** `sh -c 'cat "$1"' _ x`: the words behind the code are its `$0`, `$1` and so on. */
function givePositions(walk: Walk, args: readonly ShellWord[], fromZero: boolean): void {
  const [first, ...rest] = args.filter((word, at) => at > 0 || word.text !== "--");
  if (first === undefined) return;
  if (fromZero) walk.assign("0", [{ text: first.text, isGlob: first.isGlob }]);
  assignPositions(walk, fromZero ? rest : [first, ...rest]);
}

/** Code that is given as one word. What is known of it is read even when not all of it is. */
export function runCode(
  walk: Walk,
  command: ShellCommand,
  code: ShellWord,
  inside: Inside,
  flow: Flow,
): void {
  if (!isKnown(code)) walk.emit({ ...command, unread: "argument", redirects: [] });
  // The name of a file inside a script is part of the script: `sh -c 'echo {}'`.
  else if (code.isSplit || code.found !== undefined) walk.emit(bare(EVALUATION, [], inside, flow));
  // Other shells than bash make commands, files and expansions of what bash reads otherwise.
  else if (!/^(?:ba|z)sh$/.test(command.name) && BASH_ONLY.test(code.text))
    walk.emit(bare(EVALUATION, [], inside, flow));
  walk.walkText(code.text, inside, copy(flow));
}

const BASH_ONLY =
  /\[\[|\$['"]|&>|>&(?![\d-])|\|&|\(\(|[<>]\(|<<<|<<-?\s*\S*[$'"\\]|\$\[|\$\{[^}]*[/^,@!:]|\bfunction\b|\bselect\b|\bcoproc\b|[{,][^\s{}]*\}|\+=|=\(|\w\[/;
