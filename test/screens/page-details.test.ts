import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Details found in a day of use.

const PROMPT = "say hi to the **lighthouse**";
let browser: Browser;
let hookline: Hookline;
let page: Page;

beforeAll(async () => {
  hookline = openHookline();
  [browser] = await Promise.all([openBrowser(), hookline.start()]);
  const notice =
    "<task-notification>\n<task-id>b1</task-id>\n<summary>Background build completed</summary>\n</task-notification>";
  await tell("worked", [
    { hook_event_name: "UserPromptSubmit", prompt: PROMPT, prompt_id: "p1" },
    { hook_event_name: "Stop", last_assistant_message: "# So\n**0.1** is `one`", prompt_id: "p1" },
    { hook_event_name: "UserPromptSubmit", prompt: notice, prompt_id: "p2" },
    { hook_event_name: "Stop", last_assistant_message: "Done: **0.1** is `one`.", prompt_id: "p2" },
  ]);
  await tell("empty", []);
  await hookline.settle();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(await newLink());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await hookline?.close();
});

async function tell(name: string, payloads: readonly object[]): Promise<void> {
  const base = { session_id: `session-${name}`, cwd: `/srv/${name}`, transcript_path: "/none" };
  for (const payload of [
    { hook_event_name: "SessionStart", source: "startup" },
    ...payloads,
    { hook_event_name: "SessionEnd", reason: "prompt_input_exit" },
  ])
    expect(await hookline.fire({ ...base, ...payload })).toMatchObject({ code: 0, stderr: "" });
}

const newLink = async (): Promise<string> => (await hookline.run("open", "--print")).stdout.trim();

it("describes what recently finished sessions did, and leaves out empty ones", async () => {
  const finished = page.locator("section[aria-labelledby=finished]");
  await finished.locator(".session-row").first().waitFor();
  expect(await finished.locator(".session-row").count()).toBe(1);
  expect(await finished.locator(".title").textContent()).toBe("say hi to the lighthouse");
  expect(await finished.locator(".doing").textContent()).toBe("Done: 0.1 is one.");
});

it("opens a session by the id prefix that lists print", async () => {
  const other = await page.context().newPage();
  await other.goto(new URL("/s/session-wo?tab=files", page.url()).href);
  await other.getByRole("heading", { name: "say hi to the lighthouse" }).first().waitFor();
  await expect.poll(() => new URL(other.url()).pathname).toBe("/s/session-worked");
  expect(new URL(other.url()).search).toBe("?tab=files");
  await other.close();
});

it("does not preview a machine prompt as a user prompt", async () => {
  const preview = page.getByRole("complementary");
  await preview.getByText("Background build completed").waitFor();
  expect(await preview.locator("li.prompt .text").allTextContents()).toEqual(["say hi to the lighthouse"]);
  expect(await preview.textContent()).not.toContain("task-notification");
});

it("shows an item's title and text once each", async () => {
  await page.goto(new URL("/search?q=lighthouse", page.url()).href);
  const hit = page.locator("button.hit", { has: page.locator(".item-type.prompt") });
  expect(await hit.locator(".title").textContent()).toBe("say hi to the lighthouse");
  await hit.click();
  const panel = page.getByRole("complementary");
  await panel.locator(".about").waitFor();
  const said = await panel.locator(".about > span").allTextContents();
  expect(said.filter((word) => word === "prompt")).toEqual(["prompt"]);
  await panel.locator(".item-text").waitFor({ state: "attached" });
  expect(await panel.locator(".item-text").textContent()).not.toContain("lighthouse");
});

it("judges a test request only once something is typed", async () => {
  const judged: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/control/policy/test")) judged.push(request.postDataJSON().toolInput);
  });
  await page.goto(new URL("/policy", page.url()).href);
  const form = page.locator(".try-request");
  const verdict = form.locator(".answer p.line");
  for (const [tool, text] of [
    ["Bash", "git push --force"],
    ["WebFetch", "https://example.com"],
    ["JSON", '{ "toolName": "Bash", "toolInput": { "command": "ls" } }'],
  ] as const) {
    await form.getByLabel("Tool").selectOption(tool);
    await expect.poll(() => form.locator(".answer").textContent()).toBe("");
    await form.locator("textarea").fill(text);
    await verdict.waitFor();
    await form.locator("textarea").fill("  ");
    await verdict.waitFor({ state: "detached" });
  }
  expect(judged).toEqual([
    { command: "git push --force" },
    { url: "https://example.com", prompt: "" },
    { command: "ls" },
  ]);
});

it("dims the scrollbar gutter with the rest of the page behind a dialog", async () => {
  await page.goto(new URL("/", page.url()).href);
  await page.locator(".session-row").first().waitFor();
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  const picture = (await page.screenshot()).toString("base64");
  const [edge, inside] = await page.evaluate<number[][]>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${picture}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const at = (x) => [...canvas.getImageData(x, image.height - 20, 1, 1).data];
    return [at(image.width - 3), at(image.width - 40)];
  })()`);
  for (const [place, value] of inside!.entries())
    expect(Math.abs(value - edge![place]!)).toBeLessThanOrEqual(2);
});

it("says why a login link was refused", async () => {
  const used = await newLink();
  const first = await (await browser.newContext()).newPage();
  await first.goto(used);
  await first.locator(".connection.live").waitFor();
  const second = await (await browser.newContext()).newPage();
  await second.goto(used);
  await expect.poll(() => second.getByRole("alert").textContent()).toContain("was already used");
  await second.goto(await newLink());
  await second.locator(".connection.live").waitFor();
});

it.each([
  [1440, 900, 125],
  [390, 844, 185],
])("at %i × %i px the content of a session starts after at most %i px", async (width, height, most) => {
  const other = await page.context().newPage();
  await other.setViewportSize({ width, height });
  await other.goto(new URL("/s/session-worked", page.url()).href);
  await other.locator(".session-header .facts").waitFor();
  const top = (await other.locator(".session-header").boundingBox())!.y;
  const tabs = (await other.getByRole("tablist").boundingBox())!;
  expect(tabs.y + tabs.height - top).toBeLessThanOrEqual(most);
  expect(await other.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  await other.close();
});

it("shows the key of a tab only while the tab is pointed at or has the focus", async () => {
  await page.goto(new URL("/s/session-worked", page.url()).href);
  const [first, files] = [page.getByRole("tab").first(), page.getByRole("tab", { name: "Files" })];
  await files.waitFor();
  expect(await files.locator(".key-hint").isVisible()).toBe(false);
  await files.hover();
  expect(await files.locator(".key-hint").isVisible()).toBe(true);
  await first.hover();
  expect(await files.locator(".key-hint").isVisible()).toBe(false);
  await files.click();
  expect(new URL(page.url()).search).toBe("?tab=files");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.getByRole("tab", { selected: true }).innerText()).toContain("Cost");
});

it("does not claim that no file changed where a command ran", async () => {
  const bash = { tool_name: "Bash", tool_use_id: "b1", tool_input: { command: "npm run format" } };
  await tell("ran", [
    { hook_event_name: "PreToolUse", ...bash },
    { hook_event_name: "PostToolUse", ...bash, tool_response: { stdout: "ok" } },
  ]);
  await hookline.settle();
  const filesOf = async (name: string) => {
    await page.goto(new URL(`/s/session-${name}?tab=files`, page.url()).href);
    return page.getByRole("tabpanel");
  };
  const ran = await filesOf("ran");
  await ran.getByText("Commands may have changed other files.").waitFor();
  expect(await ran.textContent()).not.toContain("No files changed");
  await (await filesOf("worked")).getByText("No files changed.").waitFor();
});
