import type { HooklineEvent } from "../event/event.ts";
import type { Acceptor } from "./accept.ts";
import { fromForeignLine } from "./foreign-event.ts";
import type { Quarantine } from "./quarantine.ts";
import { type TailPosition, tailFile } from "./tail-file.ts";

export interface StreamCaptureOptions {
  readonly path: string;
  readonly acceptor: Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly load: () => Promise<TailPosition | undefined>;
  readonly save: (position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly quarantine: Quarantine;
}

/** Ingests the new complete lines of a file that another program writes. Returns the number of events. */
export async function captureStream(options: StreamCaptureOptions): Promise<number> {
  let events = 0;
  for (;;) {
    const read = tailFile(options.path, await options.load());
    if (read === null || (read.lines.length === 0 && !read.isReplaced)) return events;
    const received: HooklineEvent[] = [];
    for (const line of read.lines) {
      if (line.trim() === "") continue;
      const event = fromForeignLine(line);
      if (event === null) options.quarantine.put("bad", options.path, "no event", line);
      else received.push(event);
    }
    const { acceptor } = options;
    const accepted = await acceptor.prepare(received, () =>
      received.flatMap((event) => acceptor.accept([event])),
    );
    acceptor.clearCache();
    await options.append(accepted);
    // Saved after the log: if killed in between, the lines are read again and yield the same events.
    await options.save(read.next, received.at(-1)?.occurredAtIso ?? null);
    events += accepted.length;
    if (read.lines.length === 0) return events;
  }
}
