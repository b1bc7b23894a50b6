import { expect, it } from "vitest";
import type { Journal } from "./journal.ts";
import { createJournals } from "./journals.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";

const place = { projectPath: null, cwd: "/x" };

it("releases only idle journals, and reopens them without a gap", async () => {
  const store = createMemoryEnvelopeStore();
  const journals = createJournals({
    store,
    epoch: "e",
    nowIso: () => "2026-01-01T00:00:00.000Z",
    onNotice: () => undefined,
    isInUse: (id) => id === "used",
    maxOpen: 2,
  });
  const identity = (journal: Journal): Journal => journal;
  const open = (id: string) => journals.open(id, place, identity);
  const used = await open("used");
  const watched = await open("watched");
  await watched.attach(0, () => undefined);
  const idle = await open("resting");
  for (const journal of [used, watched, idle]) journal.write([{ type: "model", model: "m" }]);
  await journals.flush();
  const last = await open("last");
  for (const [id, journal] of [
    ["used", used],
    ["watched", watched],
    ["last", last],
  ] as const)
    expect(await journals.find(id, identity)).toBe(journal);
  const reopened = (await journals.find("resting", identity))!;
  expect(reopened).not.toBe(idle);
  reopened.write([{ type: "model", model: "n" }]);
  await reopened.flush();
  expect((await store.read("resting", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
});

it("opens one journal for concurrent callers, so that no number is used twice", async () => {
  const store = createMemoryEnvelopeStore();
  const base = { epoch: "e", nowIso: () => "2026-01-01T00:00:00.000Z", onNotice: () => undefined };
  const journals = createJournals({ ...base, store, isInUse: () => false });
  const write = (journal: Journal) => journal.write([{ type: "model", model: "m" }]);
  await Promise.all([1, 2, 3].map(() => journals.open("s", place, write)));
  await journals.flush();
  expect((await store.read("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
