import { findModelFault, LOCAL_MODEL } from "./local-model.ts";

/** Why tests that need the model cannot run here; null: they can. Printed once per file that calls it. */
export function findWeightsFault(): string | null {
  const fault = findModelFault(LOCAL_MODEL.folder);
  if (fault !== null) console.warn(`not tested without the model: ${fault} (npm run prepare brings it)`);
  return fault;
}
