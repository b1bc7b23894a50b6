import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openSteering, type Steering } from "../support/control.ts";
import type { FakeApi, FakeRequest, Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import { evil, ODD_SESSIONS, SESSION, workHostilely } from "./hostile-sessions.ts";

needs(import.meta.filename, "chromium");

// A malicious agent writes everything it can, and every page is checked in a real browser:
// none of it runs, is fetched, becomes an element or hides, and no page breaks.

let browser: Browser;
let steering: Steering;
let page: Page;
let base: string;
let driven: Readonly<Record<"asks" | "permits", string>>;
const trouble: string[] = [];

function answers({ lastUserText }: FakeRequest): Turn {
  if (lastUserText.includes("choose")) {
    const options = [
      { label: evil("label"), description: evil("option") },
      { label: "constructor", description: "x" },
    ];
    const question = { question: "__proto__", header: "evil", multiSelect: true, options };
    const other = { ...question, question: evil("question"), multiSelect: false };
    return { tools: [{ name: "AskUserQuestion", input: { questions: [question, other] } }] };
  }
  if (!lastUserText.includes("evil-chat")) return { text: evil("told") };
  // Claude Code itself rejects control characters in a command.
  const command = `touch made # ${evil("driven")}`.replace(/\p{Cc}/gu, "");
  return {
    text: evil("streamed"),
    tools: [{ name: "Bash", input: { command, description: evil("about") } }],
  };
}

beforeAll(async () => {
  const env = (api: FakeApi) => ({ ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: api.url });
  [browser, steering] = await Promise.all([openBrowser(), openSteering(answers, { env })]);
  const { hookline } = steering;
  const [asks, permits] = await Promise.all([
    steering.start({ prompt: `choose ${evil("chat")}` }),
    steering.start({ prompt: evil("chat") }),
    workHostilely(hookline),
  ]);
  driven = { asks: asks.sessionId, permits: permits.sessionId };
  const [because, notify] = [JSON.stringify(evil("because")), JSON.stringify(evil("notify"))];
  const rules = `{
    "tools": [{ "match": "Bash(echo evil-rule*)", "then": "deny", "reason": ${because} }],
    "reactions": [{ "on": "Stop", "do": { "type": "notify", "title": "evil-name", "text": ${notify} } }]
  }`;
  await hookline.ask("PUT", "/api/rules", { text: rules });
  const judged = { command: `echo evil-rule ${evil("judged")}` };
  await steering.ask("POST", "/api/ask/guard", {
    ...{ hook_event_name: "PreToolUse", session_id: SESSION, cwd: hookline.root, tool_use_id: "judged" },
    ...{ tool_name: "Bash", tool_input: judged },
  });
  page = await open();
});
afterAll(async () => {
  await browser?.close();
  await steering?.close();
});

async function open(): Promise<Page> {
  // Tall enough to render long lists completely.
  const context = await browser.newContext({ viewport: { width: 1280, height: 20_000 } });
  const opened = await context.newPage();
  await opened.exposeFunction("tellTrouble", (what: string) => trouble.push(what));
  await opened.addInitScript(
    `addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
      tellTrouble("policy: " + [effectiveDirective, blockedURI, sourceFile, lineNumber].join(" ")))`,
  );
  opened.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  opened.on("pageerror", (error) => trouble.push(`error: ${error.stack}`));
  opened.on("popup", (popup) => trouble.push(`popup: ${popup.url()}`));
  opened.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== base || !KNOWN.test(pathname)) trouble.push(`request: ${request.url().slice(0, 300)}`);
  });
  const { body } = await steering.ask<{ address: string }>("POST", "/api/login/code", {});
  base = new URL(body.address).origin;
  await opened.goto(body.address);
  await opened.waitForSelector(".status-bar");
  return opened;
}

const KNOWN =
  /^\/(?:$|assets\/[\w.-]+$|icon[\w-]*\.(?:svg|png)$|manifest\.webmanifest$|(?:sessions|s|search|usage|away|policy|health|settings|steer)(?:\/|$)|api\/(?:stream|login|logins|sessions|control|away|search|usage|waits|policy|rules|recipes|hooks|verdicts|config|doctor|status|memory|observations|timeline|context|sample|blobs|events|progress|health)(?:\/|$))/;

/** Forbidden content of a page: elements and attributes that only a text can have injected, hidden characters. */
const LOOK = `(() => {
  const found = [];
  if (globalThis.ran !== undefined) found.push("ran: " + ran);
  if ({}.polluted !== undefined) found.push("polluted");
  if (/[\\u0000-\\u001f\\u202e]|owned|evil/.test(document.title)) found.push("title: " + document.title);
  const made = "iframe, object, embed, script, style, base, link, form[action], video, audio, math, [srcdoc], details[ontoggle]";
  for (const one of document.body.querySelectorAll(made))
    if (!(one.matches("script[src^='/assets/']"))) found.push("element: " + one.outerHTML.slice(0, 200));
  for (const one of document.body.querySelectorAll("*")) {
    const { tagName } = one;
    if (tagName === "IMG" && one.getAttribute("src") !== "/icon.svg") found.push("img: " + one.outerHTML.slice(0, 200));
    for (const { name, value } of one.attributes) {
      if (/^on/i.test(name)) found.push("handler: " + one.outerHTML.slice(0, 200));
      if (/^(?:href|src|action|formaction|poster|xlink:href)$/i.test(name) && !/^[/#](?!\\/)/.test(value))
        found.push("address: " + value.slice(0, 200));
      if (name === "style" && /url|expression|@/i.test(value)) found.push("style: " + value.slice(0, 200));
      if (/^(?:title|alt|placeholder|label|aria-(?:label|description|valuetext))$/.test(name) && HIDDEN.test(value))
        found.push("hidden in " + name + ": " + JSON.stringify(value.slice(0, 200)));
    }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    // Editable text is shown unchanged.
    if (HIDDEN.test(texts.currentNode.data) && texts.currentNode.parentElement.tagName !== "TEXTAREA")
      found.push("hidden: " + texts.currentNode.parentElement.outerHTML.slice(0, 300));
  return found;
})()`.replaceAll("HIDDEN", "/(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]/u");

