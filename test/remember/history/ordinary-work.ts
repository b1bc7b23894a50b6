import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { parseTurns } from "./parse-story.ts";
import { openRandom, type Random } from "./random.ts";
import type { HistoryProject, StoryCall, StorySession, StoryTurn } from "./story.ts";

/**
 * The ordinary days between the stories: turns from templates, with the words, files and error texts of the
 * project. They touch the same files as the stories and fail in similar ways, but contain none of them.
 */
export interface OrdinaryWork {
  session(index: number): StorySession;
  /** Other work in the session of a story. */
  turns(sessionKey: string, count: number): StoryTurn[];
  /** Makes files and logs as long as real ones, so the relevant parts are surrounded by others. */
  thicken(session: StorySession): StorySession;
}

/** Commands that print a lot before the relevant part. */
const LONG_COMMANDS =
  /vitest run|pytest|go (test|vet)|cargo (test|check|build)|cross build|gradlew (test|build)|flutter test|terraform .*(plan|apply)/;

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse("2026-08-03T00:00:00.000Z");
const WEEKS = 14;

export function openOrdinaryWork(project: HistoryProject): OrdinaryWork {
  const words = readWords(project);
  const templates = read(`turns-${project.work}.txt`).split(/^---\n/m);
  /** No request is repeated. */
  const told = new Set<string>();
  const turn = (random: Random): StoryTurn => {
    const names = drawNames(project, words, random);
    const template = random.pick(templates);
    const asked = `${templates.indexOf(template)} ${names["file"]}`;
    if (told.has(asked)) return turn(random);
    told.add(asked);
    return parseTurns(fill(chooseWords(withBlocks(template, words, random), random), names))[0]!;
  };
  const turns = (sessionKey: string, count: number): StoryTurn[] => {
    const random = openRandom(`ordinary ${sessionKey}`);
    return Array.from({ length: count }, () => turn(random));
  };
  const more = (call: StoryCall, random: Random): StoryCall => {
    const some = (section: "read" | "passing", count: number): string[] =>
      Array.from({ length: count }, () => {
        const part =
          section === "read" ? random.pick(words.blocks(section)) : random.pick(words.lines(section));
        return fill(part, drawNames(project, words, random));
      });
    const code = (count: number): string[] =>
      some("read", count).flatMap((block) => [...block.split("\n").map((line) => line.slice(1)), ""]);
    if (call.tool === "Read")
      return { ...call, output: [...code(random.below(5)), ...call.output, "", ...code(random.below(7))] };
    const isLong = call.tool === "Bash" && call.output.length > 0 && LONG_COMMANDS.test(call.target);
    return isLong ? { ...call, output: [...some("passing", random.below(26)), ...call.output] } : call;
  };
  return {
    turns,
    thicken(session) {
      const random = openRandom(`more ${session.key}`);
      const thick = (turn: StoryTurn): StoryTurn => ({
        ...turn,
        calls: turn.calls.map((call) => more(call, random)),
      });
      return { ...session, turns: session.turns.map(thick) };
    },
    session(index) {
      const key = `${project.name}-day-${index + 1}`;
      const random = openRandom(`session ${key}`);
      const day = random.below(WEEKS) * 7 + random.below(5);
      const minutes = (project.lang === "ko" ? 30 : 7 * 60) + random.below(9 * 60);
      return {
        key,
        project,
        startMs: FIRST_MS + day * DAY_MS + minutes * 60_000,
        branch: random.pick([
          "main",
          "main",
          `feat/${random.pick(words.lines("fields")).replaceAll(" ", "-")}`,
        ]),
        turns: turns(key, 4 + random.below(4)),
      };
    },
  };
}

interface Words {
  lines(section: string): string[];
  blocks(section: string): string[];
}

