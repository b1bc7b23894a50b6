import type { Env } from "../home.ts";

/** What is needed to drive an agent's sessions. */
export interface Driving {
  /** The folder of the user's own settings: nothing in it belongs to a project. */
  configDir(env: Env): string;
  /** The credentials the agent would use. */
  findLogin(env: Env, userHome: string): Login;
}

export interface Login {
  readonly type: "api_key" | "cloud" | "subscription" | "helper" | "none";
  /** A sentence that says who is billed. */
  readonly billingText: string;
}
