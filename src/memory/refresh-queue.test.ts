import { expect, it } from "vitest";
import { createRefreshQueue } from "./refresh-queue.ts";

it("refreshes each due project, and nothing after it was closed", async () => {
  const refreshed: string[] = [];
  const queue = createRefreshQueue({
    refresh: async (project) => void refreshed.push(project),
    onError: (error) => expect.unreachable(String(error)),
  });
  queue.add(["/a", "/b", "/a", "/c"]);
  await queue.settle();
  expect(refreshed).toEqual(["/a", "/b", "/c"]);
  await queue.close();
  queue.add(["/d"]);
  await queue.settle();
  expect(refreshed).toEqual(["/a", "/b", "/c"]);
});
