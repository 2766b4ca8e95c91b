import { defineTool, type ToolTree } from "@deputy/tools/plugin-api";
import { z } from "zod";
import { openService, type ServiceOptions, type ServiceRequest } from "../ask-service.ts";

const MOST_ROWS = 10_000;
const MOST_SITE_CHARS = 253;

const project = z
  .union([z.int().positive(), z.literal("@current")])
  .default("@current")
  .describe("A project's id; @current is the one that the key's owner used last");
const moment = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .describe("A day or a moment: 2026-03-01, 2026-03-01T09:00:00Z; days are UTC");
const period = {
  since: moment.optional().describe("From then on; without it, from the beginning"),
  until: moment.optional().describe("Before then; without it, until now"),
};
const host = z
  .string()
  .regex(/^[\w.-]+(?::\d+)?$/, "must be a host such as example.org")
  .max(MOST_SITE_CHARS)
  .optional()
  .describe("Only pages of this host, if the project has several: example.org");

/** The rows of a query; PostHog leaves out what a kind of query does not have. */
const rawAnswer = z.object({
  columns: z.array(z.string()).nullish(),
  results: z.array(z.array(z.unknown())),
  hasMore: z.boolean().nullish(),
});
interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly host?: string | undefined;
}
const count = z.object({ count: z.int().nonnegative() });

const WHAT = "A personal API key of PostHog (phx_…) with the scopes query:read and project:read";

/**
 * `tools.posthog.*`, over PostHog's documented API: nothing here writes. What visitors may have made up (names of events,
 * properties, addresses) is not vouched for; counts are.
 */
export function createPostHogPlugin(options: ServiceOptions = {}): ToolTree {
  const { ask, needed } = openService(
    {
      name: "PostHog",
      credential: "posthog",
      what: WHAT,
      baseUrl: "https://us.posthog.com",
      headers: {},
    },
    options,
  );
  const queryOf = (id: number | "@current", query: string, values: object = {}): ServiceRequest => ({
    method: "POST",
    path: `/api/projects/${id}/query/`,
    body: { query: { kind: "HogQLQuery", query, values } },
    isRead: true,
  });
  const filterOf = ({ since, until, host: site }: Period) => {
    const parts = [
      ...(since === undefined ? [] : ["timestamp >= toDateTime({since}, 'UTC')"]),
      ...(until === undefined ? [] : ["timestamp < toDateTime({until}, 'UTC')"]),
      ...(site === undefined ? [] : ["properties.$host = {host}"]),
    ];
    const values = {
      ...(since === undefined ? {} : { since: asUtc(since) }),
      ...(until === undefined ? {} : { until: asUtc(until) }),
      ...(site === undefined ? {} : { host: site }),
    };
    return { where: parts.map((part) => ` and ${part}`).join(""), values };
  };
  const countOf = (rows: readonly (readonly unknown[])[]): number => Number(rows[0]?.[0] ?? 0);

  return {
    posthog: {
      visitors: defineTool({
        description: "Count the visitors of a site: how many different people have seen a page of it",
        approval: "auto",
        effect: "read",
        ...needed,
        trust: { values: ["count"] },
        args: z.object({ project, host, ...period }),
        returns: count,
        run: async (input, context) => {
          const { where, values } = filterOf(input);
          const query = `select count(distinct person_id) from events where event = '$pageview'${where}`;
          const answer = await ask(queryOf(input.project, query, values), rawAnswer, context);
          return { count: countOf(answer.results) };
        },
      }),

      events: {
        count: defineTool({
          description: "Count how often an event happened, such as a sign-up or a page view",
          approval: "auto",
          effect: "read",
          ...needed,
          trust: { values: ["count"] },
          args: z.object({ project, event: z.string().min(1).max(400), host, ...period }),
          returns: count,
          run: async (input, context) => {
            const { where, values } = filterOf(input);
            const query = `select count() from events where event = {event}${where}`;
            const request = queryOf(input.project, query, { ...values, event: input.event });
            const answer = await ask(request, rawAnswer, context);
            return { count: countOf(answer.results) };
          },
        }),

        names: defineTool({
          description:
            "List the events of the last 30 days with how often each happened, the most frequent first",
          approval: "auto",
          effect: "read",
          ...needed,
          trust: { values: ["*.count"] },
          args: z.object({ project, limit: z.int().min(1).max(1_000).default(100) }),
          returns: z.array(z.object({ event: z.string(), count: z.int() })),
          run: async (input, context) => {
            const query = `select event, count() from events where timestamp > now() - interval 30 day group by event order by count() desc limit ${input.limit}`;
            const answer = await ask(queryOf(input.project, query), rawAnswer, context);
            return answer.results.map(([event, seen]) => ({ event: String(event), count: Number(seen) }));
          },
        }),
      },

      query: defineTool({
        description: "Ask PostHog's data in HogQL, its SQL: a select over events, persons, sessions",
        approval: "auto",
        effect: "read",
        ...needed,
        args: z.object({
          project,
          query: z
            .string()
            .regex(/^\s*(?:select|with)\b/i, "must be a select")
            .max(20_000),
          values: z
            .record(z.string().regex(/^[a-z]\w*$/i), z.union([z.string(), z.number(), z.boolean()]))
            .default({})
            .describe("For {name} in the query"),
          limit: z.int().min(1).max(MOST_ROWS).default(100).describe("The most rows that come back"),
        }),
        returns: z.object({
          columns: z.array(z.string()),
          rows: z.array(z.array(z.unknown())),
          hasMore: z.boolean(),
        }),
        run: async (input, context) => {
          const answer = await ask(queryOf(input.project, input.query, input.values), rawAnswer, context);
          return {
            columns: answer.columns ?? [],
            rows: answer.results.slice(0, input.limit),
            hasMore: answer.hasMore === true || answer.results.length > input.limit,
          };
        },
      }),

      projects: defineTool({
        description: "List the projects that the key may see",
        approval: "auto",
        effect: "read",
        ...needed,
        trust: { values: ["*.id"] },
        args: z.object({}),
        returns: z.array(z.object({ id: z.int(), name: z.string() })),
        run: async (_input, context) => {
          const page = z.object({ results: z.array(z.object({ id: z.int(), name: z.string() })) });
          const found = await ask({ path: "/api/projects/", query: { limit: "100" } }, page, context);
          return found.results;
        },
      }),
    },
  };
}

/** `2026-03-01 09:00:00`, as `toDateTime` reads it. */
function asUtc(text: string): string {
  return new Date(text).toISOString().slice(0, 19).replace("T", " ");
}
