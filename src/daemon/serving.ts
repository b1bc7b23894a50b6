import { claude } from "../agents/claude/claude.ts";
import type { Judge } from "../control/open-judge.ts";
import type { AppPorts } from "../serve/app.ts";
import { createWorkerSessions } from "../serve/worker-sessions.ts";
import { VERSION } from "../version.ts";
import type { Base } from "./base.ts";
import { agreeToHandover } from "./handover.ts";
import type { Intake } from "./intake.ts";
import type { LongWork } from "./long-work.ts";
import { openPages } from "./pages.ts";
import { recordOverHttp } from "./record-http.ts";
import type { Recording } from "./recording.ts";
import type { Memory } from "./remembering/remembering.ts";
import { createStatus } from "./status.ts";
import type { Steer } from "./steering/steering.ts";
import type { Upkeep } from "./upkeep.ts";
import type { Watch } from "./watching/watching.ts";

export interface ServingParts {
  readonly port: number | null;
  readonly long: LongWork;
  readonly memory: Memory;
  readonly watch: Watch | null;
  readonly intake: Intake;
  readonly upkeep: Upkeep;
  readonly judge: Judge;
  readonly steer: Steer | null;
  /** A newer version is to have the home. */
  readonly onHandedOver: () => void;
}

/** What the routes may ask, of every part. */
export function openPorts(base: Base, recording: Recording, parts: ServingParts): AppPorts {
  const { long, memory, watch, intake, upkeep, steer } = parts;
  const { curation } = upkeep;
  const status = createStatus(base, recording, parts);
  const http = recordOverHttp(base, recording, (event) => memory.feedback(event));
  return {
    version: VERSION,
    status,
    flush: intake.flush,
    rebuild: () => long.rebuild(),
    progress: () => long.progress(),
    importTranscripts: (root) => long.importTranscripts(root),
    events: (query) => recording.keeper.use((store) => store.facts.events(query)),
    sessionIds: async (prefix) => (await watch?.sessionIds(prefix)) ?? [],
    ...(watch !== null && {
      watch: { ...watch.ports, metrics: async () => watch.metrics(await status()) },
    }),
    memory: { ...memory.ports, ...curation.ports },
    hooks: http,
    worker: createWorkerSessions(http),
    ...(steer !== null && { control: steer.ports, steerAsks: steer.asks }),
    pages: pagesOf(base, recording, parts),
    handOver: createHandover(base, parts),
  };
}

function pagesOf({ home, env, nowMs }: Base, { keeper, record }: Recording, parts: ServingParts) {
  const { judge, upkeep } = parts;
  return openPages({
    home,
    env,
    keeper,
    judge,
    agent: claude,
    note: async (events) => void (await record(events, { until: "store" })),
    forget: (sessionId) => upkeep.curation.ports.forget({ session: sessionId, dryRun: false }),
    nowMs,
  });
}

function createHandover({ writeLog, nowMs }: Base, parts: ServingParts): AppPorts["handOver"] {
  const { upkeep, steer, intake, onHandedOver } = parts;
  return (request, answered) => {
    const standing = {
      version: VERSION,
      work: upkeep.work(),
      agents: steer?.atWork() ?? 0,
      nowMs: nowMs(),
    };
    agreeToHandover(request, standing, (message) => writeLog("info", message));
    // At once; what hooks bring from now on is for the next one.
    void intake.close();
    void answered.then(onHandedOver);
    return { version: VERSION, pid: process.pid, closes: steer?.open() ?? 0 };
  };
}
