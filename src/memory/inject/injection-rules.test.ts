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
const noSwitches = parseSwitches(undefined);
const rules: InjectionRules = { memory, switches: noSwitches, isOff: () => false, isRecorded: () => true };
const target: InjectionTarget = { kind: "prompt", project: "/srv/shop", sessionId: "s1" };

describe("checkInjection", () => {
  it("allows prompts and digests by default, but not files, and nothing without a project", () => {
    expect(checkInjection(rules, target)).toEqual({ type: "yes" });
    expect(checkInjection(rules, { ...target, kind: "startup", sessionId: null })).toEqual({ type: "yes" });
    expect(checkInjection(rules, { ...target, kind: "file" })).toEqual({
      type: "no",
      why: "memory.inject.file is false",
    });
    expect(checkInjection(rules, { ...target, project: null })).toEqual({
      type: "no",
      why: "the session has no project",
    });
  });

  it("denies a project that the configuration turns off", () => {
    expect(checkInjection({ ...rules, isOff: (folder) => folder === "/srv/shop" }, target)).toEqual({
      type: "no",
      why: "memory.off names the project",
    });
  });

  it("denies a project that is not recorded", () => {
    expect(checkInjection({ ...rules, isRecorded: (folder) => folder !== "/srv/shop" }, target)).toEqual({
      type: "no",
      why: "the project is not recorded now",
    });
  });

  it.each([
    [{ project: "/srv/shop" }, "the project is switched off"],
    [{ project: "/srv" }, "the project is switched off"],
    [{ project: "/" }, "the project is switched off"],
    [{ session: "s1" }, "the session is switched off"],
    [{ kind: "prompt" }, "prompt is switched off"],
  ] as const)("denies while %j is switched off", (change, why) => {
    const off = changeSwitches(noSwitches, change, "off");
    expect(checkInjection({ ...rules, switches: off }, target)).toEqual({ type: "no", why });
    expect(changeSwitches(off, change, "off")).toEqual(off);
    expect(changeSwitches(off, change, "on")).toEqual(noSwitches);
  });

  it("ignores switches of other targets", () => {
    const elsewhere = [
      { project: "/srv/sho" },
      { project: "/srv/shop/part" },
      { session: "s2" },
      { kind: "file" },
    ] as const;
    const switches = elsewhere.reduce((all, change) => changeSwitches(all, change, "off"), noSwitches);
    expect(checkInjection({ ...rules, switches }, target)).toEqual({ type: "yes" });
    expect(changeSwitches(switches, { project: "/srv" }, "on").projects).toEqual([]);
  });
});

describe("parseSwitches", () => {
  it("reads what formatSwitches wrote", () => {
    const switches = changeSwitches(
      changeSwitches(noSwitches, { project: "/a b" }, "off"),
      { kind: "compact" },
      "off",
    );
    expect(parseSwitches(formatSwitches(switches))).toEqual(switches);
    expect(parseSwitches("{}")).toEqual(noSwitches);
  });

  it("switches everything off when the file is unreadable", () => {
    for (const text of ["", "{", "[]", '{"kinds":["dreams"]}', '{"projects":"/srv"}'])
      expect(checkInjection({ ...rules, switches: parseSwitches(text) }, target), text).toMatchObject({
        type: "no",
      });
  });
});
