/** Prometheus text format 0.0.4. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** Observations of one label set, counted by upper bounds in seconds, in ascending order. */
export interface HistogramSeries {
  readonly labels: Labels;
  readonly bounds: readonly number[];
  /** One count per bucket between bounds, and one more for values above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export function formatFamily(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): string {
  return formatBlock(
    name,
    type,
    help,
    samples.map(({ labels = {}, value }) => formatLine(name, labels, value)),
  );
}

export function formatHistogram(name: string, help: string, series: readonly HistogramSeries[]): string {
  const lines = series.flatMap(({ labels, bounds, counts, sum }) => {
    let cumulative = 0;
    const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
      cumulative += counts[index] ?? 0;
      return formatLine(`${name}_bucket`, { ...labels, le: formatNumber(bound) }, cumulative);
    });
    return [
      ...buckets,
      formatLine(`${name}_sum`, labels, sum),
      formatLine(`${name}_count`, labels, cumulative),
    ];
  });
  return formatBlock(name, "histogram", help, lines);
}

function formatBlock(name: string, type: string, help: string, lines: readonly string[]): string {
  const escapedHelp = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return [`# HELP ${name} ${escapedHelp}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function formatLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${formatNumber(value)}`;
}

function escapeValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function formatNumber(value: number): string {
  return Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
}
