import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

/** An OpenAI-compatible `/v1/embeddings` on loopback that records every requested text. */
export interface EmbedServer {
  /** The value for `memory.embedder`. */
  readonly url: string;
  /** The texts of each request, in order, without probes of the model itself. */
  readonly requests: readonly (readonly string[])[];
  texts(): string[];
  /** Waits until a request is being answered; returns its texts. */
  asking(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const DIMENSIONS = 64;
/** The index probes once how a model handles other languages (src/memory/search/probe-model.ts). */
const PROBE = "데이터베이스 연결이 끊어져서 다시 연결했다";

export async function openEmbedServer({
  delayMs = () => 0,
}: {
  readonly delayMs?: () => number;
} = {}): Promise<EmbedServer> {
  const requests: string[][] = [];
  const open = new Set<readonly string[]>();
  const waiting: ((texts: readonly string[]) => void)[] = [];
  const server = createServer((req, res) => {
    answer(req)
      .then((body) => res.setHeader("content-type", "application/json").end(JSON.stringify(body)))
      .catch(() => res.destroy());
  });

  async function answer(req: IncomingMessage): Promise<object> {
    let body = "";
    for await (const part of req.setEncoding("utf8")) body += part;
    const { input } = JSON.parse(body) as { readonly input: string[] };
    if (!input.includes(PROBE)) {
      requests.push(input);
      open.add(input);
      for (const tell of waiting.splice(0)) tell(input);
    }
    await setTimeout(delayMs());
    open.delete(input);
    return { data: input.map((text, index) => ({ index, embedding: embeddingOf(text) })) };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`,
    requests,
    texts: () => requests.flat(),
    asking: async () => [...open][0] ?? (await new Promise((resolve) => waiting.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Counts words in buckets: texts with the same words get similar vectors. */
function embeddingOf(text: string): number[] {
  const counts = new Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["?"]) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003;
    counts[hash % DIMENSIONS]! += hash % 2 === 0 ? 1 : -1;
  }
  return counts.some((count) => count !== 0) ? counts : counts.with(0, 1);
}
