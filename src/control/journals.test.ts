import { expect, it } from "vitest";
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
    mostOpen: 2,
  });
  const open = (id: string) => journals.open(id, place);
  const used = open("used");
  const watched = open("watched");
  watched.attach(0, () => undefined);
  const resting = open("resting");
  for (const journal of [used, watched, resting]) journal.write([{ type: "model", model: "m" }]);
  await journals.flush();
  const last = open("last");
  for (const [id, journal] of [
    ["used", used],
    ["watched", watched],
    ["last", last],
  ] as const)
    expect(journals.find(id)).toBe(journal);
  const again = journals.find("resting")!;
  expect(again).not.toBe(resting);
  again.write([{ type: "model", model: "n" }]);
  await again.flush();
  expect(store.read("resting", 0, 10).map(({ seq }) => seq)).toEqual([1, 2]);
});
