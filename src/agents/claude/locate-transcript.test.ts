import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locateTranscript } from "./locate-transcript.ts";

let configDir: string;
beforeEach(() => {
  configDir = mkdtempSync(join(tmpdir(), "hookline-locate-"));
});
afterEach(() => rmSync(configDir, { recursive: true, force: true }));

const inProject = (project: string): string => join(configDir, "projects", project, "a.jsonl");

describe("a session's transcript", () => {
  it("is found at the expected path, or under the project in which the session started", () => {
    const [original, moved] = [inProject("-home-dev-shop"), inProject("-home-dev-shop-src")];
    expect(locateTranscript(configDir, "a", moved)).toBe(moved);
    mkdirSync(dirname(original), { recursive: true });
    writeFileSync(original, "");
    expect(locateTranscript(configDir, "a", moved)).toBe(original);
    expect(locateTranscript(configDir, "a", null)).toBe(original);
    expect(locateTranscript(configDir, "b", null)).toBeNull();
  });
});
