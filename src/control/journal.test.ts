import { expect, it } from "vitest";
import type { EnvelopeStore } from "./control-ports.ts";
import type { Envelope, EnvelopeBody } from "./envelope.ts";
import { openJournal } from "./journal.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";

const text = (said: string): EnvelopeBody => ({ type: "model", model: said });
const delta: EnvelopeBody = { type: "text.delta", text: "d" };

function open(store: EnvelopeStore, notices: string[] = [], tryAgainMs?: number) {
  return openJournal({
    sessionId: "s",
    location: { projectPath: null, cwd: "/x" },
    store,
    epoch: "e",
    nowIso: () => "2026-01-01T00:00:00.000Z",
    onNotice: (notice) => void notices.push(notice),
    ...(tryAgainMs !== undefined && { retryMs: tryAgainMs }),
  });
}

/** Like a database on a busy disk: appended envelopes become visible later. */
function slow(store: EnvelopeStore): EnvelopeStore {
  return {
    ...store,
    append: async (place, envelopes) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.append(place, envelopes);
    },
  };
}

it("numbers without a gap, goes on where it was, and keeps no delta", async () => {
  const store = createMemoryEnvelopeStore();
  const first = await open(store);
  first.write([text("a"), delta, text("b")]);
  await first.flush();
  const second = await open(store);
  second.write([text("c")]);
  await second.flush();
  expect((await store.read("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

it("gives who attaches at any moment everything after his place, once, in order", async () => {
  const journal = await open(slow(createMemoryEnvelopeStore()));
  const attached: Promise<unknown>[] = [];
  const clients: { after: number; got: number[] }[] = [];
  for (let round = 0; round < 30; round++) {
    journal.write([text(`${round}`), delta, text(`${round}'`)]);
    const after = Math.max(0, journal.lastSeq() - 5);
    const client = { after, got: [] as number[] };
    clients.push(client);
    attached.push(journal.attach(after, ({ seq }: Envelope) => void (seq > 0 && client.got.push(seq))));
    if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
  }
  await Promise.all(attached);
  await journal.flush();
  const last = journal.lastSeq();
  for (const { after, got } of clients)
    expect(got).toEqual(Array.from({ length: last - after }, (_, index) => after + 1 + index));
});

it("tells who attaches only the pieces of text that were written after it", async () => {
  const journal = await open(slow(createMemoryEnvelopeStore()));
  const pieces: string[] = [];
  journal.write([text("a"), { type: "text.delta", text: "before" }]);
  await journal.attach(0, (envelope) => void (envelope.type === "text.delta" && pieces.push(envelope.text)));
  journal.write([{ type: "text.delta", text: "after" }]);
  await journal.flush();
  expect(pieces).toEqual(["after"]);
});

it("keeps in order after a store that failed for a while, and says so", async () => {
  const memory = createMemoryEnvelopeStore();
  let failures = 2;
  const notices: string[] = [];
  const journal = await open(
    {
      ...memory,
      append: (place, envelopes) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error("disk full")) : memory.append(place, envelopes);
      },
    },
    notices,
    1,
  );
  journal.write([text("a")]);
  await Promise.resolve();
  journal.write([text("b")]);
  await journal.flush();
  expect((await memory.read("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(notices).toHaveLength(1);
});

it("keeps and tells it when a full disk has room again, also when nothing else happens", async () => {
  const memory = createMemoryEnvelopeStore();
  let isFull = true;
  const notices: string[] = [];
  const append: EnvelopeStore["append"] = (place, envelopes) =>
    isFull ? Promise.reject(new Error("disk full")) : memory.append(place, envelopes);
  const journal = await open({ ...memory, append }, notices, 1);
  const got: string[] = [];
  await journal.attach(0, ({ type, seq }) => void got.push(`${type} ${seq}`));
  journal.write([text("a"), delta]);
  await journal.flush();
  for (let piece = 0; piece < 1_000; piece++) journal.write([delta]);
  await journal.flush();
  expect([got, notices.length, journal.canRelease()]).toEqual([[], 1, false]);
  isFull = false;
  await expect.poll(() => got).toEqual(["model 1"]);
});

it("tells no more of a text of which pieces were dropped, until the whole is there", async () => {
  const memory = createMemoryEnvelopeStore();
  let isFull = true;
  const append: EnvelopeStore["append"] = (place, envelopes) =>
    isFull ? Promise.reject(new Error("disk full")) : memory.append(place, envelopes);
  const journal = await open({ ...memory, append }, [], 1);
  const got: string[] = [];
  await journal.attach(0, (envelope) => void got.push("text" in envelope ? envelope.text : envelope.type));
  const piece = (said: string): EnvelopeBody => ({ type: "text.delta", text: said });
  journal.write([text("a"), piece("one ")]);
  await journal.flush();
  journal.write([piece("two ")]);
  isFull = false;
  await expect.poll(() => got).toEqual(["model"]);
  journal.write([piece("three")]);
  const whole = { messageId: null, parent: null, aborted: false, error: null };
  journal.write([{ type: "text", text: "one two three", ...whole }, piece("next")]);
  await journal.flush();
  expect(got).toEqual(["model", "one two three", "next"]);
});

it("is at rest when nobody is attached and the store shows all of it", async () => {
  const memory = createMemoryEnvelopeStore();
  let isShown = false;
  const lastSeq = async (id: string) => (isShown ? memory.lastSeq(id) : 0);
  const journal = await open({ ...memory, lastSeq });
  expect(journal.canRelease()).toBe(true);
  const detach = await journal.attach(0, () => undefined);
  journal.write([text("a")]);
  await journal.flush();
  detach();
  expect(journal.canRelease()).toBe(false);
  isShown = true;
  await journal.dropStored();
  expect(journal.canRelease()).toBe(true);
});

it("tells nobody what is not kept", async () => {
  const memory = createMemoryEnvelopeStore();
  const gate = Promise.withResolvers<void>();
  const journal = await open({
    ...memory,
    append: (place, all) => gate.promise.then(() => memory.append(place, all)),
  });
  const got: string[] = [];
  await journal.attach(0, ({ type, seq }) => void got.push(`${type} ${seq}`));
  journal.write([text("a"), delta, text("b")]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  const late: number[] = [];
  await journal.attach(0, ({ seq }) => void late.push(seq));
  expect([got, late]).toEqual([[], []]);
  gate.resolve();
  await journal.flush();
  expect(got).toEqual(["model 1", "text.delta 0", "model 2"]);
  expect(late).toEqual([1, 2]);
});

it("goes on without a client that throws", async () => {
  const journal = await open(createMemoryEnvelopeStore());
  const got: number[] = [];
  await journal.attach(0, () => {
    throw new Error("gone");
  });
  await journal.attach(0, ({ seq }) => void got.push(seq));
  journal.write([text("a")]);
  journal.write([text("b")]);
  await journal.flush();
  expect(got).toEqual([1, 2]);
});
