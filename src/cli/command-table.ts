import type { CommandDef } from "citty";

/** Commands by name. Loaded on demand: starting one must not pay for all. */
export type CommandTable = Readonly<Record<string, () => Promise<CommandDef<never>>>>;
