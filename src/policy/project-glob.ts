import { z } from "zod";
import { createFolderMatcher } from "../capture/recording-rules.ts";

/** Matches absolute project folders, and everything below them. */
export const ProjectGlob = z
  .string()
  .regex(/^(\/|\*|\{)/, "a glob of project folders begins with / or *: /srv/*, **/site");

/** Whether a rule applies to this project. Null: to all, even without a project. */
export function appliesToProject(glob: string | null, projectPath: string | null): boolean {
  return glob === null || (projectPath !== null && createFolderMatcher([glob])(projectPath));
}
