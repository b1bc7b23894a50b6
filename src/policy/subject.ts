import { type Places, placesOf } from "./places.ts";
import type { PolicyRequest, World } from "./request.ts";
import { readScript } from "./shell/read-script.ts";
import type { ShellReading } from "./shell/shell-reading.ts";
import { kindOfTool, scriptOf, type ToolKind } from "./tools.ts";

/** A request with all that is read out of it once. */
export interface Subject {
  readonly request: PolicyRequest;
  readonly kind: ToolKind;
  readonly input: Readonly<Record<string, unknown>>;
  readonly places: Places;
  /** What it would run in a shell, and what that means; null when it runs nothing there. */
  readonly script: string | null;
  readonly reading: ShellReading | null;
}

export function lookAt(request: PolicyRequest, world: World): Subject {
  const { toolInput } = request;
  const isObject = typeof toolInput === "object" && toolInput !== null && !Array.isArray(toolInput);
  const input = isObject ? (toolInput as Readonly<Record<string, unknown>>) : {};
  const places = placesOf(request, world);
  const kind = kindOfTool(request.toolName);
  const script = kind === "shell" || kind === "other" ? scriptOf(request.toolName, input) : null;
  return {
    request,
    kind,
    input,
    places,
    script,
    reading: script === null ? null : readScript(script, places),
  };
}
