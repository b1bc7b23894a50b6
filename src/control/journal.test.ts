import { expect, it } from "vitest";
import type { EnvelopeStore } from "./control-ports.ts";
import type { Envelope, EnvelopeBody } from "./envelope.ts";
import { openJournal } from "./journal.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";

const entry = (content: string): EnvelopeBody => ({ type: "model", model: content });
const delta: EnvelopeBody = { type: "text.delta", text: "d" };

function open(store: EnvelopeStore, notices: string[] = [], retryMs?: number) {
  return openJournal({
    sessionId: "s",
    location: { projectPath: null, cwd: "/x" },
    store,
    epoch: "e",
    nowIso: () => "2026-01-01T00:00:00.000Z",
    onNotice: (notice) => void notices.push(notice),
    ...(retryMs !== undefined && { retryMs: retryMs }),
  });
}

/** Like a database on a busy disk: appended envelopes become visible later. */
function withDelay(store: EnvelopeStore): EnvelopeStore {
  return {
    ...store,
    append: async (place, envelopes) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.append(place, envelopes);
    },
  };
}

it("numbers without gaps, continues after a restart, and stores no deltas", async () => {
  const store = createMemoryEnvelopeStore();
  const first = await open(store);
  first.write([entry("a"), delta, entry("b")]);
  await first.flush();
  const second = await open(store);
  second.write([entry("c")]);
  await second.flush();
  expect((await store.read("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

it("delivers everything after the given seq once, in order, whenever a client attaches", async () => {
  const journal = await open(withDelay(createMemoryEnvelopeStore()));
  const attached: Promise<unknown>[] = [];
  const clients: { after: number; received: number[] }[] = [];
  for (let round = 0; round < 30; round++) {
    journal.write([entry(`${round}`), delta, entry(`${round}'`)]);
    const after = Math.max(0, journal.lastSeq() - 5);
    const client = { after, received: [] as number[] };
    clients.push(client);
    attached.push(journal.attach(after, ({ seq }: Envelope) => void (seq > 0 && client.received.push(seq))));
    if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
  }
  await Promise.all(attached);
  await journal.flush();
  const last = journal.lastSeq();
  for (const { after, received } of clients)
    expect(received).toEqual(Array.from({ length: last - after }, (_, index) => after + 1 + index));
});

it("delivers only deltas written after a client attached", async () => {
  const journal = await open(withDelay(createMemoryEnvelopeStore()));
  const pieces: string[] = [];
  journal.write([entry("a"), { type: "text.delta", text: "before" }]);
  await journal.attach(0, (envelope) => void (envelope.type === "text.delta" && pieces.push(envelope.text)));
  journal.write([{ type: "text.delta", text: "after" }]);
  await journal.flush();
  expect(pieces).toEqual(["after"]);
});

it("keeps the order after a temporary store failure, and reports it", async () => {
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
  journal.write([entry("a")]);
  await Promise.resolve();
  journal.write([entry("b")]);
  await journal.flush();
  expect((await memory.read("s", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(notices).toHaveLength(1);
});

it("stores and publishes once the disk has room again, even without new input", async () => {
  const memory = createMemoryEnvelopeStore();
  let isFull = true;
  const notices: string[] = [];
  const append: EnvelopeStore["append"] = (place, envelopes) =>
    isFull ? Promise.reject(new Error("disk full")) : memory.append(place, envelopes);
  const journal = await open({ ...memory, append }, notices, 1);
  const received: string[] = [];
  await journal.attach(0, ({ type, seq }) => void received.push(`${type} ${seq}`));
  journal.write([entry("a"), delta]);
  await journal.flush();
  for (let piece = 0; piece < 1_000; piece++) journal.write([delta]);
  await journal.flush();
  expect([received, notices.length, journal.canRelease()]).toEqual([[], 1, false]);
  isFull = false;
  await expect.poll(() => received).toEqual(["model 1"]);
});

it("publishes no more deltas of a text after some were dropped, until the full text", async () => {
  const memory = createMemoryEnvelopeStore();
  let isFull = true;
  const append: EnvelopeStore["append"] = (place, envelopes) =>
    isFull ? Promise.reject(new Error("disk full")) : memory.append(place, envelopes);
  const journal = await open({ ...memory, append }, [], 1);
  const received: string[] = [];
  await journal.attach(
    0,
    (envelope) => void received.push("text" in envelope ? envelope.text : envelope.type),
  );
  const piece = (content: string): EnvelopeBody => ({ type: "text.delta", text: content });
  journal.write([entry("a"), piece("one ")]);
  await journal.flush();
  journal.write([piece("two ")]);
  isFull = false;
  await expect.poll(() => received).toEqual(["model"]);
  journal.write([piece("three")]);
  const textFields = { messageId: null, parent: null, aborted: false, error: null };
  journal.write([{ type: "text", text: "one two three", ...textFields }, piece("next")]);
  await journal.flush();
  expect(received).toEqual(["model", "one two three", "next"]);
});

it("can be released when no client is attached and the store shows everything", async () => {
  const memory = createMemoryEnvelopeStore();
  let isShown = false;
  const lastSeq = async (id: string) => (isShown ? memory.lastSeq(id) : 0);
  const journal = await open({ ...memory, lastSeq });
  expect(journal.canRelease()).toBe(true);
  const detach = await journal.attach(0, () => undefined);
  journal.write([entry("a")]);
  await journal.flush();
  detach();
  expect(journal.canRelease()).toBe(false);
  isShown = true;
  await journal.dropStored();
  expect(journal.canRelease()).toBe(true);
});

it("publishes nothing that is not stored", async () => {
  const memory = createMemoryEnvelopeStore();
  const gate = Promise.withResolvers<void>();
  const journal = await open({
    ...memory,
    append: (place, all) => gate.promise.then(() => memory.append(place, all)),
  });
  const received: string[] = [];
  await journal.attach(0, ({ type, seq }) => void received.push(`${type} ${seq}`));
  journal.write([entry("a"), delta, entry("b")]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  const late: number[] = [];
  await journal.attach(0, ({ seq }) => void late.push(seq));
  expect([received, late]).toEqual([[], []]);
  gate.resolve();
  await journal.flush();
  expect(received).toEqual(["model 1", "text.delta 0", "model 2"]);
  expect(late).toEqual([1, 2]);
});

it("detaches a client that throws, and continues", async () => {
  const journal = await open(createMemoryEnvelopeStore());
  const received: number[] = [];
  await journal.attach(0, () => {
    throw new Error("gone");
  });
  await journal.attach(0, ({ seq }) => void received.push(seq));
  journal.write([entry("a")]);
  journal.write([entry("b")]);
  await journal.flush();
  expect(received).toEqual([1, 2]);
});
