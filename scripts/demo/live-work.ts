import { spawn } from "node:child_process";
import type { HooklineEvent } from "../../src/event/event.ts";
import { factId } from "../../src/event/ids.ts";
import { tellFerry } from "./ferry-story.ts";
import { createTeller, type Desk, type Teller } from "./teller.ts";

/** Sessions that are at work, wait, rest, ended a moment ago or were lost, when somebody opens the page now. */
export interface LiveWork {
  readonly events: readonly HooklineEvent[];
  /** Hooks that are still to come, to a daemon that runs: what they ask can then be answered from the page. */
  readonly toFire: readonly Readonly<Record<string, unknown>>[];
  /** Of those that are looked at more closely. */
  readonly ids: Readonly<Record<"ferry" | "shop" | "quill" | "riverbed", string>>;
}

const OPUS = "claude-opus-5-5";
const SONNET = "claude-sonnet-5-5";
const MINUTE = 60_000;
/** It runs since before any of this, so nothing of it counts as lost. */
const OLD_PROCESS = 1;

/** Begins while the daemon runs: it is given what is remembered of its project. */
const RIVERBED = {
  session_id: factId("demo", "riverbed-again"),
  cwd: "/home/dev/riverbed",
  permission_mode: "default",
};
const RIVERBED_PROMPT = factId("demo", "riverbed-again", "prompt");

