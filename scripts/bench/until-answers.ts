import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchHome } from "./bench-home.ts";

const TIMEOUT_MS = 300_000;

/** Polls the unix socket until the daemon answers 200: health while still starting, others later. */
export async function untilAnswers(place: BenchHome, path: string): Promise<void> {
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await sleep(1)) {
    if ((await ask(place, path)) === 200) return;
  }
  throw new Error(`${path} does not answer after ${TIMEOUT_MS / 1_000} s`);
}

function ask(place: BenchHome, path: string): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request({ socketPath: place.home.sock, path }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? null));
    });
    call.on("error", () => resolve(null)).end();
  });
}
