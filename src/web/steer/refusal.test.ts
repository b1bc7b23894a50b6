import { expect, it } from "vitest";
import { ApiError } from "../api/client.ts";
import { en } from "../i18n/en.ts";
import { refusalText } from "./refusal.ts";

it("says a refusal once where the daemon's words add nothing", () => {
  const refused = (code: string) => refusalText(new ApiError(409, code, "Folder /x not found."), en);
  expect(refused("cwd_missing")).toBe("Folder not found.");
  expect(refused("session_busy")).toContain("(Folder /x not found.)");
  expect(refused("other")).toBe("Folder /x not found.");
});
