import type { Env } from "../home.ts";

/** What whoever drives sessions of an agent must know of it. */
export interface Driving {
  /** The folder of the user's own settings: what lies in it is no project's. */
  configDir(env: Env): string;
  /** What it would log in with. */
  findLogin(env: Env, userHome: string): Login;
}

export interface Login {
  readonly type: "api_key" | "cloud" | "subscription" | "helper" | "none";
  /** A sentence: who is billed. */
  readonly words: string;
}
