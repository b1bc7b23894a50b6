import type { SampleAnswer } from "../../serve/settings-contract.ts";
import { send } from "../api/client.ts";
import { go } from "../shell/router.ts";

/** A session to look around in, for who has none yet; its page opens. */
export async function loadSample(): Promise<void> {
  const { sessionId } = await send<SampleAnswer>("POST", "/api/sample");
  if (sessionId !== null) go(`/s/${sessionId}`);
}

export async function removeSample(): Promise<void> {
  await send("DELETE", "/api/sample");
}
