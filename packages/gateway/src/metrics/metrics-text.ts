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
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, kind, help, samples }) => [
      `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
      `# TYPE ${name} ${kind}`,
      ...samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
