import { describe, expect, it } from "vitest";
import { type DocumentItem, rawExcerpt, toDocument } from "./document.ts";

function row(overrides: Partial<DocumentItem> = {}): DocumentItem {
  return {
    id: 1,
    kind: "observation",
    sessionId: "s",
    project: "/p",
    toolName: "Bash",
    branch: "main",
    success: false,
    createdAtIso: "2026-01-01T00:00:00.000Z",
    pinned: true,
    contentJson: JSON.stringify({
      type: "failure",
      title: "Build failed",
      facts: ["tsc found 2 errors"],
      narrative: "I look at the config",
      filesRead: ["/p/src/config.ts"],
      filesModified: ["/p/src/config.ts", "/p/src/build/run.ts"],
      concepts: ["build"],
    }),
    summaryJson: null,
    payloadJson: null,
    ...overrides,
  };
}

describe("toDocument", () => {
  it("contains the text, the filter values and the text to embed", () => {
    expect(toDocument(row())).toEqual({
      itemId: 1,
      kind: "observation",
      type: "failure",
      session: "s",
      project: "/p",
      tool: "Bash",
      branch: "main",
      success: false,
      createdMs: Date.parse("2026-01-01T00:00:00Z"),
      isPinned: true,
      files: ["/p/src/config.ts", "/p/src/build/run.ts"],
      title: "Build failed",
      body: "tsc found 2 errors\nI look at the config\nbuild",
      raw: "",
      embeddingText: "Build failed\ntsc found 2 errors\nI look at the config\nsrc/config.ts build/run.ts",
    });
  });

  it("contains the summary of a turn", () => {
    const summaryJson = JSON.stringify({
      request: "make it build",
      investigated: null,
      learned: "the config was stale",
      completed: null,
      nextSteps: "release",
    });
    const { body, embeddingText } = toDocument(row({ kind: "summary", summaryJson }));
    expect(body).toContain("make it build\nthe config was stale\nrelease");
    expect(embeddingText).toContain("the config was stale");
  });

  it("keeps error lines of a long output first", () => {
    const toolOutput = `${"all is well\n".repeat(400)}Error: ENOENT no such file\n${"and on\n".repeat(400)}`;
    const raw = rawExcerpt(
      JSON.stringify({ toolInput: { command: "make", deep: [{ x: "y" }] }, toolOutput }),
    );
    expect(raw.slice(0, 40)).toBe("make\ny\nError: ENOENT no such file\nall is");
    expect(raw.length).toBeLessThanOrEqual(1_510);
  });

  it("accepts an invalid payload", () => {
    expect(rawExcerpt("{")).toBe("");
    expect(rawExcerpt('{"toolOutput":{"a":1}}')).toBe("");
  });
});
