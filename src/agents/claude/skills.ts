import { asObject, text } from "../read-json.ts";
import { claudeTools } from "./tools.ts";

export interface SkillCall {
  readonly skillName: string;
  readonly triggerCommand: string;
  readonly targetDocPath: string | null;
}

/** A skill that the model invoked through the Skill tool. */
export function skillFromTool(toolName: string, toolInput: unknown): SkillCall | undefined {
  if (claudeTools.formOf(toolName) !== "skill") return undefined;
  const input = asObject(toolInput);
  const name = text(input, "skill") ?? text(input, "command");
  if (name === undefined || name.trim() === "") return undefined;
  return skillCall(name.trim().replace(/^\//, ""), text(input, "args") ?? "");
}

/** A skill or command that the user invoked as `/name arguments`. */
export function skillFromSlash(name: string, args: string): SkillCall {
  return skillCall(name.replace(/^\//, ""), args);
}

function skillCall(skillName: string, args: string): SkillCall {
  const trimmed = args.trim();
  return {
    skillName,
    triggerCommand: `/${skillName}${trimmed === "" ? "" : ` ${trimmed}`}`,
    targetDocPath: firstPath(trimmed),
  };
}

/** The first argument that names a file: by an alphabetic extension (so not `v1.2`), or by its prefix. */
function firstPath(args: string): string | null {
  for (const word of args.split(/\s+/)) {
    const bare = word.replace(/^[@"'`(]+|["'`),;]+$/g, "");
    if (bare === "" || bare.startsWith("-") || /^[a-z][a-z0-9+.-]*:\/\//i.test(bare)) continue;
    if (/\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(bare) || /^(\/|~\/|\.\.?\/)./.test(bare)) return bare;
  }
  return null;
}
