import { kindOfCall } from "../agents/tool-call.ts";
import type { Env } from "../home.ts";
import type { HookEntries } from "../hook/commands.ts";
import type { Options, PermissionResult, SDKUserMessage } from "./agent-sdk.ts";
import type { ProjectConfig } from "./control-ports.ts";
import type { OutgoingMessage, Reply } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import { sdkModeOf } from "./step-agent.ts";

/** What a session is started with, after all checks. */
export interface SessionSetup {
  readonly sessionId: string;
  readonly resume: {
    readonly claudeSessionId: string;
    readonly fork: boolean;
    readonly at: string | null;
  } | null;
  readonly cwd: string;
  readonly projectPath: string | null;
  /** Folders that our gate counts as inside; Claude Code gets all but the first as additional ones. */
  readonly workspace: readonly string[];
  readonly addDirs: readonly string[];
  readonly env: Env;
  readonly claudePath: string | null;
  readonly maxTurns: number | null;
  readonly projectConfig: ProjectConfig;
  /** Recording hooks, in case the user has not installed them. */
  readonly hooks: HookEntries;
}

/** Builds the SDK's options. Its own modes decide nothing: `default` or `plan`, whatever ours is. */
export function toSdkOptions(setup: SessionSetup, driven: Driven, overrides: Partial<Options>): Options {
  const { sessionId, resume, cwd, projectConfig, claudePath, maxTurns, addDirs } = setup;
  const remainingUsd = driven.maxBudgetUsd === null ? null : driven.maxBudgetUsd - driven.totalCostUsd;
  return {
    cwd,
    env: { ...setup.env },
    ...(resume === null && { sessionId }),
    ...(resume !== null && { resume: resume.claudeSessionId }),
    ...(resume?.fork && { forkSession: true, sessionId }),
    ...(resume?.at != null && { resumeSessionAt: resume.at }),
    systemPrompt: { type: "preset", preset: "claude_code" },
    permissionMode: sdkModeOf(driven.mode),
    settingSources: [...projectConfig.settingSources],
    strictMcpConfig: true,
    mcpServers: projectConfig.mcpServers as NonNullable<Options["mcpServers"]>,
    settings: { hooks: setup.hooks, useAutoModeDuringPlan: false } as NonNullable<Options["settings"]>,
    includePartialMessages: true,
    enableFileCheckpointing: true,
    ...(addDirs.length > 0 && { additionalDirectories: [...addDirs] }),
    ...(driven.model !== null && { model: driven.model }),
    // The SDK counts from the start of the process.
    ...(remainingUsd !== null && { maxBudgetUsd: Math.max(remainingUsd, Number.MIN_VALUE) }),
    ...(maxTurns !== null && { maxTurns }),
    ...(claudePath !== null && { pathToClaudeCodeExecutable: claudePath }),
    ...overrides,
  };
}

export function toUserMessage({ messageId, text, images }: OutgoingMessage): SDKUserMessage {
  const blocks = images.map(({ mediaType, data }) => ({
    type: "image" as const,
    source: { type: "base64" as const, media_type: mediaType as "image/png", data },
  }));
  return {
    type: "user",
    uuid: messageId as NonNullable<SDKUserMessage["uuid"]>,
    parent_tool_use_id: null,
    message: { role: "user", content: images.length === 0 ? text : [...blocks, { type: "text", text }] },
  };
}

export function toPermissionResult(reply: Reply, tool: string): PermissionResult {
  if (reply.behavior === "deny") return { ...reply };
  // Otherwise the agent would return to a mode of its own.
  const leavePlanMode = [{ type: "setMode", mode: "default", destination: "session" } as const];
  return {
    behavior: "allow",
    updatedInput: { ...reply.updatedInput },
    ...(kindOfCall({ toolName: tool }) === "plan" && { updatedPermissions: leavePlanMode }),
  };
}
