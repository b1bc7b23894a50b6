import { expect, it } from "vitest";
import type { TimelineEntry } from "../memory/memory-contract.ts";
import { timelineLines } from "./mcp-text.ts";

const entry = (id: number, at: string, file: string | null): TimelineEntry => ({
  id,
  kind: "observation",
  type: "change",
  title: `Change ${id}`,
  sessionId: "s",
  promptNumber: 1,
  toolName: "Edit",
  createdAtIso: `2026-11-${at}:00.000Z`,
  file,
  tokens: 7,
  isAnchor: id === 2,
});

it("groups a timeline by day and file", () => {
  const entries = [
    entry(1, "14T09:01", "/srv/shop/a.ts"),
    entry(2, "14T09:02", "/srv/shop/a.ts"),
    entry(3, "14T09:03", null),
    entry(4, "15T10:00", "/srv/shop/b.ts"),
  ];
  expect(timelineLines({ anchor: 2, entries }).slice(1)).toEqual([
    "session s",
    "## 2026-11-14",
    "### /srv/shop/a.ts",
    "1 | 09:01 | 1 | change | Change 1 | 7",
    "* 2 | 09:02 | 1 | change | Change 2 | 7",
    "### no file",
    "3 | 09:03 | 1 | change | Change 3 | 7",
    "## 2026-11-15",
    "### /srv/shop/b.ts",
    "4 | 10:00 | 1 | change | Change 4 | 7",
  ]);
});
