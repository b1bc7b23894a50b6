import type { GeneratedLoad } from "./live-generator.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median, quantile } from "./statistics.ts";

export interface Lag {
  readonly database: number[];
  readonly stream: number[];
}

export interface LiveMeasurement {
  readonly sessions: number;
  readonly fewSessions: number;
  readonly restMs: number;
  readonly few: Lag;
  readonly many: Lag;
  readonly generated: GeneratedLoad;
  readonly lost: number;
  readonly patches: number;
  readonly gaps: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly cpu: Readonly<Record<"idle" | "live" | "silent" | "queued", number>>;
  readonly rss: { readonly end: number; readonly rested: number; readonly peak: number };
  readonly bareMs: number;
}

export function liveRows(measured: LiveMeasurement): Row[] {
  const { sessions, few, many, cpu, rss, bareMs, seconds, patches, gaps, lost } = measured;
  const written = totalWritten(measured.generated.written);
  const n = (value: number): string => Math.round(value).toLocaleString("en");
  const eventMs = (cpu.live * seconds * 1_000) / written;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const lagRow = (what: string, key: keyof Lag): Row => {
    const [p50, p95, most] = [median(many[key]), quantile(many[key], 0.95), Math.max(...many[key])];
    const [fewP50, fewP95] = [median(few[key]), quantile(few[key], 0.95)];
    return {
      row: "live",
      what: `${n(sessions)} sessions, ${what}`,
      measured: `p50 ${ms(p50)}, p95 ${ms(p95)}, most ${ms(most)}`,
      comparedWith: `${measured.fewSessions} sessions p50 ${ms(fewP50)}, p95 ${ms(fewP95)}; n = ${n(many[key].length)}`,
      budget: "p95 ≤ 1 s",
      ok: p95 <= 1_000,
      figures: rounded({ p50Ms: p50, p95Ms: p95, mostMs: most, fewP50Ms: fewP50, fewP95Ms: fewP95 }),
    };
  };
  return [
    {
      row: "live",
      what: `${n(sessions)} sessions × 1 event/s`,
      measured: `${n(written)} written, ${lost} lost; ${n(patches / seconds)} patches/s, ${gaps} gaps`,
      comparedWith: `${n(written / seconds)} events/s in ${seconds.toFixed(1)} s, the writer late by ${ms(measured.generated.lateMs)} at most`,
      budget: "0 lost",
      ok: lost === 0,
      figures: rounded({
        written,
        lost,
        patches,
        gaps,
        seconds,
        streamBytes: measured.bytes,
        lateMs: measured.generated.lateMs,
      }),
    },
    lagRow("event → in the database", "database"),
    lagRow("event → on the stream", "stream"),
    {
      row: "live",
      what: `${n(sessions)} sessions, CPU of the daemon`,
      measured: `${percent(cpu.live)} of a core = ${eventMs.toFixed(3)} ms an event, × ${(eventMs / bareMs).toFixed(1)} of bare`,
      comparedWith: `bare trial ${bareMs.toFixed(3)} ms; idle ${percent(cpu.idle)}; the same sessions silent ${percent(cpu.silent)}; ${percent(cpu.queued)} of the time it waited for a core`,
      budget: "none",
      ok: null,
      figures: rounded({
        share: cpu.live,
        eventMs,
        bareMs,
        idleShare: cpu.idle,
        silentShare: cpu.silent,
        queuedShare: cpu.queued,
      }),
    },
    {
      row: "live",
      what: `${n(sessions)} sessions, RSS`,
      measured: `${rss.end.toFixed(0)} MB at the end, ${measured.restMs / 1_000} s later ${rss.rested.toFixed(0)} MB`,
      comparedWith: `its peak ${rss.peak.toFixed(0)} MB`,
      budget: "≤ 90 MB",
      ok: rss.rested <= 90,
      figures: rounded({ endMb: rss.end, restedMb: rss.rested, peakMb: rss.peak }),
    },
  ];
}

export function totalWritten(written: GeneratedLoad["written"]): number {
  return Object.values(written).reduce((a, b) => a + b, 0);
}
