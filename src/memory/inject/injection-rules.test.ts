import { describe, expect, it } from "vitest";
import { Config } from "../../config.ts";
import {
  changeSwitches,
  checkInjection,
  formatSwitches,
  type InjectionRules,
  type InjectionTarget,
  parseSwitches,
} from "./injection-rules.ts";

const { memory } = Config.parse({});
const none = parseSwitches(undefined);
const rules: InjectionRules = { memory, switches: none, isOff: () => false, isRecorded: () => true };
const asker: InjectionTarget = { kind: "prompt", project: "/srv/shop", sessionId: "s1" };

describe("a session may be given something", () => {
  it("by default, but not what is known of files, and not without a project", () => {
    expect(checkInjection(rules, asker)).toEqual({ type: "yes" });
    expect(checkInjection(rules, { ...asker, kind: "startup", sessionId: null })).toEqual({ type: "yes" });
    expect(checkInjection(rules, { ...asker, kind: "file" })).toEqual({
      type: "no",
      why: "memory.inject.file is false",
    });
    expect(checkInjection(rules, { ...asker, project: null })).toEqual({
      type: "no",
      why: "the session has no project",
    });
  });

  it("unless its project is off by the configuration", () => {
    expect(checkInjection({ ...rules, isOff: (folder) => folder === "/srv/shop" }, asker)).toEqual({
      type: "no",
      why: "memory.off names the project",
    });
  });

  it("unless nothing of its project is recorded", () => {
    expect(checkInjection({ ...rules, isRecorded: (folder) => folder !== "/srv/shop" }, asker)).toEqual({
      type: "no",
      why: "nothing of the project is recorded now",
    });
  });

  it.each([
    [{ project: "/srv/shop" }, "the project is switched off"],
    [{ project: "/srv" }, "the project is switched off"],
    [{ project: "/" }, "the project is switched off"],
    [{ session: "s1" }, "the session is switched off"],
    [{ kind: "prompt" }, "prompt is switched off"],
  ] as const)("unless %j is switched off, until it is on again", (what, why) => {
    const off = changeSwitches(none, what, "off");
    expect(checkInjection({ ...rules, switches: off }, asker)).toEqual({ type: "no", why });
    expect(changeSwitches(off, what, "off")).toEqual(off);
    expect(changeSwitches(off, what, "on")).toEqual(none);
  });

  it("whatever is switched off elsewhere", () => {
    const elsewhere = [
      { project: "/srv/sho" },
      { project: "/srv/shop/part" },
      { session: "s2" },
      { kind: "file" },
    ] as const;
    const switches = elsewhere.reduce((all, what) => changeSwitches(all, what, "off"), none);
    expect(checkInjection({ ...rules, switches }, asker)).toEqual({ type: "yes" });
    expect(changeSwitches(switches, { project: "/srv" }, "on").projects).toEqual([]);
  });
});

describe("the file of switches", () => {
  it("is read as it was written", () => {
    const switches = changeSwitches(
      changeSwitches(none, { project: "/a b" }, "off"),
      { kind: "compact" },
      "off",
    );
    expect(parseSwitches(formatSwitches(switches))).toEqual(switches);
    expect(parseSwitches("{}")).toEqual(none);
  });

  it("switches everything off when it cannot be read", () => {
    for (const text of ["", "{", "[]", '{"kinds":["dreams"]}', '{"projects":"/srv"}'])
      expect(checkInjection({ ...rules, switches: parseSwitches(text) }, asker), text).toMatchObject({
        type: "no",
      });
  });
});
