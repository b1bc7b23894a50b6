import { expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { logFile } from "../config.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { type Check, diagnose } from "./check.ts";
import { createCheckContext, type DoctorPorts } from "./check-context.ts";

const ports: DoctorPorts = {
  openLog: (home, config) => openFileLogReader(logFile(home, config)),
  openStore: async ({ db }) => openSqliteStore(db, { readOnly: true }),
  startDaemon: async () => undefined,
};

const open = () =>
  createCheckContext({
    agent: claude,
    env: { HOME: "/nonexistent" },
    cwd: "/",
    fixing: false,
    launch: { nodePath: "/node", entry: "/entry" },
    ports,
  });

const problem = { status: "fail", found: "It is off.", remedy: "Switch it on." } as const;

it("returns the findings in order, and repairs nothing without `fix`", async () => {
  const checks: Check[] = [
    { code: "a", run: () => ({ status: "ok", found: "Fine." }) },
    {
      code: "b",
      run: () => ({
        ...problem,
        fix: () => {
          throw new Error("must not run");
        },
      }),
    },
  ];
  expect(await diagnose(checks, open, { fix: false })).toEqual({
    checks: [
      { code: "a", status: "ok", found: "Fine.", remedy: null, fixable: false },
      { code: "b", status: "fail", found: "It is off.", remedy: "Switch it on.", fixable: true },
    ],
    fixed: [],
  });
});

it("repairs what it can, reports it, and checks again", async () => {
  let isOn = false;
  const run = () =>
    isOn
      ? ({ status: "ok", found: "It is on." } as const)
      : {
          ...problem,
          fix: () => {
            isOn = true;
            return "Switched it on.";
          },
        };
  const { checks, fixed } = await diagnose([{ code: "a", run }], open, { fix: true });
  expect(fixed).toEqual([{ code: "a", did: "Switched it on." }]);
  expect(checks).toMatchObject([{ status: "ok", fixable: false }]);
});

it("reports why a repair failed, and continues with the next", async () => {
  const failing: Check = {
    code: "a",
    run: () => ({ ...problem, fix: () => Promise.reject(new Error("it is welded")) }),
  };
  const working: Check = { code: "b", run: () => ({ ...problem, fix: () => "Did it." }) };
  const { checks, fixed } = await diagnose([failing, working], open, { fix: true });
  expect(checks[0]).toMatchObject({ status: "fail", found: "It is off. The repair failed: it is welded." });
  expect(fixed).toEqual([{ code: "b", did: "Did it." }]);
});

it("turns a check that throws or never ends into a failure", async () => {
  const checks: Check[] = [
    {
      code: "a",
      run: () => {
        throw new Error("no such thing");
      },
    },
    { code: "b", limitMs: 20, run: () => new Promise(() => undefined) },
    { code: "c", run: () => ({ status: "ok", found: "Still reached." }) },
  ];
  const found = await diagnose(checks, open, { fix: true });
  expect(found.checks).toMatchObject([
    { status: "fail", found: expect.stringContaining("no such thing"), fixable: false },
    { status: "fail", found: expect.stringContaining("timed out after 0.02 s"), fixable: false },
    { status: "ok" },
  ]);
});

it("suggests no command that writes to a home that is not writable", async () => {
  const checks: Check[] = [
    { code: "a", run: () => ({ ...problem, remedy: "Run `hookline up`, which makes it." }) },
    { code: "home_writable", run: () => ({ ...problem, remedy: "Make it writable." }) },
    { code: "b", run: () => ({ ...problem, remedy: "Run `hookline install`." }) },
    { code: "c", run: () => problem },
  ];
  const remedies = async (selected: readonly Check[]) =>
    (await diagnose(selected, open, { fix: false })).checks.map(({ remedy }) => remedy);
  const first = "Fix home_writable first.";
  expect(await remedies(checks)).toEqual([first, "Make it writable.", first, "Switch it on."]);
  expect(await remedies(checks.slice(2))).toEqual(["Run `hookline install`.", "Switch it on."]);
});