export async function liveWork(nowMs: number): Promise<LiveWork> {
  const gone = await deadPid();
  const events: HooklineEvent[] = [];
  const tell = (
    desk: Omit<Desk, "pid"> & { pid?: number | null },
    agoMs: number,
    work: (one: Teller) => void,
  ) => {
    const teller = createTeller({ pid: OLD_PROCESS, ...desk });
    work(teller);
    events.push(...teller.events(nowMs - agoMs));
    return teller;
  };

  const ferry = tell(
    {
      key: "ferry-berths",
      project: "ferry",
      branch: "fix/last-berth",
      model: OPUS,
      title: "Never sell the last berth twice",
    },
    4_000,
    tellFerry,
  );

  const shop = tell(
    {
      key: "shop-retry",
      project: "tindra-shop",
      branch: "fix/payment-retry",
      model: OPUS,
      title: "Retry a payment without charging twice",
    },
    9_000,
    (one) => {
      one.prompt("Payments that time out are retried and sometimes charged twice. Use idempotency keys.");
      one.call("Read", { file_path: `${one.cwd}/src/pay/charge.ts` });
      one.edit("src/pay/charge.ts", 12, [
        "-  return provider.charge(order.total, order.card);",
        "+  return provider.charge(order.total, order.card, { idempotencyKey: order.id });",
      ]);
      one.bash("npm test -- src/pay", "Tests  27 passed (27)", { seconds: 9 });
      one.say(
        "The key must be stored with the order, so that a retry after a restart uses the same. That needs a column.",
      );
      one.call("Write", {
        file_path: `${one.cwd}/prisma/migrations/20261115_payment_key/migration.sql`,
        content: 'ALTER TABLE "Order" ADD COLUMN "paymentKey" TEXT;\n',
      });
    },
  );
  const deploy = {
    command: "npx prisma migrate deploy --schema prisma/schema.prisma && npm run seed:payments",
    description: "Apply the migration",
  };

  const quill = tell(
    {
      key: "quill-merge",
      project: "quill",
      branch: "feat/offline-merge",
      model: SONNET,
      title: "Merge notes that were edited offline",
    },
    22_000,
    (one) => {
      one.prompt(
        "When a note was edited on two devices while both were offline, one of them loses. Fix the sync.",
      );
      one.call("Grep", { pattern: "lastWriteWins", path: "src/sync" });
      one.call("Read", { file_path: `${one.cwd}/src/sync/merge.ts` });
      one.say("There are three ways to do this, and they feel different to who writes. I would rather ask.");
    },
  );
  const questions = [
    {
      question: "Two devices changed the same paragraph. What should a person see?",
      header: "Merge",
      multiSelect: false,
      options: [
        { label: "Both versions, one below the other", description: "Nothing is lost; the person tidies up" },
        { label: "The newer one, the other in history", description: "Quiet, and can be undone" },
        { label: "A word-by-word merge", description: "Best when it works, strange when it does not" },
      ],
    },
  ];

  tell(
    {
      key: "infra-certs",
      project: "platform-infra",
      branch: "main",
      model: OPUS,
      title: "Rotate the staging certificates",
    },
    2_500,
    (one) => {
      one.prompt("/rotate-certs staging");
      one.hook("UserPromptExpansion", {
        expansion_type: "slash_command",
        command_name: "rotate-certs",
        command_args: "staging",
      });
      one.bash(
        "kubectl --context staging get certificate -A",
        "NAMESPACE  NAME          READY  AGE\nshop       shop-tls      True   81d\napi        api-tls       True   81d",
        { seconds: 2.2 },
      );
      one.bash(
        "terraform plan -target=module.certs -out=certs.plan",
        "Plan: 2 to add, 0 to change, 2 to destroy.",
        { seconds: 24 },
      );
      one.begin("Bash", {
        command: "terraform show -json certs.plan | jq '.resource_changes[].change.actions'",
        description: "Read the plan",
      });
    },
  );

  tell(
    {
      key: "api-dispatch",
      project: "baedal-api",
      branch: "feat/dispatch-eta",
      model: SONNET,
      title: "배차 예상 시간 계산 고치기",
    },
    1_200,
    (one) => {
      one.prompt("배차 예상 시간이 비 오는 날에 너무 짧게 나와요. 원인을 찾아서 고쳐 주세요.");
      one.call("Read", { file_path: `${one.cwd}/src/dispatch/eta.ts` });
      one.edit("src/dispatch/eta.ts", 33, ["-const RAIN_FACTOR = 1.1;", "+const RAIN_FACTOR = 1.45;"]);
      one.begin("Bash", {
        command: "pnpm vitest run src/dispatch --reporter=dot",
        description: "테스트 실행",
      });
    },
  );

  tell(
    {
      key: "riverbed-backfill",
      project: "riverbed",
      branch: "fix/revenue-dup",
      model: OPUS,
      title: "Backfill revenue for July",
    },
    6 * MINUTE,
    (one) => {
      one.prompt(
        "Backfill revenue_daily for July with the corrected join, one day at a time, and compare each with accounting.",
      );
      for (const day of ["01", "02", "03", "04"]) {
        one.bash(
          `python -m riverbed.backfill revenue_daily 2026-07-${day}`,
          `2026-07-${day}: 14,2${day} rows, matches accounting`,
          { seconds: 41 },
        );
      }
      const resetsAt = Math.round((nowMs + 52 * MINUTE) / 1_000);
      one.line({
        type: "assistant",
        uuid: "9f0d7a52-6d1c-5b3e-8b43-0f3f0a6c9a11",
        isApiErrorMessage: true,
        error: "rate_limit",
        apiErrorStatus: 429,
        quotaLimits: { resetsAt },
        message: {
          id: "msg_limit",
          role: "assistant",
          model: "<synthetic>",
          stop_reason: "stop_sequence",
          content: [{ type: "text", text: "You've hit your session limit" }],
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      });
      one.hook("StopFailure", {
        error: "rate_limit",
        last_assistant_message: "You've hit your session limit",
      });
    },
  );

  tell(
    {
      key: "app-e2e",
      project: "baedal-app",
      branch: "chore/expo-54",
      model: SONNET,
      title: "Upgrade Expo and watch the nightly build",
    },
    11 * MINUTE,
    (one) => {
      one.prompt("Upgrade to Expo 54, start the nightly build and tell me when it is through.");
      one.bash("npx expo install --fix", "› Installed 14 packages", { seconds: 38 });
      one.bash("npx tsc --noEmit", "", { seconds: 12 });
      one.call(
        "Bash",
        {
          command: "gh run watch 18422 --exit-status",
          description: "Watch the nightly build",
          run_in_background: true,
        },
        {
          response: { stdout: "", stderr: "", interrupted: false, backgroundTaskId: "b7x2" },
        },
      );
      const task = {
        id: "b7x2",
        type: "shell",
        status: "running",
        description: "Watch the nightly build",
        command: "gh run watch 18422",
      };
      one.stop("The upgrade builds and types check. The nightly build runs; I look at it when it ends.", {
        background_tasks: [task],
        session_crons: [],
      });
    },
  );

  tell(
    {
      key: "quill-export",
      project: "quill",
      branch: "main",
      model: SONNET,
      title: "Export a notebook as one HTML file",
    },
    3 * MINUTE,
    (one) => {
      one.prompt("Exporting a notebook should give one HTML file with its pictures inside.");
      one.edit("src/export/html.ts", 48, [
        "-  return image(picture.path);",
        "+  return image(await toDataUrl(picture), escape(picture.alt));",
      ]);
      one.bash("pnpm test export", "Tests  12 passed (12)", { seconds: 7 });
      one.stop(
        "A notebook is one HTML file now, with its pictures inside. A notebook with 200 pictures takes 1.8 s.",
      );
    },
  );

  tell(
    {
      key: "shop-lost",
      project: "tindra-shop",
      branch: "spike/search",
      model: OPUS,
      title: "Try Meilisearch for the catalogue",
      pid: gone,
    },
    26 * MINUTE,
    (one) => {
      one.prompt("Try how the catalogue's search feels with Meilisearch: index 50,000 products and compare.");
      one.bash("docker compose up -d meilisearch", "Container meilisearch  Started", { seconds: 8 });
      one.begin("Bash", {
        command: "node scripts/index-products.ts --count 50000",
        description: "Index the products",
      });
    },
  );

  return {
    events,
    toFire: [
      { ...RIVERBED, hook_event_name: "SessionStart", source: "startup", model: SONNET },
      {
        ...RIVERBED,
        hook_event_name: "UserPromptSubmit",
        prompt_id: RIVERBED_PROMPT,
        prompt:
          "revenue_daily is doubled again, for October this time. Where did we mend that in July, and what was it?",
      },
      {
        ...RIVERBED,
        hook_event_name: "PreToolUse",
        prompt_id: RIVERBED_PROMPT,
        tool_name: "Read",
        tool_input: { file_path: "/home/dev/riverbed/riverbed/transform/revenue_daily.py" },
        tool_use_id: "toolu_demo_read",
      },
      {
        ...shop.base,
        prompt_id: promptOf(events, shop),
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: deploy,
        tool_use_id: "toolu_demo_deploy",
      },
      {
        ...shop.base,
        prompt_id: promptOf(events, shop),
        hook_event_name: "PermissionRequest",
        tool_name: "Bash",
        tool_input: deploy,
      },
      {
        ...quill.base,
        prompt_id: promptOf(events, quill),
        hook_event_name: "PreToolUse",
        tool_name: "AskUserQuestion",
        tool_input: { questions },
        tool_use_id: "toolu_demo_ask",
      },
      {
        ...quill.base,
        prompt_id: promptOf(events, quill),
        hook_event_name: "PermissionRequest",
        tool_name: "AskUserQuestion",
        tool_input: { questions },
      },
    ],
    ids: {
      ferry: ferry.sessionId,
      shop: shop.sessionId,
      quill: quill.sessionId,
      riverbed: RIVERBED.session_id,
    },
  };
}

function promptOf(events: readonly HooklineEvent[], { sessionId }: Teller): string | null {
  return events.findLast((event) => event.sessionId === sessionId && event.promptId)?.promptId ?? null;
}

/** The number of a process that has just ended. */
function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  return new Promise((resolve) => child.on("close", () => resolve(child.pid!)));
}
