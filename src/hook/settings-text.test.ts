import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { type HookEntries, hookEntries, recordCommand } from "./commands.ts";
import { parseJsonTree } from "./json-tree.ts";
import { addHooks, removeHooks } from "./settings-text.ts";

const file = "/home/dev/.claude/settings.json";
const add = (text: string, entries: HookEntries = hookEntries(claude)) => addHooks(text, entries, file);
const ourGroups = hookEntries(claude);
const theirs = { hooks: [{ type: "command", command: "notify-send done" }] };

/** A small set keeps the texts of the examples readable. */
const two: HookEntries = {
  Stop: [{ hooks: [{ type: "command", command: recordCommand(claude), timeout: 5 }] }],
  SessionEnd: [{ hooks: [{ type: "command", command: recordCommand(claude), timeout: 5 }] }],
};

describe("adding", () => {
  it("creates a file of two-space JSON", () => {
    const { text, added } = add("");
    expect(text).toBe(`${JSON.stringify({ hooks: ourGroups }, null, 2)}\n`);
    expect(added).toBe(34);
  });

  it("appends with the file's own indentation and newlines, and leaves the rest unchanged", () => {
    const before = `{\r\n\t"model" :  "opus",\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t${JSON.stringify(theirs)}\r\n\t\t]\r\n\t}\r\n}`;
    const { text } = add(before, { Stop: two["Stop"]! });
    const ours = JSON.stringify(two["Stop"]![0], null, "\t").replaceAll("\n", "\r\n\t\t\t");
    expect(text).toBe(before.replace("\r\n\t\t]", () => `,\r\n\t\t\t${ours}\r\n\t\t]`));
  });

  it("keeps a one-line file on one line", () => {
    expect(add(`{"a":1.0,"hooks":{"Stop":[]}}`, two).text).toBe(
      `{"a":1.0,"hooks":{"Stop":[${JSON.stringify(two["Stop"]![0])}],"SessionEnd":${JSON.stringify(two["SessionEnd"])}}}`,
    );
  });

  it("keeps a byte order mark, escapes, big numbers, odd spacing and repeated keys", () => {
    const before = `\ufeff{ "n": 12345678901234567890.10e+2,\n   "s": "\\u00e9\\/é\u2028",  "n":0 , "hooks" : { "Stop":[ ] } }\n\n`;
    const { text, footprint } = add(before);
    for (const part of [
      "\ufeff{",
      `12345678901234567890.10e+2,\n   "s": "\\u00e9\\/é\u2028",  "n":0 ,`,
      "}\n\n",
    ]) {
      expect(text).toContain(part);
    }
    expect(removeHooks(text, file, footprint).text).toBe(before);
  });

  it("changes nothing the second time", () => {
    const first = add(`{\n    "hooks": {}\n}\n`);
    const second = addHooks(first.text, hookEntries(claude), file, first.footprint);
    expect(second).toEqual({
      text: first.text,
      added: 0,
      updated: 0,
      removed: 0,
      hadOurs: true,
      footprint: first.footprint,
    });
  });

  it("updates an older command in place and keeps the user's timeout", () => {
    const old = ": hookline record 0; cat >/tmp/x";
    const stop = (command: string) =>
      `{\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"timeout": 2, "command": ${JSON.stringify(command)}, "type": "command"}]},\n      ${JSON.stringify(theirs)}\n    ]\n  }\n}`;
    const { text, updated } = add(stop(old), { Stop: two["Stop"]! });
    expect(updated).toBe(1);
    expect(text).toBe(stop(recordCommand(claude)));
  });

  it("removes unwanted and duplicate handlers of ours, even after an updated one", () => {
    const ourGroup = (version: number) => ({
      hooks: [{ type: "command", command: `: hookline record ${version}; old`, timeout: 5 }],
    });
    const before = { hooks: { MessageDisplay: [ourGroup(0)], Stop: [ourGroup(0), theirs, ourGroup(1)] } };
    const { text, updated, removed } = add(JSON.stringify(before, null, 2), { Stop: two["Stop"]! });
    expect({ updated, removed }).toEqual({ updated: 1, removed: 2 });
    expect(text).toBe(JSON.stringify({ hooks: { Stop: [two["Stop"]![0], theirs] } }, null, 2));
  });

  it("installs under the effective key if a key occurs twice", () => {
    const { text } = add(`{"hooks":{"Stop":[1]},"hooks":{}}`);
    expect(JSON.parse(text)).toEqual({ hooks: ourGroups });
    expect(text).toContain(`{"hooks":{"Stop":[1]},`);
  });
});

