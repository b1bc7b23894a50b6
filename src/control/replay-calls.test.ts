import { expect, it } from "vitest";
import type { ToolForm } from "../agents/tool-table.ts";
import type { HooklineEvent } from "../event/event.ts";
import { decide } from "../policy/decide.ts";
import type { World } from "../policy/request.ts";
import { EMPTY_POLICY } from "../policy/rule.ts";
import { replayCalls } from "./replay-calls.ts";
import { exactRule } from "./terminal/allowances.ts";

const world: World = { home: "/home/u", realPath: (path) => path };

function call(
  index: number,
  toolName: string,
  toolKind: string | undefined,
  toolInput: unknown,
): HooklineEvent {
  return {
    v: 1,
    id: `e${index}`,
    eventType: "tool.start",
    occurredAtIso: "2026-11-15T08:00:00.000Z",
    sessionId: "s",
    provider: "toad",
    projectPath: "/home/u/p",
    cwd: "/home/u/p",
    toolUseId: `t${index}`,
    origin: "hook",
    payload: { toolName, toolInput, ...(toolKind !== undefined && { toolKind }) },
  } as HooklineEvent;
}

it("judges a recorded call by its recorded kind, whatever its tool is called", async () => {
  const callsNamed = (names: readonly (readonly [string, string | undefined])[]) => {
    const [edit, shell, read] = names;
    return [
      call(1, ...edit!, { file_path: "/home/u/p/.env", old_string: "a", new_string: "b" }),
      call(2, ...shell!, { command: "pwd" }),
      call(3, ...read!, { file_path: "/home/u/p/a.ts" }),
    ];
  };
  const replay = (calls: readonly HooklineEvent[]) =>
    replayCalls(calls, {
      sinceIso: "2026-01-01T00:00:00.000Z",
      policyFor: async () => EMPTY_POLICY,
      inForce: null,
      guardOnly: false,
      judge: (policy, request) => decide(policy, request, world),
    });
  const toad = await replay(
    callsNamed([
      ["change", "edit"],
      ["run", "shell"],
      ["look", "read"],
    ]),
  );
  const first = await replay(
    callsNamed([
      ["Edit", undefined],
      ["Bash", undefined],
      ["Read", undefined],
    ]),
  );
  const verdicts = ({ found }: typeof toad) => found.map(({ verdict, rule }) => `${verdict} ${rule}`);
  expect(verdicts(toad)).toEqual(["deny builtin/write-secret-file"]);
  expect(verdicts(toad)).toEqual(verdicts(first));
  expect(toad).toMatchObject({ allowed: 2, denied: 1, found: [{ toolName: "change", toolKind: "edit" }] });
});

it("creates an exact rule only for a tool with the shell form", () => {
  const ruleFor = (toolName: string, toolForm: ToolForm) =>
    exactRule({ toolName, toolForm, input: { command: "git log" } });
  expect(ruleFor("run", "shell")).toEqual({ toolName: "run", ruleContent: "git log" });
  expect(ruleFor("Bash", "other")).toBeUndefined();
});
