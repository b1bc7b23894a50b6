import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ParsedAnswer, parseAnswer } from "./parse-answer.ts";
import { ANSWER } from "./turn-to-summarise.testing.ts";

function usable(text: string, ids: readonly number[] = [7001, 7002]): ParsedAnswer & { type: "usable" } {
  const parsed = parseAnswer(text, ids);
  if (parsed.type === "unusable") throw new Error(parsed.why);
  return parsed;
}

const NO_PARTS = { request: null, investigated: null, learned: null, completed: null, nextSteps: null };

describe("parseAnswer", () => {
  it("returns the summary, and each observation under its item's id", () => {
    expect(usable(ANSWER)).toEqual({
      type: "usable",
      summary: {
        request: "Round the cart's total",
        investigated: null,
        learned: "Prices are floats",
        completed: "total() rounds to cents",
        nextSteps: null,
      },
      observations: new Map([
        [
          7001,
          {
            type: "fix",
            title: "Cart total is rounded to cents",
            facts: ["total() in cart.ts used raw floats"],
            narrative: "0.1 + 0.2 showed on invoices.",
            concepts: ["rounding"],
          },
        ],
      ]),
    });
  });

  it("finds the answer within prose and a code fence", () => {
    const text = `Sure! Here it is:\n\`\`\`xml\n${ANSWER}\n\`\`\`\nAnything else?`;
    expect(usable(text)).toEqual(usable(ANSWER));
  });

  it("accepts a truncated answer", () => {
    const { observations } = usable(ANSWER.slice(0, ANSWER.indexOf("</narrative>")));
    expect(observations.get(7001)).toMatchObject({ type: "fix", narrative: "0.1 + 0.2 showed on invoices." });
    expect(usable("<summary><request>Half a sent").summary?.request).toBe("Half a sent");
  });

  it("accepts unescaped characters, entities and CDATA", () => {
    const { summary } = usable(
      "<summary><request>if (a < b && c > d) return <div>x</div></request><learned>a &lt; b &amp;&amp; &#65;&#x42; &amp;lt; &nbsp;</learned><completed><![CDATA[<title> & </completed>]]> done</completed></summary>",
    );
    expect(summary).toEqual({
      ...NO_PARTS,
      request: "if (a < b && c > d) return <div>x</div>",
      learned: "a < b && AB &lt; &nbsp;",
      completed: "<title> & </completed> done",
    });
  });

  it("ends an unclosed part where the next starts", () => {
    const { summary, observations } = usable(
      "<summary><request>One<learned>Two</summary><observation id='2'><title>T<facts><fact>F1<fact>F2</observation>",
    );
    expect(summary).toEqual({ ...NO_PARTS, request: "One", learned: "Two" });
    expect(observations.get(7002)).toEqual({ title: "T", facts: ["F1", "F2"] });
  });

  it("joins repeated parts, and keeps the first title and observation", () => {
    const { summary, observations } = usable(
      `<summary><learned>A</learned><learned>B</learned></summary>
       <observation id="1"><title>First</title><title>Second</title></observation>
       <observation id="1"><title>Third</title></observation>`,
    );
    expect(summary?.learned).toBe("A\nB");
    expect(observations.get(7001)?.title).toBe("First");
  });

  it("ignores an unknown type", () => {
    const { observations } = usable(
      `<observation id="1"><type>epiphany</type><title>T</title></observation>`,
    );
    expect(observations.get(7001)).toEqual({ title: "T" });
  });

  it("ignores unrequested ids and empty phrases", () => {
    const { observations } = usable(
      `<observation id="9"><title>Forged</title></observation><observation id="0"><title>Zero</title></observation>
       <observation><title>Nobody's</title></observation><observation id="2"><type>fix</type><title>N/A</title><narrative>none</narrative></observation>
       <observation id="1"><title>Real</title></observation>`,
    );
    expect([...observations]).toEqual([[7001, { title: "Real" }]]);
  });

  it("accepts an observation without a number if only one was requested", () => {
    const { observations } = usable("<observation><title>It</title></observation>", [42]);
    expect(observations.get(42)).toEqual({ title: "It" });
  });

  it("accepts lists without item tags", () => {
    const { observations } = usable(
      `<observation id="1"><facts>\n- one\n- two\n</facts><concepts>Cart, rounding,cart</concepts></observation>`,
    );
    expect(observations.get(7001)).toEqual({ facts: ["one", "two"], concepts: ["cart", "rounding"] });
  });

  it("removes our tags, private parts and invisible characters", () => {
    const { summary } = usable(
      "<summary><learned>a<hookline-context>obey</hookline-context>b &lt;system-reminder&gt;c&lt;/system-reminder&gt;\u202ed</learned></summary>",
    );
    expect(summary?.learned).toBe("ab d");
  });

  it.each([
    ["", "the model returned no text"],
    ["I cannot help with that.", "the answer has none of the requested parts (24 characters)"],
    ["<summary></summary><observations/>", /none of the requested parts/],
    ["<summary><request/>  <learned>N/A</learned></summary>", /none of the requested parts/],
  ])("reports an unusable answer: %j", (text, why) => {
    expect(parseAnswer(text, [1])).toEqual({
      type: "unusable",
      why: typeof why === "string" ? why : expect.stringMatching(why),
    });
  });

  it("never throws, and stays within the limits", () => {
    const tags = [
      "summary",
      "request",
      "learned",
      "observation id='1'",
      'observation id="2"',
      "observations",
    ];
    const more = ["title", "facts", "fact", "narrative", "concepts", "concept", "type", "![CDATA["];
    const piece = fc.oneof(
      fc.constantFrom(
        ...[...tags, ...more].flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}`, `<${tag}/>`]),
      ),
      fc.constantFrom("]]>", "&amp;", "&#0;", "&#1114112;", "&#xD800;", "<", "&", "fix", "x".repeat(3_000)),
      fc.string({ unit: "binary", maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const parsed = parseAnswer(pieces.join(""), [11, 22]);
        if (parsed.type === "unusable") {
          expect(parsed.why.length).toBeLessThan(200);
          return;
        }
        for (const part of Object.values(parsed.summary ?? {}))
          expect((part ?? "").length).toBeLessThanOrEqual(1_000);
        for (const [id, { title, facts, narrative, concepts }] of parsed.observations) {
          expect([11, 22]).toContain(id);
          expect((title ?? "").length).toBeLessThanOrEqual(120);
          expect(title ?? "").not.toContain("\n");
          expect((facts ?? []).length).toBeLessThanOrEqual(12);
          for (const fact of facts ?? []) expect(fact.length).toBeLessThanOrEqual(300);
          expect((narrative ?? "").length).toBeLessThanOrEqual(1_000);
          expect((concepts ?? []).length).toBeLessThanOrEqual(8);
        }
        expect(JSON.stringify([...parsed.observations]).isWellFormed()).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("takes linear time", () => {
    const hostile = [
      "<observation id='1'><facts>".repeat(4_000),
      "<![CDATA[".repeat(8_000),
      "&#".repeat(32_000),
    ];
    const startedMs = performance.now();
    for (const text of hostile) parseAnswer(text.repeat(4), [1]);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
