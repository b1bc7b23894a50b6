import { expect, it } from "vitest";
import type { Journal } from "./journal.ts";
import { createJournals } from "./journals.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";

const place = { projectPath: null, cwd: "/x" };

it("lets go of journals that are at rest, and of no other; what they hold goes on without a gap", async () => {
  const store = createMemoryEnvelopeStore();
  const journals = createJournals({
    store,
    epoch: "e",
    nowIso: () => "2026-01-01T00:00:00.000Z",
    onNotice: () => undefined,
    isInUse: (id) => id === "used",
    maxOpen: 2,
  });
  const itself = (journal: Journal): Journal => journal;
  const open = (id: string) => journals.open(id, place, itself);
  const used = await open("used");
  const watched = await open("watched");
  await watched.attach(0, () => undefined);
  const resting = await open("resting");
  for (const journal of [used, watched, resting]) journal.write([{ type: "model", model: "m" }]);
  await journals.flush();
  const last = await open("last");
  for (const [id, journal] of [
    ["used", used],
    ["watched", watched],
    ["last", last],
  ] as const)
    expect(await journals.find(id, itself)).toBe(journal);
  const again = (await journals.find("resting", itself))!;
  expect(again).not.toBe(resting);
  again.write([{ type: "model", model: "n" }]);
  await again.flush();
  expect((await store.read("resting", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
});

it("opens one journal for all who ask for it at once, so that no number is given twice", async () => {
  const store = createMemoryEnvelopeStore();
  const base = { epoch: "e", nowIso: () => "2026-01-01T00:00:00.000Z", onNotice: () => undefined };
  const journals = createJournals({ ...base, store, isInUse: () => false });
  const write = (journal: Journal) => journal.write([{ type: "model", model: "m" }]);
  await Promise.all([1, 2, 3].map(() => journals.open("s", place, write)));
  await journals.flush();
  expect((await store.read("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
