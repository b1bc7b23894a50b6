import { z } from "zod";
import { folderMatcher } from "../capture/recording-rules.ts";

/** Of project folders, which are absolute; everything below a folder is meant too. */
export const ProjectGlob = z
  .string()
  .regex(/^(\/|\*|\{)/, "a glob of project folders begins with / or *: /srv/*, **/site");

/** Whether a rule is for this project. Null: for all, also where there is no project. */
export function inProject(glob: string | null, projectPath: string | null): boolean {
  return glob === null || (projectPath !== null && folderMatcher([glob])(projectPath));
}
