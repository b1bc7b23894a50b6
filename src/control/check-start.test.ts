import { expect, it } from "vitest";
import { checkClaude } from "./check-start.ts";
import type { ClaudeReport } from "./control-contract.ts";

const usableReport: ClaudeReport = {
  sdk: { found: true, version: "0.3.325", message: null },
  claude: { path: "/bin/claude", version: "2.1.325", message: null },
  login: "api_key",
  usable: true,
  billing: "An API key is billed.",
};
const problem = { message: "why" };

it.each<readonly [string, Partial<ClaudeReport>]>([
  ["sdk_missing", { sdk: { found: false, version: null, ...problem } }],
  ["sdk_too_old", { sdk: { found: true, version: "0.1.0", ...problem } }],
  ["claude_missing", { claude: { path: null, version: null, ...problem } }],
  ["claude_missing", { claude: { path: "/bin/other", version: null, ...problem } }],
  ["claude_too_old", { claude: { path: "/bin/claude", version: "1.0.0", ...problem } }],
  ["login_missing", { login: "none", usable: false, billing: "why" }],
  ["billing_choice", { login: "subscription", usable: false, billing: "why" }],
])("refuses with %s", (code, fields) => {
  expect(() => checkClaude({ ...usableReport, ...fields })).toThrow(
    expect.objectContaining({ code, message: "why" }),
  );
});

it("accepts a usable report", () => {
  expect(() => checkClaude(usableReport)).not.toThrow();
});
