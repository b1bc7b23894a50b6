import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { BenchHome, RunningDaemon } from "./bench-home.ts";

/** Memory of a daemon at a moment, in MB. */
export interface MemorySample {
  readonly seconds: number;
  readonly rss: number;
  /** Parts of the RSS: the process's own pages (V8 heaps, malloc, thread stacks), and file-backed ones. */
  readonly anonymous: number;
  readonly file: number;
  /** As V8 reports it for the main thread. */
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
}

export async function measureMemory(
  place: BenchHome,
  { pid }: RunningDaemon,
  seconds: number,
): Promise<MemorySample> {
  const metrics = await readMetrics(place);
  const smaps = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kb = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(smaps)?.[1]);
  const kind = (name: string): number =>
    Number(new RegExp(`^hookline_memory_bytes\\{kind="${name}"\\} (\\S+)`, "m").exec(metrics)?.[1]);
  const mb = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
  const [rss, anonymous] = [kb("Rss"), kb("Anonymous")];
  return {
    seconds: Math.round(seconds),
    rss: mb(rss * 1_024),
    anonymous: mb(anonymous * 1_024),
    file: mb((rss - anonymous) * 1_024),
    heapUsed: mb(kind("heap_used")),
    heapTotal: mb(kind("heap_total")),
    external: mb(kind("external")),
  };
}

export function describeMemory(weight: MemorySample): string {
  const { seconds, rss, anonymous, file, heapUsed, heapTotal, external } = weight;
  return `${seconds} s: ${rss} MB (anonymous ${anonymous}, file ${file}; heap ${heapUsed} of ${heapTotal}, external ${external})`;
}

function readMetrics({ home }: BenchHome): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: home.sock, path: "/metrics", agent: false, timeout: 30_000 },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve(text));
      },
    );
    call.on("error", reject).end();
  });
}
