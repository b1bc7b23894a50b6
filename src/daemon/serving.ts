import { claude } from "../agents/claude/claude.ts";
import type { Judge } from "../control/open-judge.ts";
import type { AppPorts } from "../serve/app.ts";
import { createWorkerSessions } from "../serve/worker-sessions.ts";
import { VERSION } from "../version.ts";
import type { Base } from "./base.ts";
import { acceptHandover } from "./handover.ts";
import type { Intake } from "./intake.ts";
import type { LongWork } from "./long-work.ts";
import { createPagePorts } from "./pages.ts";
import { createHttpRecorder } from "./record-http.ts";
import type { Recording } from "./recording.ts";
import type { Memory } from "./remembering/remembering.ts";
import { createStatus } from "./status.ts";
import type { Steering } from "./steering/steering.ts";
import type { Upkeep } from "./upkeep.ts";
import type { Monitor } from "./watching/watching.ts";

export interface AppPortsParts {
  readonly port: number | null;
  readonly long: LongWork;
  readonly memory: Memory;
  readonly monitor: Monitor | null;
  readonly intake: Intake;
  readonly upkeep: Upkeep;
  readonly judge: Judge;
  readonly steering: Steering | null;
  /** Called when a newer version should take over the home. */
  readonly onHandedOver: () => void;
}

/** Everything the routes may call, of every part. */
export function createAppPorts(base: Base, recording: Recording, parts: AppPortsParts): AppPorts {
  const { long, memory, monitor, intake, upkeep, steering } = parts;
  const { curation } = upkeep;
  const status = createStatus(base, recording, parts);
  const http = createHttpRecorder(base, recording, (event) => memory.feedback(event));
  return {
    version: VERSION,
    status,
    flush: intake.flush,
    rebuild: () => long.rebuild(),
    progress: () => long.progress(),
    importTranscripts: (root) => long.importTranscripts(root),
    events: (query) => recording.liveStore.use((store) => store.facts.events(query)),
    sessionIds: async (prefix) => (await monitor?.sessionIds(prefix)) ?? [],
    ...(monitor !== null && {
      watch: { ...monitor.ports, metrics: async () => monitor.metrics(await status()) },
    }),
    memory: { ...memory.ports, ...curation.ports },
    hooks: http,
    worker: createWorkerSessions(http),
    ...(steering !== null && { control: steering.ports, terminalHooks: steering.terminalHooks }),
    pages: createPages(base, recording, parts),
    handOver: createHandover(base, parts),
  };
}

function createPages({ home, env, nowMs }: Base, { liveStore, record }: Recording, parts: AppPortsParts) {
  const { judge, upkeep } = parts;
  return createPagePorts({
    home,
    env,
    liveStore,
    judge,
    agent: claude,
    record: async (events) => void (await record(events, { until: "store" })),
    forget: (sessionId) => upkeep.curation.ports.forget({ session: sessionId, dryRun: false }),
    nowMs,
  });
}

function createHandover({ writeLog, nowMs }: Base, parts: AppPortsParts): AppPorts["handOver"] {
  const { upkeep, steering, intake, onHandedOver } = parts;
  return (request, answered) => {
    const state = {
      version: VERSION,
      work: upkeep.currentWork(),
      agents: steering?.busyCount() ?? 0,
      nowMs: nowMs(),
    };
    acceptHandover(request, state, (message) => writeLog("info", message));
    // Immediately: what hooks write from now on is for the next daemon.
    void intake.close();
    void answered.then(onHandedOver);
    return { version: VERSION, pid: process.pid, closes: steering?.openCount() ?? 0 };
  };
}
