import { describe, expect, it } from "vitest";
import type { AwayReport } from "../serve/contract.ts";
import { awayText } from "./away-text.ts";
import { ago, NOW, snapshot, waitingSnapshot } from "./snapshot.testing.ts";

const quiet: AwayReport = {
  sinceIso: ago(7_200),
  untilIso: ago(0),
  needsPerson: [],
  finished: [],
  lost: [],
  failures: [],
  failedToolCount: 0,
  filesChanged: [],
  cost: { micros: 0, source: "reported", unpricedModels: [] },
  humanWaitMs: 0,
};
const text = (changes: Partial<AwayReport>): string =>
  awayText({ ...quiet, ...changes }, { width: 80, now: NOW });

describe("what happened while away", () => {
  it("is summed up in two lines if nothing happened", () => {
    expect(text({})).toMatch(
      /^Since .*, 2h00 ago\n\nAll quiet: nothing finished, nothing failed, nothing needs you\.$/,
    );
  });

  it("shows who needs you, what ended, what failed, what changed and the cost", () => {
    const changed = (path: string, count: number) => ({ projectPath: "/home/dev/acme-shop", path, count });
    const lines = text({
      needsPerson: [waitingSnapshot("permission", "rm -rf dist")],
      finished: [snapshot({ state: "completed", activityPhase: null, endedAtIso: ago(600) })],
      lost: [snapshot({ state: "lost", activityPhase: null, why: "its process is gone" })],
      failures: [
        { sessionId: "1a2b3c4d-0", atIso: ago(60), what: "turn failed", message: "Over\u001b[2Jloaded" },
      ],
      filesChanged: [
        changed("/home/dev/acme-shop/README.md", 1),
        changed("/home/dev/acme-shop/src/cart.ts", 3),
        changed("/home/dev/acme-shop/a", 1),
        changed("/home/dev/acme-shop/b", 1),
        { projectPath: null, path: "/tmp/x", count: 1 },
      ],
      cost: { micros: 4_120_000, source: "estimate", unpricedModels: [] },
      failedToolCount: 5,
      humanWaitMs: 720_000,
    }).split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^Since /),
      "",
      "1 needs you",
      expect.stringMatching(/^◆ permission {2}1m42 .*Bash: rm -rf dist/),
      "  waits for permission: hook PermissionRequest → hookline answer",
      "",
      "1 finished",
      expect.stringMatching(/^✓ done +10m /),
      "",
      "1 lost",
      expect.stringMatching(/^✕ lost .* its process is gone/),
      "",
      "1 failure",
      expect.stringMatching(/^ {2}\S.* {2}1a2b3c4d {2}turn failed {2}Overloaded$/),
      "",
      "Files changed",
      "  acme-shop  4  src/cart.ts ×3, README.md, a, …",
      "  ?          1  /tmp/x",
      "",
      "~$4.12 spent; 5 tool calls failed; agents waited 12m for you.",
    ]);
  });
});
