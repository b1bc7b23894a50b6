import { request } from "node:http";
import { createSseReader } from "../../src/cli/sse-reader.ts";
import type { StreamPatch } from "../../src/serve/contract.ts";
import type { BenchHome } from "./bench-home.ts";

export interface StreamClient {
  /** Totals so far. */
  counts(): { readonly patches: number; readonly bytes: number; readonly gaps: number };
  close(): void;
}

/** Reads `/api/stream` over the unix socket. Resolves on the first message (everything, or nothing yet). */
export function openStreamClient(
  place: BenchHome,
  onPatch: (patch: StreamPatch, atMs: number) => void,
): Promise<StreamClient> {
  const counts = { patches: 0, bytes: 0, gaps: 0 };
  const read = createSseReader();
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: place.home.sock, path: "/api/stream" }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
      response.setEncoding("utf8").on("data", (text: string) => {
        const atMs = performance.now();
        counts.bytes += Buffer.byteLength(text);
        for (const { event, data } of read(text)) {
          if (event === "reset") resolve({ counts: () => ({ ...counts }), close: () => call.destroy() });
          else if (event === "gap") counts.gaps++;
          else if (event === "patch") {
            counts.patches++;
            onPatch(JSON.parse(data) as StreamPatch, atMs);
          }
        }
      });
      response.on("error", () => undefined);
    });
    // After the first message a broken connection shows as a missing patch.
    call.on("error", reject);
    call.end();
  });
}
