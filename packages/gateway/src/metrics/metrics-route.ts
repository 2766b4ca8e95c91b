import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import { GatewayError } from "../gateway-error.ts";
import type { AttemptLimiter } from "../guards/attempt-limiter.ts";
import type { SignInAudit } from "../guards/sign-in-audit.ts";
import { isSame } from "../hooks/same-secret.ts";
import type { Route } from "../route.ts";
import { createLogMetrics } from "./log-metrics.ts";
import { type Metric, METRICS_TYPE, metricsText } from "./metrics-text.ts";

export interface MetricsDoor {
  /** The token for `/metrics` alone; read at each request. Undefined: there are no metrics. */
  readonly token: () => string | undefined;
  /** Separate from the limiter of the owner's token. */
  readonly limiter: AttemptLimiter;
  readonly audit: Pick<SignInAudit, "rejected">;
}

/** Figures for Prometheus: numbers and names of models, and nothing of what was said. */
export function metricsRoute(deps: {
  readonly log: Pick<EventLog, "readAll">;
  readonly clock: Clock;
  readonly version: string;
  readonly metricsDoor: MetricsDoor;
}): Route {
  const { clock, version } = deps;
  const { token, limiter, audit } = deps.metricsDoor;
  const metrics = createLogMetrics(deps.log);
  const startedMs = clock.now();
  return {
    method: "GET",
    path: "/metrics",
    auth: "own_secret",
    doc: {
      summary: "Figures in Prometheus' text format, with the token of `gateway.metricsToken`",
      answers: { 200: [{ kind: "file", contentType: "text/plain" }] },
    },
    async handle({ headers, from, ends }) {
      const expected = token();
      if (expected === undefined || expected === "")
        throw new GatewayError("not_found", "There are no metrics: no token is set for them", {
          hint: "`gateway.metricsToken` refers to one",
        });
      const blockedMs = limiter.blockedMs(from);
      const refuse = (reason: "wrong_token" | "too_many_attempts"): void =>
        audit.rejected({
          from,
          route: "GET /metrics",
          client: headers["user-agent"],
          how: "metrics",
          reason,
        });
      if (blockedMs > 0) {
        refuse("too_many_attempts");
        const seconds = String(Math.max(1, Math.ceil(blockedMs / 1_000)));
        throw new GatewayError("too_many_attempts", "Too many wrong tokens came from this address", {
          headers: { "retry-after": seconds },
        });
      }
      const [, presented = ""] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
      if (!isSame(presented, expected)) {
        limiter.countWrong(from);
        refuse("wrong_token");
        throw new GatewayError("unauthorized", "This needs the token for metrics", {
          hint: "Send it as `Authorization: Bearer …`",
        });
      }
      const all = [...ofProcess(version, startedMs, clock), ...(await metrics.read(ends()))];
      return { kind: "file", contentType: METRICS_TYPE, body: metricsText(all) };
    },
  };
}

/** As Prometheus' own libraries name them. */
function ofProcess(version: string, startedMs: number, clock: Clock): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const one = (
    name: string,
    kind: Metric["kind"],
    help: string,
    value: number,
    labels: Readonly<Record<string, string>> = {},
  ): Metric => ({ name, kind, help, samples: [{ value, labels }] });
  return [
    one("deputy_info", "gauge", "The version that runs.", 1, { version }),
    one("deputy_uptime_seconds", "gauge", "Since it was started.", (clock.now() - startedMs) / 1_000),
    one("process_cpu_seconds_total", "counter", "Time on all processors.", (user + system) / 1_000_000),
    one("process_resident_memory_bytes", "gauge", "Memory that it occupies.", rss),
    one("nodejs_heap_size_used_bytes", "gauge", "Memory of JavaScript.", heapUsed),
  ];
}
