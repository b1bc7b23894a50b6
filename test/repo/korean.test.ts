import { describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { RECIPES } from "../../src/policy/recipes/recipes.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { en } from "../../src/web/i18n/en.ts";
import { ko } from "../../src/web/i18n/ko.ts";
import { koSentences } from "../../src/web/i18n/sentences/ko.ts";
import { createTranslator } from "../../src/web/i18n/sentences/translate.ts";
import { EVERYDAY_COMMANDS } from "../policy/everyday-commands.ts";
import { REQUESTS } from "../policy/requests.ts";
import { openScratchWorld } from "../policy/scratch-world.ts";
import { argumentOf, namedValue, returnOf, sentencesOf } from "./source-sentences.ts";

const translate = createTranslator(koSentences);

const slotsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

describe("a page in Korean", () => {
  it("has the placeholders of the English text in every string", () => {
    const pairs: [string, string][] = [];
    const walk = (english: unknown, korean: unknown): void => {
      if (typeof english === "string") pairs.push([english, korean as string]);
      else
        for (const [key, inner] of Object.entries(english as object))
          walk(inner, (korean as Record<string, unknown>)[key]);
    };
    walk(en, ko);
    expect(pairs.length).toBeGreaterThan(500);
    const names = (text: string): string => [...new Set(slotsOf(text))].sort().join(" ");
    expect(pairs.filter(([english, korean]) => names(english) !== names(korean))).toEqual([]);
  });

  it("has the placeholders of the English template in every sentence of the daemon, and no template twice", () => {
    expect(koSentences.length).toBeGreaterThan(300);
    const wrong = koSentences.filter(
      ([english, korean]) => slotsOf(english).sort().join(" ") !== slotsOf(korean).sort().join(" "),
    );
    expect(wrong).toEqual([]);
    expect(new Set(koSentences.map(([english]) => english)).size).toBe(koSentences.length);
  });

  it("leaves no English in a sentence that policy, monitor or control can make", () => {
    const sentences = [
      ...sentencesOf("src/policy", argumentOf(["ask", "deny"], 1)),
      ...sentencesOf("src/policy", argumentOf(["allow"], 2)),
      ...sentencesOf("src/monitor", namedValue(["why"])),
      ...sentencesOf("src/monitor", returnOf(["whyWaiting", "whyBusy", "endText"])),
      ...sentencesOf("src/control/terminal", returnOf(["whyNotPending"])),
      ...sentencesOf("src/control", namedValue(["message"])).filter(({ place }) =>
        place.endsWith("find-claude.ts"),
      ),
    ];
    expect(sentences.length).toBeGreaterThan(120);
    const left = sentences.filter(({ text }) => !(text in COMPOSED) && englishIn(translate(text)) !== "");
    expect(left).toEqual([]);
    for (const [template, examples] of Object.entries(COMPOSED)) {
      expect(sentences.map(({ text }) => text)).toContain(template);
      for (const example of examples) expect([example, englishIn(translate(example))]).toEqual([example, ""]);
    }
  });

  it("shows every verdict of the policy's tables in Korean", () => {
    const scratch = openScratchWorld();
    const reasons = new Set<string>();
    const requests = [
      ...Object.values(EVERYDAY_COMMANDS)
        .flat()
        .map((command) => ({ toolName: "Bash", toolInput: { command } })),
      ...REQUESTS.flatMap((group) => group.requests).map((request) => {
        const { tool_name, tool_input } = scratch.fill(request);
        return { toolName: tool_name, toolInput: tool_input };
      }),
    ];
    try {
      for (const mode of ["default", "dontAsk"] as const)
        for (const request of requests)
          reasons.add(decide(EMPTY_POLICY, { ...request, mode, cwd: scratch.ws }, scratch.world).reason);
    } finally {
      scratch.close();
    }
    expect(reasons.size).toBeGreaterThan(200);
    expect([...reasons].filter((reason) => !/[가-힣]/.test(translate(reason)))).toEqual([]);
  }, 120_000);

  it("shows every check of doctor in Korean", () => {
    const sentences = sentencesOf("src/doctor", namedValue(["found", "remedy"])).filter(({ text }) =>
      text.endsWith("."),
    );
    expect(sentences.length).toBeGreaterThan(120);
    const left = sentences.filter(({ text }) => translate(text) === text).map(({ text }) => text);
    // Each has a part that is made elsewhere, and is in the catalogue with it.
    expect(left.sort()).toEqual([...DOCTOR_PARTS].sort());
  });

  it("shows every recipe in Korean", () => {
    const texts = RECIPES.flatMap(({ description, needs, options }) => [
      description,
      ...(needs === null ? [] : [needs]),
      ...Object.values(options).map((option) => option.description),
    ]);
    expect(texts.length).toBeGreaterThan(30);
    const known = new Set(koSentences.map(([english]) => english));
    expect(texts.filter((text) => !known.has(text))).toEqual([]);
  });
});

const DOCTOR_PARTS: readonly string[] = [
  "⟦1⟧ of an unknown agent used ⟦2⟧'s hooks in the last ⟦3⟧ days, last at ⟦4⟧. They are recorded as unknown⟦5⟧.",
  "⟦1⟧ is ⟦2⟧.",
  "⟦1⟧ is ⟦2⟧.",
  "⟦1⟧ in ⟦2⟧.",
  "⟦1⟧, although the daemon is running.",
  "⟦2⟧, and the daemon is not running.",
  "⟦1⟧; except processes that had already detached.",
];

/** Sentences with a part that is made elsewhere, each with what it can be. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  "⟦1⟧ would ⟦2⟧ ⟦3⟧. Always blocked.": ["`rm -rf /` would delete ⟦1⟧. Always blocked."],
  "⟦1⟧ would ⟦2⟧ ⟦3⟧, which is shared beyond this project.": [
    "`mv /usr/x y` would move ⟦1⟧, which is shared beyond this project.",
  ],
  "⟦1⟧ would ⟦2⟧ the whole workspace.": ["`git clean -fdx` would clean up the whole workspace."],
  "Turn failed (⟦1⟧)⟦2⟧": ["Turn failed (⟦1⟧): ⟦2⟧", "Turn failed (unknown error)"],
  "The request was lost⟦1⟧. You can ask it again.": [
    "The request was lost. You can ask it again.",
    "The request was lost: ⟦1⟧. You can ask it again.",
  ],
  "Asks⟦1⟧": ["Asks: ⟦1⟧", "Asks a question"],
  "Subagent asks⟦1⟧": ["Subagent asks: ⟦1⟧", "Subagent asks a question"],
  "⟦1⟧ approval for a plan⟦2⟧": [
    "Wants approval for a plan",
    "Wants approval for a plan: ⟦1⟧",
    "Subagent wants approval for a plan: ⟦1⟧",
  ],
  "⟦1⟧ to run ⟦2⟧⟦3⟧": [
    "Wants to run ⟦1⟧: ⟦2⟧",
    "Wants to run a tool",
    "Subagent wants to run ⟦1⟧: ⟦2⟧",
    "Subagent wants to run a tool",
  ],
};

/** English words besides names, commands in backticks and values. */
function englishIn(text: string): string {
  return text
    .replace(/`[^`]*`|⟦\d+⟧/g, "")
    .replace(NAMES, "")
    .replace(/[^A-Za-z]+/g, " ")
    .trim();
}

const NAMES =
  /Hookline|PowerShell|Claude Code|claude\.ai|API|Agent SDK|init|\brm\b|\bKB\b|\bms\b|PATH|ANTHROPIC_API_KEY|control\.claude|billing|subscription|npm/g;
