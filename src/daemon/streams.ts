import { captureStream } from "../capture/capture-stream.ts";
import { openStreamLoop, type StreamLoop } from "../capture/stream-loop.ts";
import { errorText } from "./daemon-messages.ts";
import type { Recording } from "./recording.ts";

type Streams = Pick<
  Recording,
  "acceptor" | "append" | "quarantine" | "liveStore" | "loadOffset" | "saveOffset"
>;

/** Streams of other programs, each resumed from its last read position. */
export function followStreams(
  paths: readonly string[],
  recording: Streams,
  notice: (message: string) => void,
): StreamLoop {
  const capture = async (path: string): Promise<void> => {
    const key = `stream:${path}`;
    const { acceptor, append, quarantine, loadOffset, saveOffset } = recording;
    const read = await captureStream({
      acceptor,
      append,
      quarantine,
      path,
      load: () => loadOffset(key),
      save: (position, lastEventIso) => saveOffset(key, position, lastEventIso),
    });
    if (read > 0) await recording.liveStore.follow();
  };
  return openStreamLoop(paths, capture, (error) =>
    notice(`reading a foreign stream failed: ${errorText(error)}`),
  );
}
