import { parentPort, workerData } from "node:worker_threads";
import { decide } from "../policy/decide.ts";
import type { JudgeRequest, JudgeWorkerData, JudgeWorkerMessage } from "./judge-messages.ts";
import { realWorld } from "./real-world.ts";

/** The thread for slow judging. Terminated from outside if it does not answer in time. */

const { home } = workerData as JudgeWorkerData;
const port = parentPort!;
const world = realWorld({ HOME: home });
const post = (message: JudgeWorkerMessage): void => port.postMessage(message);

port.on("message", ({ id, policy, request }: JudgeRequest) => {
  post({ id, verdict: decide(policy, request, world) });
});
post("ready");
