import { context, diag, DiagLogLevel, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type Sampler,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

/** Where spans go; the first that is set holds. */
const ENDPOINTS = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const;

/** A collector that does not answer must not hold up the end. */
const FLUSH_MS = 5_000;

/**
 * Exports spans as OpenTelemetry's variables say, until it is disposed; that sends what is left. What cannot be
 * exported is warned about once, and nothing else fails for it. Settings that are not understood are warned about, and
 * the default holds.
 */
export async function startTracing(deps: {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly warn: (text: string) => void;
}): Promise<AsyncDisposable> {
  const { env, version, warn } = deps;
  const processor = await openProcessor(env, warn);
  if (processor === undefined) return { async [Symbol.asyncDispose]() {} };
  let isTold = false;
  const tell = (text: string): void => {
    if (isTold) return;
    isTold = true;
    warn(
      `Traces cannot be exported: ${reasonOf(text)}. Deputy keeps trying, and does not report this again.`,
    );
  };
  const ignore = (): void => undefined;
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const named = resourceFromAttributes({ "service.name": "deputy", "service.version": version });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: chooseSampler(env, warn),
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    async [Symbol.asyncDispose]() {
      trace.disable();
      context.disable();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FLUSH_MS);
      try {
        await Promise.race([provider.shutdown(), late]);
      } catch (error) {
        tell(error instanceof Error ? error.message : String(error));
      } finally {
        clearTimeout(timer);
        diag.disable();
      }
    },
  };
}

/** A failed export is told as JSON with a stack trace; its first line says what was wrong. */
function reasonOf(text: string): string {
  let told = text;
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === "string") told = message;
  } catch {
    // It is told in words.
  }
  // A message may have the address, and so what stands in it.
  return (told.split("\n", 1)[0] ?? "").slice(0, 200);
}

async function openProcessor(
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): Promise<SpanProcessor | undefined> {
  const name = env["OTEL_TRACES_EXPORTER"] ?? "";
  if (name === "console") return new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() });
  if (name !== "" && name !== "otlp") {
    warn(`OTEL_TRACES_EXPORTER: “${name}” is not known (otlp, console, none); no traces are exported.`);
    return undefined;
  }
  const exporter = await openExporter(env, warn);
  if (exporter === undefined) return undefined;
  return new BatchSpanProcessor({
    exporter,
    ...numbers(env, warn, {
      scheduledDelayMillis: "OTEL_BSP_SCHEDULE_DELAY",
      maxQueueSize: "OTEL_BSP_MAX_QUEUE_SIZE",
      maxExportBatchSize: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
      exportTimeoutMillis: "OTEL_BSP_EXPORT_TIMEOUT",
    }),
  });
}

/** The exporters themselves read the rest: endpoint, headers, timeout, compression, certificates. */
async function openExporter(
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): Promise<SpanExporter | undefined> {
  const named = ENDPOINTS.find((name) => (env[name] ?? "") !== "");
  // The exporter would send to the default address instead.
  if (named !== undefined && !/^https?:\/\/[^/]/.test(env[named] ?? "")) {
    warn(
      `${named}: that is not the address of a collector, such as http://127.0.0.1:4318; no traces are exported.`,
    );
    return undefined;
  }
  const protocol = env["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? env["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  switch (protocol) {
    case "":
    case "http/protobuf":
      return new (await import("@opentelemetry/exporter-trace-otlp-proto")).OTLPTraceExporter();
    case "http/json":
      return new (await import("@opentelemetry/exporter-trace-otlp-http")).OTLPTraceExporter();
    default:
      warn(
        `OTEL_EXPORTER_OTLP_PROTOCOL: “${protocol}” is not supported (http/protobuf, http/json); no traces are exported.`,
      );
      return undefined;
  }
}

function numbers<Key extends string>(
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
  names: Readonly<Record<Key, string>>,
): Partial<Record<Key, number>> {
  const read: Partial<Record<Key, number>> = {};
  for (const [key, name] of Object.entries(names) as [Key, string][]) {
    const text = env[name] ?? "";
    if (text === "") continue;
    if (/^[1-9]\d{0,8}$/.test(text)) read[key] = Number(text);
    else warn(`${name}: “${text}” is not a whole number; the default is used.`);
  }
  return read;
}

function chooseSampler(env: NodeJS.ProcessEnv, warn: (text: string) => void): Sampler {
  const name = env["OTEL_TRACES_SAMPLER"] ?? "";
  const root = (kind: string): Sampler | undefined => {
    switch (kind) {
      case "always_on":
        return new AlwaysOnSampler();
      case "always_off":
        return new AlwaysOffSampler();
      case "traceidratio":
        return new TraceIdRatioBasedSampler(ratioOf(env, warn));
      default:
        return undefined;
    }
  };
  const byDefault = new ParentBasedSampler({ root: new AlwaysOnSampler() });
  if (name === "") return byDefault;
  const prefix = "parentbased_";
  const chosen = root(name.startsWith(prefix) ? name.slice(prefix.length) : name);
  if (chosen === undefined) {
    warn(`OTEL_TRACES_SAMPLER: “${name}” is not known; all traces are taken.`);
    return byDefault;
  }
  return name.startsWith(prefix) ? new ParentBasedSampler({ root: chosen }) : chosen;
}

function ratioOf(env: NodeJS.ProcessEnv, warn: (text: string) => void): number {
  const text = env["OTEL_TRACES_SAMPLER_ARG"] ?? "";
  const ratio = text === "" ? 1 : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn(`OTEL_TRACES_SAMPLER_ARG: “${text}” is no number from 0 to 1; all traces are taken.`);
  return 1;
}