const OPEN_ALL =
  "for (const one of document.querySelectorAll('main .summary[aria-expanded=false]')) one.click()";

async function look(...expected: readonly (string | RegExp)[]): Promise<void> {
  for (const text of expected) await page.getByText(text).first().waitFor({ state: "attached" });
  await page.locator("main h1").first().waitFor();
  expect(await page.evaluate(LOOK), page.url()).toEqual([]);
  expect(trouble, page.url()).toEqual([]);
}

const visit = async (path: string, ...expected: readonly (string | RegExp)[]): Promise<void> => {
  await page.goto(base + path);
  await look(...expected);
};
const here = `/s/${SESSION}`;

describe("a hostile agent's text", () => {
  it("stays text on the pages of all sessions", async () => {
    await visit("/", "evil-title", "evil-asked", "evil-branch", "evil-driven", "evil-question", "__proto__");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("evil");
    await look(/evil-project/);
    await page.keyboard.press("Escape");
    await visit("/sessions", "evil-title", /evil-(?:to|model)/, "evil-odd-0");
    await visit("/usage", "evil-model", /evil-project/);
    await visit("/away", "evil-file", "evil-odd-1");
    await visit("/steer", "evil-chat");
    await visit("/health", "hooks_installed");
    await visit("/settings");
  });

  it("stays text on every tab of a session, and in replay", async () => {
    await visit(
      `${here}?tab=transcript`,
      "evil-prompt",
      "evil-heading",
      "evil-fenced",
      "evil-error",
      "evil-old",
    );
    await page.evaluate(OPEN_ALL);
    await look("evil-stdout");
    await visit(`${here}?tab=timeline`, "evil-agent-type");
    await page.locator(".picture").focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await look();
    await visit(`${here}?tab=files`, "evil-file");
    await visit(`${here}?tab=cost`, "evil-model", "evil-prompt");
    await visit(`${here}?tab=given`);
    await visit(`${here}?tab=raw`);
    for (const at of [1, 5, 9, 25]) {
      await page.locator(".raw-row .summary").nth(at).click();
      await look();
    }
  });

  it.each(ODD_SESSIONS)("stays text where the session id is %s", async (id) => {
    await visit("/sessions");
    const link = page.locator(`main a[href="/s/${encodeURIComponent(id)}"]`).first();
    await link.click();
    await look(`evil-odd-${ODD_SESSIONS.indexOf(id)}`);
    expect(new URL(page.url()).pathname).toBe(`/s/${encodeURIComponent(id)}`);
  });

  it("stays text in search, memory and policy", async () => {
    await visit("/search?q=evil");
    const hits = page.locator("[data-hit]");
    await hits.first().waitFor();
    for (const at of [0, 1, 2]) {
      if (at >= (await hits.count())) break;
      await hits.nth(at).click();
      await page.locator(".item-panel h2").waitFor();
      await look();
    }
    await page.keyboard.press("e");
    await look();
    await visit("/policy", "evil-because", "evil-notify");
    await visit("/policy?tab=history");
    await visit("/policy?tab=recipes");
    await visit("/policy?tab=trust");
  });

  it("stays text in the chat of a driven session, and can be answered", async () => {
    await visit(`/steer/${driven.permits}`, "evil-streamed", "evil-driven");
    await page
      .getByRole("button", { name: /^Deny$/ })
      .first()
      .click();
    await look("evil-chat");
    await visit(`/steer/${driven.asks}`, "evil-question", "evil-label", "__proto__");
    await page.getByRole("checkbox", { name: "constructor" }).check();
    await page.getByRole("radio", { name: /evil-label/ }).check();
    await page.getByRole("group", { name: "Request" }).press("End");
    await page.locator(".question-form button[type=submit]").click();
    await page.locator(".question-form").waitFor({ state: "detached" });
    await look();
  });

  it("is detected when planted as markup", async () => {
    await page.evaluate(`document.querySelector("main").insertAdjacentHTML(
      "beforeend", '<a href="javascript:1" title="\\u202e">\\u200b</a><img src="https://127.0.0.1:1/x" onerror="ran=1">')`);
    const found = (await page.evaluate(LOOK)) as string[];
    expect(found.map((one) => one.split(":", 1)[0]).sort()).toEqual([
      "address",
      "address",
      "handler",
      "hidden",
      "hidden in title",
      "img",
    ]);
    await expect
      .poll(() => trouble.map((one) => one.split(" ", 2).join(" ")).sort())
      .toEqual(["policy: img-src", "policy: script-src-attr", "request: https://127.0.0.1:1/x"]);
  });
});
