import { expect, it } from "vitest";
import type { Finding } from "../doctor/check.ts";
import { diagnosisText } from "./doctor.ts";
import { noPaint } from "./paint.ts";

const finding = (code: string, status: Finding["status"], remedy: string | null = null): Finding => ({
  code,
  status,
  found: `Found ${code}.`,
  remedy,
  fixable: false,
});

const diagnosis = {
  checks: [
    finding("one", "ok"),
    finding("second", "skipped"),
    finding("third", "warn", "Think."),
    finding("four", "fail", "Act."),
  ],
  fixed: [{ code: "one", did: "Did it." }],
};

it("lists repairs, then problems with their remedies, then the rest", () => {
  expect(diagnosisText(diagnosis, noPaint).split("\n")).toEqual([
    "fixed    one     Did it.",
    "fail     four    Found four.",
    "                 Act.",
    "warn     third   Found third.",
    "                 Think.",
    "ok       one     Found one.",
    "skipped  second  Found second.",
  ]);
});

it("colours only the status", () => {
  const text = diagnosisText(diagnosis, (colour, part) => `<${colour}>${part}</>`);
  expect(text).toContain("<red>fail   </>  four    Found four.\n");
});

it("removes escape sequences from names of files and processes", () => {
  const hostile = {
    ...finding("one", "warn", "Remove \u001b[2Jit."),
    found: "Port 1 is taken by \u001b]0;x\u0007y\nz.",
  };
  expect(diagnosisText({ checks: [hostile], fixed: [] }, noPaint)).toBe(
    "warn     one  Port 1 is taken by y z.\n              Remove it.",
  );
});
