import { carriedScripts, scriptsIn } from "./carried-commands.ts";
import { type Places, placesOf } from "./places.ts";
import type { PolicyRequest, World } from "./request.ts";
import type { OwnHome } from "./rule.ts";
import { readScript } from "./shell/read-script.ts";
import { type ShellCommand, type ShellReading, UNKNOWN } from "./shell/shell-reading.ts";
import { type GuessedInput, guessInput } from "./tool-inputs.ts";
import { kindOfTool, mentionedScripts, scriptOf, type ToolKind } from "./tools.ts";

/** A request with all that is read out of it once. */
export interface Subject {
  readonly request: PolicyRequest;
  readonly kind: ToolKind;
  readonly input: Readonly<Record<string, unknown>>;
  readonly places: Places;
  /** What it would run in a shell, and what that means; null when it runs nothing there. */
  readonly script: string | null;
  readonly reading: ShellReading | null;
  /** All commands it may run: those, and of what other fields say. */
  readonly commands: readonly ShellCommand[];
  /** Those of code that may be of any language, if it were a shell's. */
  readonly code: readonly ShellCommand[];
  /** What the commands hand to other programs to run. */
  readonly carried: readonly ShellCommand[];
  /** What the values of another tool's input look like. */
  readonly guessed: GuessedInput;
}

export function lookAt(request: PolicyRequest, world: World, own?: OwnHome): Subject {
  const { toolInput } = request;
  const isObject = typeof toolInput === "object" && toolInput !== null && !Array.isArray(toolInput);
  const input = isObject ? (toolInput as Readonly<Record<string, unknown>>) : {};
  const places = placesOf(request, world, own);
  const kind = kindOfTool(request.toolName);
  const script = kind === "shell" || kind === "other" ? scriptOf(request.toolName, input) : null;
  const reading = script === null ? null : readScript(script, places);
  const further = mentionedScripts(request.toolName, input);
  const commandsOf = (texts: readonly string[]): readonly ShellCommand[] =>
    texts.filter((each) => each !== script).flatMap((each) => readScript(each, places).commands);
  const guessed = guessInput(request.toolName, input);
  const scripts = [...new Set([...further.commands, ...guessed.scripts])];
  const commands = [...(reading?.commands ?? []), ...commandsOf(scripts)];
  return {
    request,
    kind,
    input,
    places,
    script,
    reading,
    commands,
    code: commandsOf(further.code),
    carried: [...carriedBy(commands, places), ...commandsOf(scriptsIn(guessed.codes))],
    guessed,
  };
}

const MOST_CARRIED = 100;

function carriedBy(commands: readonly ShellCommand[], places: Places): readonly ShellCommand[] {
  const next = (from: readonly ShellCommand[]): readonly ShellCommand[] =>
    from
      .flatMap((command) => carriedScripts(command).map((script) => ({ script, cwd: command.cwds[0] })))
      .slice(0, MOST_CARRIED)
      .flatMap(
        ({ script, cwd = places.cwd }) =>
          readScript(script, { home: places.home, cwd: cwd.includes(UNKNOWN) ? places.cwd : cwd }).commands,
      );
  const first = next(commands);
  return [...first, ...next(first)];
}
