import { expect, it } from "vitest";
import { countChanges } from "../conversation/diff-lines.ts";
import { blobHashesOf, changedFiles, toNetChange } from "./changed-files.ts";
import { pairCalls } from "./pair-calls.ts";

let seq = 0;
const edit = (toolName: string, toolInput: unknown, overrides: Record<string, unknown> = {}) => ({
  seq: ++seq,
  id: `e${seq}`,
  toolUseId: `t${seq}`,
  eventType: "tool_observation",
  occurredAtIso: new Date(seq * 1_000).toISOString(),
  payload: { toolName, toolInput, success: true, ...overrides },
});

it("lists a file once, with its net changes and calls", () => {
  const patch = (from: string, to: string) => [{ oldStart: 4, newStart: 4, lines: [`-${from}`, `+${to}`] }];
  const calls = pairCalls(
    [
      edit("Edit", { file_path: "/a" }, { structuredPatch: patch("one", "two") }),
      edit("Write", { file_path: "/b", content: "x\ny\n" }),
      edit("Edit", { file_path: "/a" }, { structuredPatch: patch("two", "three") }),
      edit("Edit", { file_path: "/a" }, { structuredPatch: patch("x", "y"), success: false }),
      edit("Read", { file_path: "/c" }),
    ],
    false,
  );
  const files = changedFiles(calls).map(({ path, calls: fileCalls }) => {
    const { added, removed } = countChanges(toNetChange(fileCalls, new Map()).hunks);
    return [path, fileCalls.length, added, removed];
  });
  expect(files).toEqual([
    ["/a", 2, 1, 1],
    ["/b", 1, 2, 0],
  ]);
});

it("combines a new file with its later edits", () => {
  const calls = pairCalls(
    [
      edit("Write", { file_path: "/n", content: "a\nb\n" }),
      edit(
        "Edit",
        { file_path: "/n" },
        { structuredPatch: [{ oldStart: 1, newStart: 1, lines: [" a", "-b", "+c"] }] },
      ),
    ],
    false,
  );
  expect(toNetChange(calls, new Map())).toEqual({
    hunks: [{ oldStart: 1, newStart: 1, lines: ["+a", "+c"] }],
    isNet: true,
  });
});

it("fills in blobs, and falls back to the preview", () => {
  const calls = pairCalls([edit("Write", { file_path: "/big", content: "a…", $blob: "h1" })], false);
  expect(blobHashesOf(calls)).toEqual(["h1"]);
  expect(toNetChange(calls, new Map([["h1", { content: "a\nb" }]])).hunks[0]?.lines).toEqual(["+a", "+b"]);
  expect(toNetChange(calls, new Map()).hunks[0]?.lines).toEqual(["+a…"]);
});

it("is not a net change when positions are unknown", () => {
  const calls = pairCalls([edit("Edit", { file_path: "/a", old_string: "x", new_string: "y" })], false);
  expect(toNetChange(calls, new Map()).isNet).toBe(false);
});
