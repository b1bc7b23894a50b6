import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bridgeLines, type PostLine, withDaemonStart } from "./mcp.ts";

const ask = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });

async function bridge(input: readonly (string | Buffer)[], post: PostLine): Promise<string[]> {
  const output: string[] = [];
  await bridgeLines(Readable.from(input.map((part) => Buffer.from(part))), post, (line) => output.push(line));
  return output;
}

describe("the bridge", () => {
  it("forwards complete lines, however the input is split", async () => {
    const received: string[] = [];
    const post: PostLine = async (line) => {
      received.push(line);
      return "";
    };
    const line = `{"text":"장\u2028b"}`;
    const bytes = Buffer.from(`${line}\n\n{"b":1}\r\n{"c":1}`);
    expect(await bridge([bytes.subarray(0, 10), bytes.subarray(10, 12), bytes.subarray(12)], post)).toEqual(
      [],
    );
    expect(received.map((text) => text.trim())).toEqual([line, '{"b":1}', '{"c":1}']);
  });

  it("forwards answers as they arrive, and ends with the last one", async () => {
    const post: PostLine = async (line) => {
      const { id } = JSON.parse(line) as { id: number };
      await new Promise((resolve) => setTimeout(resolve, id === 1 ? 50 : 1));
      return `answer ${id}`;
    };
    expect(await bridge([`${ask(1)}\n${ask(2)}\n`], post)).toEqual(["answer 2", "answer 1"]);
  });

  it("replies with an error if there is no answer, and never to a notification", async () => {
    const broken: PostLine = async () => {
      throw new Error("it broke");
    };
    const output = await bridge([`${ask(7)}\n{"jsonrpc":"2.0","method":"x"}\nnot json\n`], broken);
    expect(output.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: "2.0", id: 7, error: { code: -32_603, message: "it broke" } },
      { jsonrpc: "2.0", id: null, error: { code: -32_603, message: "it broke" } },
    ]);
    expect((await bridge([`${ask(1)}\n`], async () => null))[0]).toContain("hookline doctor");
  });
});

describe("a daemon that is down", () => {
  it("is started once for concurrent requests", async () => {
    let starts = 0;
    const post = withDaemonStart(
      async (line) => (starts > 0 ? `to ${line}` : null),
      async () => {
        starts++;
      },
      1_000,
    );
    expect(await Promise.all([post("a"), post("b")])).toEqual(["to a", "to b"]);
    expect(starts).toBe(1);
  });

  it("is asked again if it ended during a request", async () => {
    let calls = 0;
    const post = withDaemonStart(
      async () => {
        if (calls++ === 0) throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
        return "here";
      },
      async () => undefined,
      1_000,
    );
    expect(await post("a")).toBe("here");
  });

  it("is waited for only until the timeout", async () => {
    const post = withDaemonStart(
      async () => null,
      async () => undefined,
      100,
    );
    expect(await post("a")).toBeNull();
  });
});
