import type { RuleChange } from "../policy/edit-rules.ts";
import type { RuleProblem } from "../policy/rules-file.ts";
import type { SessionEventQuery, StoredRow } from "../store/facts.ts";
import type { HooksAnswer, HooksChange, HooksResult } from "./hooks-contract.ts";
import type {
  PolicyReport,
  RecipeChange,
  RecipeResult,
  ReplayAnswer,
  ReplayRequest,
  RulesPreview,
  VerdictsAnswer,
  VerdictsQuery,
} from "./policy-contract.ts";
import type { ConfigAnswer, ConfigChange, DoctorAnswer, SampleAnswer } from "./settings-contract.ts";

export type RulesWriteResult =
  | { readonly type: "written" }
  | { readonly type: "invalid"; readonly problems: readonly RuleProblem[] }
  /** Someone else wrote the file since it was read. */
  | { readonly type: "changed" };

/** What only the pages need. Expected refusals are an AppError. */
export interface PagePorts {
  policy(project: string | null): Promise<PolicyReport>;
  /** `was` is the text that was edited; null when there was no file. */
  writeRules(text: string, was: string | null | undefined): RulesWriteResult;
  /** What the rules would be with a change; undefined if there is no such rule. Nothing is written. */
  previewRules(text: string, change: RuleChange | null): RulesPreview | undefined;
  addRecipe(name: string, change: RecipeChange): Promise<RecipeResult>;
  removeRecipe(name: string): Promise<RecipeResult>;
  verdicts(query: VerdictsQuery): Promise<VerdictsAnswer>;
  replay(request: ReplayRequest): Promise<ReplayAnswer>;
  config(): ConfigAnswer;
  setConfig(change: ConfigChange): ConfigAnswer;
  hooks(): Promise<HooksAnswer>;
  switchHooks(change: HooksChange): Promise<HooksResult>;
  doctor(how: { readonly fix: boolean }): Promise<DoctorAnswer>;
  /** Which sample is loaded. */
  sample(): Promise<SampleAnswer>;
  loadSample(): Promise<SampleAnswer>;
  removeSample(): Promise<SampleAnswer>;
  sessionEvents(query: SessionEventQuery): Promise<readonly StoredRow[]>;
  /** JSON. */
  blob(hash: string): Promise<string | undefined>;
}
