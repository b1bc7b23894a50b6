import { findModelFault, LOCAL_MODEL } from "./local-model.ts";

/** Why tests that need the model cannot run here; null: they can. Printed once per file that calls it. */
export function findWeightsFault(): string | null {
  const fault = findModelFault(LOCAL_MODEL.folder);
  if (fault !== null) console.warn(`skipped, the model is missing: ${fault} (run npm run prepare)`);
  return fault;
}
