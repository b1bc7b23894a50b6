import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { Hookline } from "../support/hookline.ts";

/** What the hooks have reported. */
export interface Told {
  /** Calls, by id, that must be remembered, and those that must not. */
  readonly calls: string[];
  readonly skipped: string[];
  /** Ended turns: session and prompt. */
  readonly turns: string[];
  prompts: number;
}

const TURNS = 4;
const CALLS = 7;
const PAUSE_MS = 150;

/** Runs one session through real hook commands: turns with prompt, calls and end. All texts differ. */
export async function tellSession(
  hookline: Hookline,
  name: string,
  told: Told,
  goesOn: () => boolean,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const cwd = `/srv/${name.slice(0, 2)}-shop`;
  const base = { session_id: `session-${name}`, cwd, transcript_path: `/nowhere/session-${name}.jsonl` };
  const fire = async (payload: object): Promise<void> => {
    expect(await hookline.fire({ ...base, ...payload })).toMatchObject({ code: 0, stderr: "" });
  };
  await fire({ hook_event_name: "SessionStart", source: "startup", model: "claude-opus-5-5" });
  for (let turn = 0; turn < TURNS && goesOn(); turn++) {
    const promptId = `prompt-${name}-${turn}`;
    const prompt = `Please look after part ${name}-${turn} of the shop, it drifts`;
    await fire({ hook_event_name: "UserPromptSubmit", prompt_id: promptId, prompt });
    told.prompts++;
    for (let call = 0; call < CALLS; call++) {
      const id = `toolu_${name}-${turn}-${call}`;
      const payload = callOf(`${name}-${turn}-${call}`, cwd, call);
      await fire({ ...payload, prompt_id: promptId, tool_use_id: id, duration_ms: 12 });
      (payload.tool_name === "TodoWrite" ? told.skipped : told.calls).push(id);
      await setTimeout(Math.random() * pauseMs);
    }
    const last = `Part ${name}-${turn} is in order again. Next step: see to the one after ${name}-${turn}.`;
    await fire({ hook_event_name: "Stop", prompt_id: promptId, last_assistant_message: last });
    told.turns.push(`${base.session_id}\n${promptId}`);
  }
  await fire({ hook_event_name: "SessionEnd", reason: "other" });
}

function callOf(
  mark: string,
  cwd: string,
  kind: number,
): { readonly tool_name: string; readonly [key: string]: unknown } {
  const file = `${cwd}/src/part-${mark}.ts`;
  const post = { hook_event_name: "PostToolUse" };
  const bash = {
    tool_name: "Bash",
    tool_input: { command: `make part-${mark}`, description: `Make ${mark}` },
  };
  switch (kind) {
    case 0:
      return {
        ...post,
        tool_name: "Read",
        tool_input: { file_path: file },
        tool_response: {
          type: "text",
          file: {
            filePath: file,
            content: `const part = "${mark}";\n`,
            numLines: 1,
            startLine: 1,
            totalLines: 1,
          },
        },
      };
    case 1:
      return {
        ...post,
        tool_name: "Edit",
        tool_input: { file_path: file, old_string: "a", new_string: `b-${mark}` },
        tool_response: { filePath: file, oldString: "a", newString: `b-${mark}`, structuredPatch: [] },
      };
    case 2:
      return {
        ...bash,
        hook_event_name: "PostToolUseFailure",
        error: `Exit code 2\nmake: *** no rule for ${mark}`,
      };
    case 3:
      return { ...post, tool_name: "TodoWrite", tool_input: { todos: [] }, tool_response: {} };
    default:
      return {
        ...post,
        ...bash,
        tool_input: { ...bash.tool_input, command: `make part-${mark} -j${kind}` },
        tool_response: { stdout: `made ${mark}`, stderr: "", interrupted: false, isImage: false },
      };
  }
}
