import type { Locator } from "playwright-core";

const TRIES = 4;
const SENT_MS = 5_000;

/**
 * Answers a request on a page. What has just moved cannot be answered, and on a busy machine a card may move between
 * the look and the press: then nothing is sent, and it is pressed again.
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
