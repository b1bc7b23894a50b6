import { formOfRequest } from "../agents/tool-call.ts";
import type { ToolForm } from "../agents/tool-table.ts";
import { baseFoldersOfInput } from "./base-folders.ts";
import { type GuessedInput, guessInput } from "./guess-input.ts";
import { type Locations, toLocations } from "./locations.ts";
import { nestedScripts, scriptsInCode } from "./nested-commands.ts";
import type { PolicyRequest, World } from "./request.ts";
import type { OwnHome } from "./rule.ts";
import { readScript } from "./shell/read-script.ts";
import { type ShellCommand, type ShellReading, UNKNOWN } from "./shell/shell-reading.ts";
import { classOfTool, mentionedScripts, scriptOf, type ToolClass } from "./tools.ts";

/** A request with everything that is derived from it once. */
export interface InspectedRequest {
  readonly request: PolicyRequest;
  readonly kind: ToolClass;
  readonly form: ToolForm;
  readonly input: Readonly<Record<string, unknown>>;
  readonly locations: Locations;
  /** What it would run in a shell, and what that means; null when it runs nothing there. */
  readonly script: string | null;
  readonly reading: ShellReading | null;
  /** All commands it may run: those of the script, and those in other fields. */
  readonly commands: readonly ShellCommand[];
  /** The commands in code of any language, if it were shell code. */
  readonly code: readonly ShellCommand[];
  /** What the commands pass to other programs to run. */
  readonly nested: readonly ShellCommand[];
  /** What the values of another tool's input look like. */
  readonly guessed: GuessedInput;
}

export function inspectRequest(request: PolicyRequest, world: World, own?: OwnHome): InspectedRequest {
  const { toolInput } = request;
  const isObject = typeof toolInput === "object" && toolInput !== null && !Array.isArray(toolInput);
  const input = isObject ? (toolInput as Readonly<Record<string, unknown>>) : {};
  const locations = toLocations(request, world, own);
  const kind = classOfTool(request);
  const script = kind === "shell" || kind === "other" ? scriptOf(request, input) : null;
  const reading = script === null ? null : readScript(script, locations);
  const mentioned = mentionedScripts(request, input);
  const guessed = guessInput(request, input);
  const folders = baseFoldersOfInput(guessed.folders, locations);
  // A command runs in the folder of its tool; whether the tool really changes there is unknown.
  const commandsOf = (texts: readonly string[]): readonly ShellCommand[] =>
    folders.flatMap((cwd) =>
      texts
        .filter((each) => each !== script || cwd !== locations.cwd)
        .flatMap((each) => readScript(each, { home: locations.home, cwd }).commands),
    );
  const runsThroughOtherTool = kind === "other" && script !== null;
  const scripts = [
    ...new Set([...mentioned.commands, ...guessed.scripts, ...(runsThroughOtherTool ? [script] : [])]),
  ];
  const commands = [...(reading?.commands ?? []), ...commandsOf(scripts)];
  const passedOn = nestedCommandsOf(commands, guessed.codes, locations, folders);
  return {
    request,
    kind,
    form: formOfRequest(request),
    input,
    locations,
    script,
    reading,
    commands,
    code: commandsOf(mentioned.code),
    nested: passedOn.commands,
    guessed: passedOn.isCut ? { ...guessed, isCut: true } : guessed,
  };
}

const MAX_NESTED_SCRIPTS = 100;

/** Scripts that the commands and code pass to other programs, followed two levels deep. */
function nestedCommandsOf(
  commands: readonly ShellCommand[],
  codes: readonly string[],
  locations: Locations,
  folders: readonly string[],
): { readonly commands: readonly ShellCommand[]; readonly isCut: boolean } {
  let isCut = false;
  const next = (from: readonly ShellCommand[], more: readonly string[]): readonly ShellCommand[] => {
    const scripts = [
      ...folders.flatMap((cwd) => more.map((script) => ({ script, cwd }))),
      ...from.flatMap((command) => {
        const cwd = command.cwds.find((each) => !each.includes(UNKNOWN)) ?? locations.cwd;
        return nestedScripts(command).map((script) => ({ script, cwd }));
      }),
    ];
    isCut ||= scripts.length > MAX_NESTED_SCRIPTS;
    return scripts
      .slice(0, MAX_NESTED_SCRIPTS)
      .flatMap(({ script, cwd }) => readScript(script, { home: locations.home, cwd }).commands);
  };
  const first = next(commands, scriptsInCode(codes));
  return { commands: [...first, ...next(first, [])], isCut };
}