function readWords(project: HistoryProject): Words {
  const sections = new Map<string, string>();
  for (const part of read(`${project.name}.txt`).split(/^(?=\[\w+\]\n)/m)) {
    const [head, ...rest] = part.split("\n");
    sections.set(head!.slice(1, -1), rest.join("\n").trimEnd());
  }
  return {
    lines: (section) => sections.get(section)!.split("\n"),
    blocks: (section) => sections.get(section)!.split("\n\n"),
  };
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, "ordinary", name), "utf8");
}

/** `{{ok}}` on its own line stands for one of the project's blocks; sometimes it needs a second try. */
function withBlocks(template: string, words: Words, random: Random): string {
  const block = (part: string): string => random.pick(words.blocks(part));
  return template.replace(/^\{\{(\w+)\}\}$/gm, (_, part: string) => {
    const isRough = part === "ok" && random.below(6) === 0;
    return isRough ? [block("fail"), "~ {file}", block("edit"), block("ok")].join("\n") : block(part);
  });
}

/** `<<one|other>>`: one of them. */
function chooseWords(text: string, random: Random): string {
  return text.replace(/<<([^<>]*)>>/g, (_, words: string) => random.pick(words.split("|")));
}

type Names = Readonly<Record<string, string>>;

function fill(template: string, names: Names): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => names[name] ?? placeholder);
}

const PEOPLE = { en: ["Maja", "Tomás", "Ines", "Oskar", "Priya"], ko: ["민수", "지은", "현우", "서연"] };

function drawNames(project: HistoryProject, words: Words, random: Random): Names {
  const files = words.lines("files").map((line) => line.split(" | ") as [string, string, string]);
  const [[file, sym, topic], [other, otherSym, otherTopic]] = random.two(files);
  const [field, field2] = random.two(words.lines("fields"));
  const stem = basename(file, extname(file));
  const major = 1 + random.below(8);
  const minor = random.below(20);
  return {
    file,
    sym,
    topic,
    other,
    otherSym,
    otherTopic,
    field,
    field2,
    Sym: sym[0]!.toUpperCase() + sym.slice(1),
    sym2: prefixed(random.pick(["resolve", "load", "make", "next"]), sym),
    dir: dirname(file),
    base: stem,
    slug: stem.replaceAll("_", "-").toLowerCase(),
    mod: file.replace(/\.\w+$/, "").replaceAll("/", "."),
    test: testFile(file, stem),
    repo: project.name,
    dep: random.pick(words.lines("deps")),
    v1: `${major}.${minor}.${random.below(9)}`,
    v2: `${major}.${minor + 1}.0`,
    n: String(12 + random.below(180)),
    n3: String(2 + random.below(8)),
    dd: String(10 + random.below(18)),
    pr: String(300 + random.below(900)),
    lines: String(240 + random.below(9000)),
    sha: random.hex(7),
    sha2: random.hex(5),
    sha3: random.hex(7),
    plus: "+".repeat(3 + random.below(20)),
    plus2: "+".repeat(1 + random.below(5)),
    person: random.pick(PEOPLE[project.lang]),
  };
}

function prefixed(prefix: string, sym: string): string {
  return sym.includes("_") ? `${prefix}_${sym}` : `${prefix}${sym[0]!.toUpperCase()}${sym.slice(1)}`;
}

function testFile(file: string, stem: string): string {
  const folder = dirname(file);
  switch (extname(file)) {
    case ".py":
      return `tests/${folder.split("/").slice(1).join("/") || "dags"}/test_${stem}.py`;
    case ".go":
      return `${folder}/${stem}_test.go`;
    case ".rs":
      return `tests/${stem}.rs`;
    case ".kt":
      return `${folder.replace("/main/", "/test/")}/${stem}Test.kt`;
    case ".dart":
      return `${folder.replace("lib/", "test/")}/${stem}_test.dart`;
    case ".ts":
    case ".tsx":
      return `${folder}/${stem}.test${extname(file)}`;
    default:
      return `${folder}/${stem}.check.yaml`;
  }
}
