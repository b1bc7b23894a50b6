import { isBuiltInTool } from "../agents/tool-call.ts";
import type { HumanWait } from "../monitor/session-detail.ts";
import type { HistogramSeries, Labels } from "./prometheus-text.ts";

/** Durations counted as they happen, since the daemon started. */
export interface Meters {
  toolEnded(toolName: string, durationMs: number): void;
  waitEnded(kind: HumanWait["kind"], durationMs: number): void;
  read(): MeterReading;
}

export interface MeterReading {
  readonly toolDurations: readonly HistogramSeries[];
  readonly waits: readonly HistogramSeries[];
}

const TOOL_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const WAIT_BOUNDS = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 14_400];

export function createMeters(): Meters {
  const tools = new Map<string, Histogram>();
  const waits = new Map<string, Histogram>();
  return {
    toolEnded: (toolName, durationMs) =>
      observe(tools, { tool: toToolLabel(toolName) }, TOOL_BOUNDS, durationMs),
    waitEnded: (kind, durationMs) => observe(waits, { kind }, WAIT_BOUNDS, durationMs),
    read: () => ({ toolDurations: toSeries(tools), waits: toSeries(waits) }),
  };
}

/** Custom tool names are unbounded, so they share one label. */
function toToolLabel(toolName: string): string {
  return isBuiltInTool(toolName) ? toolName : "other";
}

interface Histogram {
  readonly labels: Labels;
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum: number;
}

function observe(
  histograms: Map<string, Histogram>,
  labels: Labels,
  bounds: readonly number[],
  durationMs: number,
): void {
  if (!Number.isFinite(durationMs)) return;
  const key = Object.values(labels).join();
  const histogram = histograms.get(key) ?? {
    labels,
    bounds,
    counts: Array(bounds.length + 1).fill(0),
    sum: 0,
  };
  histograms.set(key, histogram);
  // Clocks may disagree: an end before the start counts as zero.
  const seconds = Math.max(0, durationMs) / 1_000;
  const bucket = bounds.findIndex((bound) => seconds <= bound);
  const index = bucket === -1 ? bounds.length : bucket;
  histogram.counts[index] = histogram.counts[index]! + 1;
  histogram.sum += seconds;
}

function toSeries(histograms: ReadonlyMap<string, Histogram>): HistogramSeries[] {
  return [...histograms.values()].map((histogram) => ({ ...histogram, counts: [...histogram.counts] }));
}

/** In bytes; the heap is the main thread's. */
export function memoryByKind(): Record<string, number> {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return { rss, heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers };
}
