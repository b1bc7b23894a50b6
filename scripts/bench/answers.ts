import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "./place.ts";

const PATIENCE_MS = 300_000;

/** Asks over the unix socket until the daemon answers with 200: health does so while it still starts, the rest later. */
export async function untilAnswers(place: Place, path: string): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(1)) {
    if ((await ask(place, path)) === 200) return;
  }
  throw new Error(`${path} does not answer after ${PATIENCE_MS / 1_000} s`);
}

function ask(place: Place, path: string): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request({ socketPath: place.home.sock, path }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? null));
    });
    call.on("error", () => resolve(null)).end();
  });
}
