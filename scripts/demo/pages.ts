import type { Page } from "playwright-core";
import type { Demo } from "./demo-home.ts";

/** A page, and what it shows once rendered. */
export interface DemoPage {
  readonly name: string;
  readonly path: (demo: Demo) => string;
  readonly waitFor: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

const TABS = ["timeline", "transcript", "files", "cost", "given", "raw"];

export const PAGES: readonly DemoPage[] = [
  { name: "now", path: () => "/", waitFor: ".answer-card .button" },
  { name: "sessions", path: () => "/sessions", waitFor: "[data-row]" },
  ...TABS.map((tab) => ({
    name: `session-${tab}`,
    path: ({ ids }: Demo) => `/s/${tab === "given" ? ids.given : ids.busy}?tab=${tab}`,
    waitFor: "[role=tabpanel] *",
  })),
  { name: "search", path: () => "/search?q=duplicate%20rows", waitFor: "[data-row]" },
  { name: "usage", path: () => "/usage?days=14", waitFor: "canvas" },
  { name: "away", path: () => "/away", waitFor: "main section" },
  { name: "policy", path: () => "/policy", waitFor: "main section" },
  { name: "health", path: () => "/health", waitFor: ".checks" },
  { name: "settings", path: () => "/settings", waitFor: "[role=switch]" },
  { name: "steer", path: () => "/steer", waitFor: "form" },
  { name: "steer-chat", path: ({ ids }) => `/steer/${ids.chat}`, waitFor: ".turn-end" },
  { name: "help", path: () => "/", waitFor: ".request-card", act: (page) => page.keyboard.press("?") },
  {
    name: "palette",
    path: () => "/",
    waitFor: ".request-card",
    act: (page) => page.keyboard.press("Control+k"),
  },
];
