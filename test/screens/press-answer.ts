import type { Locator } from "playwright-core";

const TRIES = 4;
const SENT_MS = 5_000;

/**
 * Answers a request on a page. A card that has just moved cannot be answered, and on a busy machine it may move
 * between check and press: then nothing is sent, and it presses again.
 */
export async function pressAnswer(card: Locator, press: () => Promise<unknown>): Promise<void> {
  const page = card.page();
  for (let tries = 0; tries < TRIES; tries++) {
    await card.locator(".answer-card:enabled").waitFor();
    const sent = page
      .waitForRequest((request) => request.url().endsWith("/answer"), { timeout: SENT_MS })
      .then(
        () => true,
        () => false,
      );
    await press();
    if (await sent) return;
  }
  throw new Error(`Nothing was sent after ${TRIES} presses`);
}
