import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseReader } from "./sse-reader.ts";

const wire =
  'retry: 1000\n\n: beat\n\nid: e-1\nevent: reset\ndata: {"a":"한\u2028"}\n\nevent: gap\r\ndata:{}\r\n\r\ndata: 1\ndata: 2\n\nid: e-2\nevent: patch\ndata: torn';

describe("a stream of server-sent events", () => {
  it("is read completely, however it is split", () => {
    const expected = [
      { id: "e-1", event: "reset", data: '{"a":"한\u2028"}' },
      { id: null, event: "gap", data: "{}" },
      { id: null, event: "message", data: "1\n2" },
    ];
    fc.assert(
      fc.property(fc.array(fc.nat(wire.length)), (cuts) => {
        const read = createSseReader();
        const positions = [0, ...cuts.toSorted((a, b) => a - b), wire.length];
        const messages = positions.flatMap((from, index) =>
          read(wire.slice(from, positions[index + 1] ?? from)),
        );
        expect(messages).toEqual(expected);
      }),
    );
  });
});