describe("removing", () => {
  it("restores any settings byte for byte", () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const { text: installed, footprint } = add(text);
        expect(removeHooks(installed, file, footprint).text).toBe(text);
        for (const [event, groups] of Object.entries(ourGroups)) {
          const all = JSON.parse(installed.replace(/^\ufeff/, "")).hooks[event] as unknown[];
          expect(all.slice(-groups.length)).toEqual(groups);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("restores them without the footprint, too, unless a container was empty before", () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const { text: installed, footprint } = add(text);
        fc.pre(footprint.blank === undefined && Object.keys(footprint.emptied).length === 0);
        expect(removeHooks(installed, file).text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("removes exactly ours after another program rewrote the file and added its own", () => {
    fc.assert(
      fc.property(
        settingsText,
        fc.nat(),
        fc.boolean(),
        fc.constantFrom(undefined, 2, "\t"),
        (text, at, first, indent) => {
          const { text: installed, footprint } = add(text);
          const rewrite = (source: string) => {
            const value = JSON.parse(source.replace(/^\ufeff/, "") || "{}");
            value.zz = "added";
            const event = Object.keys(ourGroups)[at % Object.keys(ourGroups).length]!;
            value.hooks ??= {};
            value.hooks[event] ??= [];
            value.hooks[event][first ? "unshift" : "push"](theirs);
            return value;
          };
          const edited = JSON.stringify(rewrite(installed), null, indent);
          const rest = removeHooks(edited, file, footprint).text;
          expect(JSON.parse(rest)).toEqual(rewrite(text.trim() === "" ? "{}" : text));
          expect(removeHooks(rest, file).text).toBe(rest);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("keeps another handler in a shared group, and a group with other keys", () => {
    const ours = two["Stop"]![0]!.hooks[0];
    const note = "mine";
    const before = { hooks: { Stop: [{ hooks: [ours, theirs.hooks[0], ours] }, { note, hooks: [ours] }] } };
    const after = { hooks: { Stop: [{ hooks: theirs.hooks }, { note, hooks: [] }] } };
    expect(removeHooks(JSON.stringify(before, null, 2), file).text).toBe(JSON.stringify(after, null, 2));
  });

  it("leaves a file without our handlers unchanged, whatever its shape", () => {
    for (const text of [
      "",
      " \n",
      "[]",
      `{"hooks": "off"}`,
      `{"hooks":{"Stop":{}}}`,
      `{"hooks":{"Stop":[{"hooks":[]}]}}`,
    ]) {
      expect(removeHooks(text, file)).toMatchObject({ text, removed: 0 });
    }
  });
});

describe("bad settings", () => {
  it.each([
    ['{\n  "a": 1,\n}', "3:1"],
    ["{\n  // note\n}", "2:3"],
    ["{\"a\":\r\n 'x'}", "2:2"],
    ['\ufeff{"a" 1}', "1:6"],
    ['{"é😀": tru}', "1:8"],
    ["{}{}", "1:3"],
    ['{"a": [1', "1:9"],
  ])("%j is rejected with its position", (text, position) => {
    for (const act of [() => add(text), () => removeHooks(text, file)]) {
      expect(act).toThrow(expect.objectContaining({ code: "settings_invalid" }));
      expect(act).toThrow(`${file}:${position} `);
    }
  });

  it.each(["[]", "3", `{"hooks":[]}`, `{"hooks":"x"}`, `{"hooks":null}`, `{"hooks":{"Stop":{}}}`])(
    "%s is rejected for its shape",
    (text) => {
      expect(() => add(text)).toThrow(expect.objectContaining({ code: "settings_shape" }));
    },
  );

  it("are the texts that JSON.parse rejects", () => {
    const mutated = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom("", ",", "}", "\\", "\u0001", "-", "0", '"', "\n"),
      )
      .map(
        ([text, at, piece]) =>
          text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
      );
    const accepts = (parse: () => unknown) => {
      try {
        parse();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.oneof(mutated, fc.json(), fc.string()), (text) => {
        expect(accepts(() => parseJsonTree(text, file))).toBe(accepts(() => JSON.parse(text)));
      }),
      { numRuns: 3000 },
    );
  });

  it("are rejected without a crash if nested too deeply", () => {
    expect(() => add(`{"a":${"[".repeat(100_000)}`)).toThrow(
      expect.objectContaining({ code: "settings_invalid" }),
    );
  });
});

/** Valid settings in every style: indents, newlines, byte order marks, loose spacing, user hooks. */
const settingsText: fc.Arbitrary<string> = fc
  .record({
    rest: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    hooks: fc.option(
      fc.dictionary(
        fc.constantFrom("Stop", "SessionStart", "PreToolUse", "WorktreeCreate"),
        fc.array(
          fc.oneof(
            fc.constant(theirs),
            fc.record({ matcher: fc.string(), hooks: fc.constant(theirs.hooks) }),
          ),
          {
            maxLength: 2,
          },
        ),
      ),
      { nil: undefined },
    ),
    hooksFirst: fc.boolean(),
    indent: fc.constantFrom("", "  ", "    ", "\t"),
    newline: fc.constantFrom("\n", "\r\n"),
    bom: fc.constantFrom("", "\ufeff"),
    end: fc.constantFrom("", "\n", " \n\n"),
    loose: fc.array(fc.constantFrom(" ", "\n", "\t", "\r\n "), { maxLength: 12 }),
    blank: fc.boolean(),
  })
  .map(({ rest, hooks, hooksFirst, indent, newline, bom, end, loose, blank }) => {
    if (blank && !hooks && loose.length > 10) return bom + end;
    const { hooks: _, ...others } = rest;
    const value = hooksFirst ? { hooks, ...others } : { ...others, hooks };
    const text = JSON.stringify(value, null, indent).replaceAll("\n", newline);
    return bom + loosen(text, loose) + end;
  });

/** Inserts white space beside structural characters outside strings. */
function loosen(text: string, spaces: readonly string[]): string {
  let next = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) =>
    token.startsWith('"') || next >= spaces.length ? token : `${token}${spaces[next++]}`,
  );
}
