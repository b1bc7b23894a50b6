import { expect, it } from "vitest";
import { ApiError } from "../api/client.ts";
import { en } from "../i18n/en.ts";
import { refusalText } from "./refusal.ts";

it("omits the daemon's message when it adds nothing", () => {
  const textFor = (code: string) => refusalText(new ApiError(409, code, "Folder /x not found."), en);
  expect(textFor("cwd_missing")).toBe("Folder not found.");
  expect(textFor("session_busy")).toContain("(Folder /x not found.)");
  expect(textFor("other")).toBe("Folder /x not found.");
});
