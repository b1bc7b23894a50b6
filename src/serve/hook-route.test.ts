import { describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "./app.ts";

describe("a hook over HTTP", () => {
  const received: (readonly [string, object])[] = [];
  const hooks: NonNullable<AppPorts["hooks"]> = {
    async hook(agent, event, body) {
      if (agent !== "claude") return { stored: false, error: `no agent ${agent} is known` };
      received.push([event, body]);
      return { stored: true, event_id: "e1" };
    },
  };
  const app = createApp({ version: "1", hooks } as AppPorts, { token: "t", via: "socket", port: () => null });
  const post = async (path: string, body: string) => {
    const response = await app.request(path, { method: "POST", body });
    return { status: response.status, body: await response.json() };
  };

  it("answers whether and as what it was stored", async () => {
    expect(await post("/hook/claude/Stop", '{"session_id":"s"}')).toEqual({
      status: 200,
      body: { stored: true, event_id: "e1" },
    });
    expect(received.at(-1)).toEqual(["Stop", { session_id: "s" }]);
    expect(await post("/hook/parrot/Stop", "{}")).toEqual({
      status: 200,
      body: { stored: false, error: "no agent parrot is known" },
    });
  });

  it("refuses a body that is not an object", async () => {
    for (const body of ["", "[]", "{"]) expect((await post("/hook/claude/Stop", body)).status).toBe(400);
  });
});
