import { type Places, placesOf } from "./places.ts";
import type { PolicyRequest, World } from "./request.ts";
import { readScript } from "./shell/read-script.ts";
import type { ShellCommand, ShellReading } from "./shell/shell-reading.ts";
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
}

export function lookAt(request: PolicyRequest, world: World): Subject {
  const { toolInput } = request;
  const isObject = typeof toolInput === "object" && toolInput !== null && !Array.isArray(toolInput);
  const input = isObject ? (toolInput as Readonly<Record<string, unknown>>) : {};
  const places = placesOf(request, world);
  const kind = kindOfTool(request.toolName);
  const script = kind === "shell" || kind === "other" ? scriptOf(request.toolName, input) : null;
  const reading = script === null ? null : readScript(script, places);
  const further = mentionedScripts(request.toolName, input);
  const commandsOf = (texts: readonly string[]): readonly ShellCommand[] =>
    texts.filter((each) => each !== script).flatMap((each) => readScript(each, places).commands);
  return {
    request,
    kind,
    input,
    places,
    script,
    reading,
    commands: [...(reading?.commands ?? []), ...commandsOf(further.commands)],
    code: commandsOf(further.code),
  };
}
