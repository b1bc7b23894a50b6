import { type RunnerTask, type RunnerTestFile, TestRunner } from "vitest";
import { missingFor } from "./needs.ts";
import { packagesOf } from "./programs.ts";

/** Skips the files whose programs are missing before running anything in them, and reports what is missing. */
// biome-ignore lint/style/noDefaultExport: the runner is taken by its default export
export default class SkippingRunner extends TestRunner {
  onCollected(files?: RunnerTestFile[]): void {
    for (const file of files ?? []) {
      const missing = missingFor(file.filepath);
      if (missing.length === 0) continue;
      skip(file);
      console.warn(`${file.name} is skipped: it needs ${packagesOf(missing).join(", ")}`);
    }
  }
}

function skip(task: RunnerTask): void {
  task.mode = "skip";
  if (task.type === "suite") for (const inner of task.tasks) skip(inner);
}
