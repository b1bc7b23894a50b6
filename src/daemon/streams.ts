import { captureStream, type StreamCaptureOptions } from "../capture/capture-stream.ts";
import { driveStreams, type StreamsDrive } from "../capture/drive-streams.ts";
import type { TailPosition } from "../capture/tail-file.ts";
import type { StoreKeeper } from "../store/keep-store.ts";
import { tellError } from "./notices.ts";

export interface FollowStreamsOptions
  extends Pick<StreamCaptureOptions, "acceptor" | "append" | "quarantine"> {
  readonly keeper: StoreKeeper;
  readonly saveOffset: (key: string, position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly notice: (message: string) => void;
}

/** Streams of other programs, each from where it was last read to. */
export function followStreams(
  paths: readonly string[],
  { keeper, saveOffset, notice, ...into }: FollowStreamsOptions,
): StreamsDrive {
  const capture = async (path: string): Promise<void> => {
    const key = `stream:${path}`;
    const read = await captureStream({
      ...into,
      path,
      load: () => keeper.use((store) => store.facts.streamOffset(key)),
      save: (position, lastEventIso) => saveOffset(key, position, lastEventIso),
    });
    if (read > 0) await keeper.follow();
  };
  return driveStreams(paths, capture, (error) =>
    notice(`reading a foreign stream failed: ${tellError(error)}`),
  );
}
