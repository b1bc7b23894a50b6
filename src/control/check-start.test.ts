import { expect, it } from "vitest";
import { checkClaude } from "./check-start.ts";
import type { ClaudeReport } from "./control-contract.ts";

const fine: ClaudeReport = {
  sdk: { found: true, version: "0.3.325", message: null },
  claude: { path: "/bin/claude", version: "2.1.325", message: null },
  login: "api_key",
  usable: true,
  billing: "An API key is billed.",
};
const told = { message: "why" };

it.each<readonly [string, Partial<ClaudeReport>]>([
  ["sdk_missing", { sdk: { found: false, version: null, ...told } }],
  ["sdk_too_old", { sdk: { found: true, version: "0.1.0", ...told } }],
  ["claude_missing", { claude: { path: null, version: null, ...told } }],
  ["claude_missing", { claude: { path: "/bin/other", version: null, ...told } }],
  ["claude_too_old", { claude: { path: "/bin/claude", version: "1.0.0", ...told } }],
  ["login_missing", { login: "none", usable: false, billing: "why" }],
  ["billing_choice", { login: "subscription", usable: false, billing: "why" }],
])("refuses with %s", (code, wrong) => {
  expect(() => checkClaude({ ...fine, ...wrong })).toThrow(expect.objectContaining({ code, message: "why" }));
});

it("takes what can work", () => {
  expect(() => checkClaude(fine)).not.toThrow();
});
