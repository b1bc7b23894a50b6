import { z } from "zod";
import { Credentials, StartRequest } from "../control/control-contract.ts";
import { PERMISSION_MODES } from "../policy/request.ts";

/** Requests and answers of `/api/control` that src/control/control-contract.ts does not have. */

const { commandId, billing, who } = StartRequest.shape;

export const ReportRequest = z.strictObject({ billing, credentials: Credentials.optional() });

/** For commands that need only the id in the path. */
export const CommandRequest = z.strictObject({ commandId });

/** Like a start; resumes the session in the path, in its own folder where that is known. */
export const ResumeRequest = StartRequest.omit({ resume: true, fork: true }).extend({
  cwd: StartRequest.shape.cwd.optional(),
});

/** Keeps the session's folder; mode and limits are those of a start. */
export const AskAgainRequest = z.strictObject({
  commandId,
  cwd: StartRequest.shape.cwd.optional(),
  mode: z.enum(PERMISSION_MODES).optional(),
  model: StartRequest.shape.model,
  maxBudgetUsd: StartRequest.shape.maxBudgetUsd,
  maxTurns: StartRequest.shape.maxTurns,
  credentials: Credentials.optional(),
  billing,
  who,
});

export const MessageRequest = z.strictObject({
  text: z.string().min(1).max(10_000),
  /** The sender that the session sees. */
  from: z.string().min(1).max(200).default("hookline"),
});

export const AttachQuery = z.object({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
});

export const CardsQuery = z.object({ session: z.string().optional() });

/** What was typed of a path so far. */
export const PathQuery = z.object({ typed: z.string().max(4_096).default("") });

export const TrustQuery = z.object({ cwd: z.string().min(1) });
export const ApprovalQuery = z.object({ folder: z.string().min(1) });
export const ApproveRequest = z.strictObject({ cwd: z.string().min(1), hash: z.string().min(1) });

export const PolicyTestRequest = z.strictObject({
  toolName: z.string().min(1),
  toolInput: z.unknown(),
  mode: z.string().default("default"),
  cwd: z.string().min(1),
  workspace: z.array(z.string()).optional(),
  projectPath: z.string().nullable().optional(),
  agentType: z.string().nullable().optional(),
});
export type PolicyTestRequest = z.infer<typeof PolicyTestRequest>;
