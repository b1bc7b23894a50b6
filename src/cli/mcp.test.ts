import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bridgeLines, type PostLine, withDaemonStart } from "./mcp.ts";

const ask = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });

async function talk(input: readonly (string | Buffer)[], post: PostLine): Promise<string[]> {
  const output: string[] = [];
  await bridgeLines(Readable.from(input.map((part) => Buffer.from(part))), post, (line) => output.push(line));
  return output;
}

describe("the bridge", () => {
  it("passes lines on whole, however they are cut", async () => {
    const seen: string[] = [];
    const post: PostLine = async (line) => {
      seen.push(line);
      return "";
    };
    const line = `{"text":"장\u2028b"}`;
    const bytes = Buffer.from(`${line}\n\n{"b":1}\r\n{"c":1}`);
    expect(await talk([bytes.subarray(0, 10), bytes.subarray(10, 12), bytes.subarray(12)], post)).toEqual([]);
    expect(seen.map((text) => text.trim())).toEqual([line, '{"b":1}', '{"c":1}']);
  });

  it("answers as answers come, and ends when all are there", async () => {
    const post: PostLine = async (line) => {
      const { id } = JSON.parse(line) as { id: number };
      await new Promise((resolve) => setTimeout(resolve, id === 1 ? 50 : 1));
      return `answer ${id}`;
    };
    expect(await talk([`${ask(1)}\n${ask(2)}\n`], post)).toEqual(["answer 2", "answer 1"]);
  });

  it("says to whom it concerns when there is no answer, and nothing to a notification", async () => {
    const broken: PostLine = async () => {
      throw new Error("it broke");
    };
    const output = await talk([`${ask(7)}\n{"jsonrpc":"2.0","method":"x"}\nnot json\n`], broken);
    expect(output.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: "2.0", id: 7, error: { code: -32_603, message: "it broke" } },
      { jsonrpc: "2.0", id: null, error: { code: -32_603, message: "it broke" } },
    ]);
    expect((await talk([`${ask(1)}\n`], async () => null))[0]).toContain("hookline doctor");
  });
});

describe("a daemon that is down", () => {
  it("is started once for all who ask", async () => {
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

  it("that ended over a question is asked again", async () => {
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

  it("that does not come is not waited for longer than said", async () => {
    const post = withDaemonStart(
      async () => null,
      async () => undefined,
      100,
    );
    expect(await post("a")).toBeNull();
  });
});
