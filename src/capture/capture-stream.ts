import { toLine } from "../event/line.ts";
import { type TailPosition, tailFile } from "../log/tail-file.ts";
import type { Acceptor } from "./accept.ts";
import { fromForeignLine } from "./foreign-event.ts";
import type { Quarantine } from "./quarantine.ts";

export interface StreamCaptureOptions {
  readonly path: string;
  readonly acceptor: Acceptor;
  readonly append: (lines: readonly string[]) => Promise<void>;
  readonly load: () => TailPosition | undefined;
  readonly save: (position: TailPosition, lastEventIso: string | null) => void;
  readonly quarantine: Quarantine;
}

/** Takes the new whole lines of a file that another program writes. Gives how many events there were. */
export async function captureStream(options: StreamCaptureOptions): Promise<number> {
  let events = 0;
  for (;;) {
    const read = tailFile(options.path, options.load());
    if (read === null || (read.lines.length === 0 && !read.isAnother)) return events;
    const lines: string[] = [];
    let lastEventIso: string | null = null;
    for (const line of read.lines) {
      if (line.trim() === "") continue;
      const event = fromForeignLine(line);
      if (event === null) options.quarantine.put("bad", options.path, "no event", line);
      else {
        for (const accepted of options.acceptor.accept([event])) lines.push(toLine(accepted));
        lastEventIso = event.occurredAtIso;
      }
    }
    options.acceptor.rest();
    await options.append(lines);
    // After the log: killed in between, the lines are read again and are the same events again.
    options.save(read.next, lastEventIso);
    events += lines.length;
    if (read.lines.length === 0) return events;
  }
}
