import { parentPort, workerData } from "node:worker_threads";
import { decide } from "../policy/decide.ts";
import type { FromJudgeWorker, JudgeQuestion, JudgeWorkerData } from "./judge-messages.ts";
import { realWorld } from "./real-world.ts";

/** The thread in which what takes long is judged. It is ended from outside when it does not answer in time. */

const { home } = workerData as JudgeWorkerData;
const port = parentPort!;
const world = realWorld({ HOME: home });
const say = (message: FromJudgeWorker): void => port.postMessage(message);

port.on("message", ({ id, policy, request }: JudgeQuestion) => {
  say({ id, verdict: decide(policy, request, world) });
});
say("ready");
