import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import { z } from "zod";
import { createDemoFile } from "../demo-file.ts";
import { daysAgo } from "../days-ago.ts";
import type { DemoService } from "../demo-service.ts";
import { METRICS_TOOLS } from "./metrics-tools.ts";
import { dayOf, pointsOf, SERIES, type SeriesName, totalOf, TOTALS } from "./series.ts";

const INCIDENT_DAYS_AGO = 9;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

const queryInput = z.object({
  name: z.enum(Object.keys(SERIES) as [SeriesName, ...SeriesName[]]),
  from: z.iso.date().optional(),
  until: z.iso.date().optional(),
});

const totalInput = z.object({ name: z.enum(TOTALS) });

export interface MetricsDeps {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
  readonly version: string;
}

/** The metrics as an MCP server over streamable HTTP. The SDK is loaded with the first request. */
export function createMetricsService(deps: MetricsDeps): DemoService {
  const { clock } = deps;
  const file = createDemoFile(
    join(deps.folder, "metrics.json"),
    z.object({ incidentDay: z.iso.date() }),
    () => ({ incidentDay: daysAgo(clock.now(), INCIDENT_DAYS_AGO).slice(0, 10) }),
  );
  const callTool = (name: string, input: unknown): object => {
    if (name === "list_series")
      return {
        series: Object.entries(SERIES).map(([series, { unit, description }]) => {
          return { name: series, unit, description };
        }),
      };
    if (name === "get_total") {
      const { name: series } = totalInput.parse(input);
      const { incidentDay } = file.read();
      const firstDay = dayOf(Date.parse(incidentDay) + INCIDENT_DAYS_AGO * DAY_MS);
      return { name: series, total: totalOf(series, clock.now(), firstDay, incidentDay) };
    }
    const query = queryInput.parse(input);
    const today = dayOf(clock.now());
    const from = query.from ?? daysAgo(clock.now(), DEFAULT_DAYS).slice(0, 10);
    const until = query.until === undefined || query.until > today ? today : query.until;
    const points = pointsOf(query.name, from, until, file.read().incidentDay);
    return { name: query.name, unit: SERIES[query.name].unit, points };
  };

  let handler: Promise<(request: Request, body: unknown) => Promise<Response>> | undefined;
  return async ({ method, url, headers, body }, signal) => {
    handler ??= openHandler(deps.version, callTool);
    const answer = await handler;
    const parsed: unknown = body === "" ? undefined : JSON.parse(body);
    return await answer(new Request(url, { method, headers: spokenIn(headers), signal }), parsed);
  };
}

async function openHandler(version: string, callTool: (name: string, input: unknown) => object) {
  const { createMcpHandler, Server } = await import("@modelcontextprotocol/server");
  const build = () => {
    const server = new Server({ name: "demo-metrics", version }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: [...METRICS_TOOLS] }));
    server.setRequestHandler("tools/call", ({ params }) => {
      try {
        const result = callTool(params.name, params.arguments ?? {});
        return {
          content: [{ type: "text", text: JSON.stringify(result) }],
          structuredContent: { ...result },
        };
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return { content: [{ type: "text", text }], isError: true };
      }
    });
    return server;
  };
  const { fetch } = createMcpHandler(build, { keepAliveMs: 0 });
  return async (request: Request, parsedBody: unknown) => await fetch(request, { parsedBody });
}

/** The headers of the protocol itself, without those of the connection. */
function spokenIn(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => /^(?:accept|content-type|mcp-[\w-]+)$/.test(name)));
}
