import { describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "./app.ts";
import { createListMemory, itemOf } from "./memory-ports.testing.ts";
import { SearchQuery } from "./memory-queries.ts";

const cart = itemOf(1, { title: "Cart total was wrong", success: false });
const items = [
  cart,
  itemOf(2, {
    title: "Fixed the cart's total",
    content: { ...cart.content, type: "fix", title: "Fixed the cart's total" },
  }),
  itemOf(3, { title: "Read the plans", sessionId: "s2", project: "/home/dev/other/blog" }),
  itemOf(4, { title: "More plans", sessionId: "s3", project: "/srv/blog" }),
];

function open() {
  const memory = createListMemory(items, [
    {
      sessionId: "s1",
      project: "/home/dev/acme-shop",
      kind: "prompt",
      atIso: "2026-11-14T09:00:00.000Z",
      tokens: 9,
      items: [],
    },
  ]);
  const app = createApp({ version: "1", memory } as AppPorts, {
    token: "t",
    via: "socket",
    port: () => null,
  });
  return async (path: string, body?: unknown) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await app.request(path, body === undefined ? {} : { method: "POST", body: text });
    const answer = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(answer) : answer };
  };
}

describe("search", () => {
  it("finds by words and filters", async () => {
    const ask = open();
    expect((await ask("/api/search?q=cart")).body.hits).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect((await ask("/api/search?q=cart&type=fix")).body.hits).toMatchObject([{ id: 2 }]);
    expect((await ask("/api/search?q=cart&success=false")).body.hits).toMatchObject([{ id: 1 }]);
    expect((await ask("/api/search?q=plans&project=other/blog")).body.hits).toMatchObject([{ id: 3 }]);
    expect((await ask("/api/search?q=cart&since=2026-11-14T09:02:00Z")).body.hits).toMatchObject([{ id: 2 }]);
    expect((await ask("/api/search?q=cart&limit=1")).body.hits).toHaveLength(1);
  });

  it("needs no query if there is a filter", async () => {
    expect((await open()("/api/search?session=s2")).body.hits).toMatchObject([{ id: 3 }]);
  });

  it.each([
    "",
    "?q=",
    "?limit=5",
    "?q=a&limit=101",
    "?q=a&type=miracle",
    "?q=a&since=yesterday",
    "?q=a&success=maybe",
  ])("refuses %j", async (query) => {
    expect(await open()(`/api/search${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: "query_invalid" } },
    });
  });
});

describe("search", () => {
  it("returns up to 40 hits by default", () => {
    expect(SearchQuery.parse({ q: "a" }).limit).toBe(40);
    expect(SearchQuery.parse({ q: "a", limit: "7" }).limit).toBe(7);
  });
});

describe("timeline", () => {
  it("shows what happened before and after an id, or the best hit of a query", async () => {
    const ask = open();
    expect((await ask("/api/timeline?anchor=2&depth_after=0")).body).toMatchObject({
      anchor: 2,
      entries: [
        { id: 1, isAnchor: false },
        { id: 2, isAnchor: true },
      ],
    });
    expect((await ask("/api/timeline?query=plans&within=project")).body).toMatchObject({ anchor: 3 });
  });

  it("reports an unknown anchor, and requires exactly one", async () => {
    const ask = open();
    expect(await ask("/api/timeline?anchor=99")).toMatchObject({
      status: 404,
      body: { error: { code: "item_unknown" } },
    });
    for (const query of ["", "?anchor=1&query=x", "?anchor=x"])
      expect((await ask(`/api/timeline${query}`)).status).toBe(400);
  });
});

describe("items", () => {
  it("are returned complete, in the requested order, with the missing ids", async () => {
    const { body } = await open()("/api/observations/batch", { ids: [3, 77, 1] });
    expect(body).toMatchObject({
      observations: [{ id: 3 }, { id: 1, tool: { output: "12 passed" } }],
      missing: [77],
    });
  });

  it("are returned one by one, or at most a hundred together", async () => {
    const ask = open();
    expect(await ask("/api/observations/1")).toMatchObject({ status: 200, body: { id: 1 } });
    for (const id of ["99", "x", "-1"]) expect((await ask(`/api/observations/${id}`)).status).toBe(404);
    const tooMany = Array.from({ length: 101 }, (_, id) => id);
    expect((await ask("/api/observations/batch", { ids: tooMany })).status).toBe(400);
    expect((await ask("/api/observations/batch", { ids: [] })).status).toBe(400);
  });

  it("are pinned and edited", async () => {
    const ask = open();
    expect((await ask("/api/observations/1/mark", { pinned: true })).body).toMatchObject({
      id: 1,
      pinned: true,
    });
    expect((await ask("/api/observations/1/mark", { edit: { title: "It rounded" } })).body).toMatchObject({
      content: { title: "It rounded" },
    });
    expect((await ask("/api/observations/99/mark", { pinned: true })).status).toBe(404);
    for (const body of [{}, { edit: { colour: 1 } }, { edit: { title: " " } }])
      expect((await ask("/api/observations/1/mark", body)).status).toBe(400);
  });
});

describe("forgetting", () => {
  it("can be counted with a dry run first", async () => {
    const ask = open();
    const request = { session: "s1", match: "Fixed" };
    expect((await ask("/api/forget", { ...request, dryRun: true })).body).toMatchObject({
      items: 1,
      dryRun: true,
    });
    expect((await ask("/api/observations/2")).status).toBe(200);
    expect((await ask("/api/forget", request)).body).toMatchObject({ items: 1, dryRun: false });
    expect((await ask("/api/observations/2")).status).toBe(404);
  });

  it.each([{}, { dryRun: true }, { match: "" }, { ids: [] }, { everything: true }])(
    "refuses %j, which could mean everything",
    async (request) => {
      expect((await open()("/api/forget", request)).status).toBe(400);
    },
  );
});

describe("export and import", () => {
  it("carry items as lines, even with Unicode line separators in them", async () => {
    const [from, to] = [open(), open()];
    const { body } = await from("/api/export?project=acme-shop");
    expect(body.split("\n")).toHaveLength(3);
    const line = JSON.stringify(itemOf(9, { title: "a\u2028b" }));
    expect((await to("/api/memory/import", `${line}\n\n${JSON.stringify(itemOf(10))}`)).body).toEqual({
      items: 2,
      skipped: 0,
      badLines: 0,
      bad: [],
    });
    expect((await to("/api/observations/9")).body).toMatchObject({ content: { title: "a\u2028b" } });
    expect((await to("/api/import/claude-mem", { path: "/x.db" })).body).toMatchObject({ summaries: 4 });
    expect((await to("/api/import/claude-mem", {})).status).toBe(400);
  });
});

describe("context", () => {
  it("is returned as plain text by project name, with and without /api", async () => {
    const ask = open();
    for (const path of ["/api/context/inject", "/context/inject"]) {
      const { status, body } = await ask(`${path}?project=acme-shop`);
      expect([status, body]).toEqual([200, "<hookline-context>\n/home/dev/acme-shop\n</hookline-context>"]);
    }
    expect(await ask("/api/context/inject?project=nobody")).toEqual({ status: 200, body: "" });
    expect((await ask("/api/context/inject")).status).toBe(400);
  });

  it("refuses an ambiguous project name, with the choices", async () => {
    expect(await open()("/api/context/inject?project=blog")).toMatchObject({
      status: 409,
      body: { error: { code: "project_ambiguous", issues: ["/home/dev/other/blog", "/srv/blog"] } },
    });
  });

  it("is shown with its reasons, as a preview and afterwards", async () => {
    const ask = open();
    expect((await ask("/api/context/preview?project=acme-shop")).body).toMatchObject({
      kind: "startup",
      items: [{ id: 1, why: "recent" }, { id: 2 }],
      off: null,
    });
    expect((await ask("/api/context/preview?project=nobody")).body).toMatchObject({
      error: { code: "project_unknown", message: "project nobody not found; did you mean acme-shop?" },
    });
    expect((await ask("/api/context?session=s1")).body).toMatchObject({ injections: [{ kind: "prompt" }] });
    expect((await ask("/api/context/switch", { on: false, project: "/home/dev/acme-shop" })).body).toEqual({
      projects: ["/home/dev/acme-shop"],
      sessions: [],
      kinds: [],
    });
    for (const body of [
      { on: false },
      { on: false, project: "acme-shop" },
      { on: true, kind: "prompt", session: "s" },
    ])
      expect((await ask("/api/context/switch", body)).status).toBe(400);
    expect((await ask("/api/context/preview?project=acme-shop")).body.off).toBe(
      "the project is switched off",
    );
  });

  it("answers hooks with their output, or with no content", async () => {
    const ask = open();
    expect(await ask("/api/ask/prompt", { prompt: "why?" })).toMatchObject({
      status: 200,
      body: { hookSpecificOutput: {} },
    });
    expect(await ask("/api/ask/prompt", { prompt: "nothing" })).toEqual({ status: 204, body: "" });
    expect(await ask("/api/ask/file", {})).toEqual({ status: 204, body: "" });
    expect((await ask("/api/ask/prompt", "{")).status).toBe(400);
  });
});

it("does not serve memory routes without memory", async () => {
  const app = createApp({ version: "1" } as AppPorts, { token: "t", via: "socket", port: () => null });
  for (const path of ["/api/search?q=a", "/api/sessions", "/context/inject?project=a"])
    expect((await app.request(path)).status).toBe(404);
});

it("limits bodies to 16 MB, except item imports", async () => {
  const ask = open();
  const long = "x".repeat(16 * 1024 * 1024 + 1);
  expect(await ask("/api/ask/prompt", { prompt: long })).toMatchObject({
    status: 413,
    body: { error: { code: "body_too_large" } },
  });
  const line = `${JSON.stringify(items[0])}${" ".repeat(16 * 1024 * 1024)}\n`;
  expect(await ask("/api/memory/import", line)).toMatchObject({ status: 200, body: { items: 1 } });
});
