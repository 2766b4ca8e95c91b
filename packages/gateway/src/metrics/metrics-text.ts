/** A figure with what it is about; `counter` only ever grows. */
export interface Metric {
  /** With its unit, as Prometheus has them: `deputy_tokens_total`. */
  readonly name: string;
  readonly kind: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Prometheus' text format, version 0.0.4. A metric without samples is left out. */
export function metricsText(metrics: readonly Metric[]): string {
  const lines: string[] = [];
  for (const { name, kind, help, samples } of metrics) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`);
    lines.push(`# TYPE ${name} ${kind}`);
    for (const { labels = {}, value } of samples) lines.push(`${name}${labelsText(labels)} ${value}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
