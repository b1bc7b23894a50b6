import type { SampleAnswer } from "../../serve/settings-contract.ts";
import { send } from "../api/client.ts";
import { go } from "../shell/router.ts";

/** Loads a sample session for users without any, and opens its page. */
export async function loadSample(): Promise<void> {
  const { sessionId } = await send<SampleAnswer>("POST", "/api/sample");
  if (sessionId !== null) go(`/s/${sessionId}`);
}

export async function removeSample(): Promise<void> {
  await send("DELETE", "/api/sample");
}
