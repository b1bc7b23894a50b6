import { parentPort, workerData } from "node:worker_threads";
import { decide } from "../policy/decide.ts";
import type { JudgeRequest, JudgeWorkerData, JudgeWorkerMessage } from "./judge-messages.ts";
import { realWorld } from "./real-world.ts";

/** The thread for slow judging. Terminated from outside if it does not answer in time. */

const { home } = workerData as JudgeWorkerData;
const port = parentPort!;
const world = realWorld({ HOME: home });
const say = (message: JudgeWorkerMessage): void => port.postMessage(message);

port.on("message", ({ id, policy, request }: JudgeRequest) => {
  say({ id, verdict: decide(policy, request, world) });
});
say("ready");
