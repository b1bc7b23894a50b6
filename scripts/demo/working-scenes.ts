// Sessions that are working, or waiting for something other than the user.

import { MINUTE_MS, OPUS, type Scene, SONNET } from "./scene.ts";

export const INFRA_CERTS: Scene = {
  setup: {
    key: "infra-certs",
    project: "platform-infra",
    branch: "main",
    model: OPUS,
    title: "Rotate the staging certificates",
  },
  agoMs: 2_500,
  work: (session) => {
    session.prompt("/rotate-certs staging");
    session.hook("UserPromptExpansion", {
      expansion_type: "slash_command",
      command_name: "rotate-certs",
      command_args: "staging",
    });
    session.bash(
      "kubectl --context staging get certificate -A",
      "NAMESPACE  NAME          READY  AGE\nshop       shop-tls      True   81d\napi        api-tls       True   81d",
      { seconds: 2.2 },
    );
    session.bash(
      "terraform plan -target=module.certs -out=certs.plan",
      "Plan: 2 to add, 0 to change, 2 to destroy.",
      { seconds: 24 },
    );
    session.startCall("Bash", {
      command: "terraform show -json certs.plan | jq '.resource_changes[].change.actions'",
      description: "Read the plan",
    });
  },
};

export const API_DISPATCH: Scene = {
  setup: {
    key: "api-dispatch",
    project: "baedal-api",
    branch: "feat/dispatch-eta",
    model: SONNET,
    title: "배차 예상 시간 계산 고치기",
  },
  agoMs: 1_200,
  work: (session) => {
    session.prompt("배차 예상 시간이 비 오는 날에 너무 짧게 나와요. 원인을 찾아서 고쳐 주세요.");
    session.call("Read", { file_path: `${session.cwd}/src/dispatch/eta.ts` });
    session.edit("src/dispatch/eta.ts", 33, ["-const RAIN_FACTOR = 1.1;", "+const RAIN_FACTOR = 1.45;"]);
    session.startCall("Bash", {
      command: "pnpm vitest run src/dispatch --reporter=dot",
      description: "테스트 실행",
    });
  },
};

export const RIVERBED_BACKFILL: Scene = {
  setup: {
    key: "riverbed-backfill",
    project: "riverbed",
    branch: "fix/revenue-dup",
    model: OPUS,
    title: "Backfill revenue for July",
  },
  agoMs: 6 * MINUTE_MS,
  work: (session, nowMs) => {
    session.prompt(
      "Backfill revenue_daily for July with the corrected join, one day at a time, and compare each with accounting.",
    );
    for (const day of ["01", "02", "03", "04"]) {
      session.bash(
        `python -m riverbed.backfill revenue_daily 2026-07-${day}`,
        `2026-07-${day}: 14,2${day} rows, matches accounting`,
        { seconds: 41 },
      );
    }
    const resetsAt = Math.round((nowMs + 52 * MINUTE_MS) / 1_000);
    session.line({
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
    session.hook("StopFailure", {
      error: "rate_limit",
      last_assistant_message: "You've hit your session limit",
    });
  },
};

export const APP_UPGRADE: Scene = {
  setup: {
    key: "app-e2e",
    project: "baedal-app",
    branch: "chore/expo-54",
    model: SONNET,
    title: "Upgrade Expo and watch the nightly build",
  },
  agoMs: 11 * MINUTE_MS,
  work: (session) => {
    session.prompt("Upgrade to Expo 54, start the nightly build and tell me when it is through.");
    session.bash("npx expo install --fix", "› Installed 14 packages", { seconds: 38 });
    session.bash("npx tsc --noEmit", "", { seconds: 12 });
    session.call(
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
    session.stop("The upgrade builds and types check. The nightly build runs; I look at it when it ends.", {
      background_tasks: [task],
      session_crons: [],
    });
  },
};
