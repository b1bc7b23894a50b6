import { expect, it } from "vitest";
import { shortModelName } from "./model-name.ts";

it.each([
  ["claude-opus-5-5-20260901", "opus-5.5"],
  ["claude-opus-5-5", "opus-5.5"],
  ["claude-sonnet-4-5-20250929[1m]", "sonnet-4.5[1m]"],
  ["gpt-6", "gpt-6"],
])("shortens %s to %s", (model, name) => {
  expect(shortModelName(model)).toBe(name);
});
