import { useEffect, useRef, useState } from "react";
import { formatDuration, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { KeyHint } from "./key-hint.tsx";
import type { SqueezedTime } from "./squeezed-time.ts";

const SPEEDS = [1, 2, 5, 10, 20] as const;

/** Plays the session back; long gaps pass quickly. */
export function Replay({
  time,
  atMs,
  onMove,
}: {
  readonly time: SqueezedTime;
  readonly atMs: number | null;
  readonly onMove: (ms: number | null) => void;
}) {
  const { session } = useStrings();
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(10);
  const offset = useRef(0);
  const latest = useRef({ time, onMove });
  latest.current = { time, onMove };
  offset.current = atMs === null ? time.lengthMs : time.toOffset(atMs);

  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    let lastDrawn = last;
    let current = offset.current;
    let frame = requestAnimationFrame(function step(now) {
      current = Math.min(latest.current.time.lengthMs, current + (now - last) * speed);
      last = now;
      // About 16 updates a second are enough.
      if (now - lastDrawn > 60) {
        lastDrawn = now;
        latest.current.onMove(latest.current.time.fromOffset(current));
      }
      if (current >= latest.current.time.lengthMs) {
        setPlaying(false);
        latest.current.onMove(null);
      } else frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed]);

  const toggle = (): void => {
    if (!isPlaying && offset.current >= time.lengthMs) {
      offset.current = 0;
      onMove(time.fromOffset(0));
    }
    setPlaying(!isPlaying);
  };
  const shown = atMs ?? time.toMs;
  return (
    <div className="replay">
      <button type="button" className="button" data-key=" " aria-pressed={isPlaying} onClick={toggle}>
        {isPlaying ? session.pause : session.play} <KeyHint letter="␣" />
      </button>
      <input
        type="range"
        min={0}
        max={Math.round(time.lengthMs)}
        step={Math.max(1, Math.round(time.lengthMs / 1_000))}
        value={Math.round(offset.current)}
        aria-label={session.replay}
        aria-valuetext={formatTime(new Date(shown).toISOString())}
        onChange={(event) => onMove(time.fromOffset(Number(event.target.value)))}
      />
      <span className="muted at">{fill(session.elapsed, { age: formatDuration(shown - time.fromMs) })}</span>
      <select
        className="field"
        aria-label={session.speed}
        value={speed}
        onChange={(event) => setSpeed(Number(event.target.value))}
      >
        {SPEEDS.map((value) => (
          <option key={value} value={value}>
            {value}×
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button bare"
        disabled={atMs === null}
        onClick={() => {
          setPlaying(false);
          onMove(null);
        }}
      >
        {session.endReplay}
      </button>
    </div>
  );
}
