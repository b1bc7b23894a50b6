import { captureStream } from "../capture/capture-stream.ts";
import { driveStreams, type StreamsDrive } from "../capture/drive-streams.ts";
import { tellError } from "./notices.ts";
import type { Recording } from "./recording.ts";

type Streams = Pick<Recording, "acceptor" | "append" | "quarantine" | "keeper" | "loadOffset" | "saveOffset">;

/** Streams of other programs, each from where it was last read to. */
export function followStreams(
  paths: readonly string[],
  recording: Streams,
  notice: (message: string) => void,
): StreamsDrive {
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
    if (read > 0) await recording.keeper.follow();
  };
  return driveStreams(paths, capture, (error) =>
    notice(`reading a foreign stream failed: ${tellError(error)}`),
  );
}
