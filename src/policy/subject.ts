import { formOfRequest } from "../agents/tool-call.ts";
import type { ToolForm } from "../agents/tool-table.ts";
import { carriedScripts, scriptsIn } from "./carried-commands.ts";
import { foldersNamed } from "./given-folders.ts";
import { type Places, placesOf } from "./places.ts";
import type { PolicyRequest, World } from "./request.ts";
import type { OwnHome } from "./rule.ts";
import { readScript } from "./shell/read-script.ts";
import { type ShellCommand, type ShellReading, UNKNOWN } from "./shell/shell-reading.ts";
import { type GuessedInput, guessInput } from "./tool-inputs.ts";
import { classOfTool, mentionedScripts, scriptOf, type ToolClass } from "./tools.ts";

/** A request with all that is read out of it once. */
export interface Subject {
  readonly request: PolicyRequest;
  readonly kind: ToolClass;
  readonly form: ToolForm;
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
  const kind = classOfTool(request);
  const script = kind === "shell" || kind === "other" ? scriptOf(request, input) : null;
  const reading = script === null ? null : readScript(script, places);
  const further = mentionedScripts(request, input);
  const guessed = guessInput(request, input);
  const folders = foldersNamed(guessed.folders, places);
  // A command runs in the folder that its tool is given; whether the tool goes there is not known.
  const commandsOf = (texts: readonly string[]): readonly ShellCommand[] =>
    folders.flatMap((cwd) =>
      texts
        .filter((each) => each !== script || cwd !== places.cwd)
        .flatMap((each) => readScript(each, { home: places.home, cwd }).commands),
    );
  const isRunElsewhere = kind === "other" && script !== null;
  const scripts = [
    ...new Set([...further.commands, ...guessed.scripts, ...(isRunElsewhere ? [script] : [])]),
  ];
  const commands = [...(reading?.commands ?? []), ...commandsOf(scripts)];
  const carried = carriedBy(commands, guessed.codes, places, folders);
  return {
    request,
    kind,
    form: formOfRequest(request),
    input,
    places,
    script,
    reading,
    commands,
    code: commandsOf(further.code),
    carried: carried.commands,
    guessed: carried.isCut ? { ...guessed, isCut: true } : guessed,
  };
}

const MOST_CARRIED = 100;

/** What the commands, and code among them, hand on: twice, for what hands on something itself. */
function carriedBy(
  commands: readonly ShellCommand[],
  codes: readonly string[],
  places: Places,
  folders: readonly string[],
): { readonly commands: readonly ShellCommand[]; readonly isCut: boolean } {
  let isCut = false;
  const next = (from: readonly ShellCommand[], more: readonly string[]): readonly ShellCommand[] => {
    const given = [
      ...folders.flatMap((cwd) => more.map((script) => ({ script, cwd }))),
      ...from.flatMap((command) => {
        const cwd = command.cwds.find((each) => !each.includes(UNKNOWN)) ?? places.cwd;
        return carriedScripts(command).map((script) => ({ script, cwd }));
      }),
    ];
    isCut ||= given.length > MOST_CARRIED;
    return given
      .slice(0, MOST_CARRIED)
      .flatMap(({ script, cwd }) => readScript(script, { home: places.home, cwd }).commands);
  };
  const first = next(commands, scriptsIn(codes));
  return { commands: [...first, ...next(first, [])], isCut };
}
