import { plainPath } from "./printed-text.ts";
import { EVALUATION, isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { bare, copy, type Flow, type Flows, type Inside, type Walk } from "./walk.ts";

const SHELL_VALUED = /^(?:[-+][oO]|--rcfile|--init-file)$/;

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
  if (hasCode) {
    if (operand === undefined) walk.emit(command);
    else {
      runCode(walk, command, operand, inside, flows.own);
      if (command.redirects.length > 0) walk.emit(bare("", command.redirects, here, flows.own));
    }
    return;
  }
  if (operand !== undefined && !readsStdin && !/^\/dev\/(?:stdin|fd\/0)$/.test(operand.text)) {
    walk.emit({ ...command, unread: operand.isProcess || !isKnown(operand) ? "argument" : null });
    runWritten(walk, operand.text, inside, flows.own);
    return;
  }
  const fed = textFedTo(command) ?? inside.stdin;
  if (fed !== undefined) {
    walk.walkText(fed, { ...inside, stdin: undefined, pipedFrom: [] }, copy(flows.own));
    walk.emit({ ...command, unread: fed.includes(UNKNOWN) ? "stdin" : null });
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

function isFed(command: ShellCommand): boolean {
  return command.redirects.some((each) => each.target?.isProcess || (each.target && !isKnown(each.target)));
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
