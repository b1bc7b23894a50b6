import { afterAll, beforeAll, expect, it } from "vitest";
import { type Hookline, openHookline as openHome } from "../support/hookline.ts";

let hookline: Hookline;

beforeAll(async () => {
  hookline = openHome();
  await hookline.start();
});
afterAll(() => hookline?.close());

const said = async (...args: string[]): Promise<string> => (await hookline.run(...args)).stdout.trim();
const paused = async () => (await hookline.status()).pauses.map(({ project }) => project);

it("ends the pause it names, and says what is still paused", async () => {
  expect(await said("pause", "--end")).toBe("Recording was not paused.");
  // The folder that the command runs in is the project.
  expect(await said("pause", "--project")).toMatch(/^Recording paused in .+ until `hookline pause --end`\.$/);
  expect(await paused()).toEqual([expect.any(String)]);
  expect(await said("pause", "--end")).toMatch(/^Recording resumed in .+\.$/);
  expect(await paused()).toEqual([]);

  await said("pause");
  expect(await said("pause", "--end", "--project")).toMatch(
    /^Recording in .+ was not paused\.\nRecording is paused until `hookline pause --end`\.$/,
  );
  expect(await paused()).toEqual([null]);
  await said("pause", "--project");
  expect(await said("pause", "--end", "--project")).toMatch(
    /^Recording resumed in .+\.\nRecording is paused until/,
  );
  expect(await said("pause", "--end")).toBe("Recording resumed.");
  expect(await paused()).toEqual([]);
});

it("is shown by status, its JSON and top, with its project and its end, with and without a daemon", async () => {
  await said("pause", "--project", "30m");
  const sentence = /Recording in .+ is paused until \d\d:\d\d\./;
  expect(await said("status")).toMatch(sentence);
  expect(await said("top", "--once")).toMatch(sentence);
  expect(JSON.parse(await said("status", "--json"))).toMatchObject({
    recording: true,
    pauses: [{ project: expect.any(String), until: expect.any(String) }],
  });
  await said("pause");
  expect(await said("status")).toContain("Recording is paused until `hookline pause --end`.");
  expect(await said("status")).not.toContain("no spool folder");
  expect(JSON.parse(await said("status", "--json"))).toMatchObject({ recording: false });
  await said("down");
  expect(await said("status")).toContain("Recording is paused until `hookline pause --end`.");
});
