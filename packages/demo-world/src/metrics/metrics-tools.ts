import { demoMark } from "../demo-mark.ts";
import { SERIES, TOTALS } from "./series.ts";

const day = (description: string) => ({ type: "string", format: "date", description }) as const;
const names = Object.keys(SERIES);
const readOnly = { readOnlyHint: true, openWorldHint: false } as const;

interface MetricsTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
}

interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
}

/**
 * The tools of the metrics server, exactly as it lists them and as they are pinned. Both are ours, so the user need
 * not approve them first.
 */
export const METRICS_TOOLS: readonly MetricsTool[] = [
  {
    name: "list_series",
    description: `List the series that there are, with their units ${demoMark()}`,
    inputSchema: { type: "object", properties: {} },
    outputSchema: {
      type: "object",
      required: ["series"],
      properties: {
        series: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "unit", "description"],
            properties: {
              name: { type: "string" },
              unit: { type: "string" },
              description: { type: "string" },
            },
          },
        },
      },
    },
    annotations: readOnly,
  },
  {
    name: "query_series",
    description: `Get the daily values of a series, oldest first ${demoMark()}`,
    inputSchema: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", enum: names },
        from: day("The first day; default 30 days ago"),
        until: day("The last day; default today"),
      },
    },
    outputSchema: {
      type: "object",
      required: ["name", "unit", "points"],
      properties: {
        name: { type: "string" },
        unit: { type: "string" },
        points: {
          type: "array",
          items: {
            type: "object",
            required: ["day", "value"],
            properties: { day: day("UTC"), value: { type: "number" } },
          },
        },
      },
    },
    annotations: readOnly,
  },
  {
    name: "get_total",
    description: `Get the total number of visitors or of subscribers until now ${demoMark()}`,
    inputSchema: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string", enum: TOTALS } },
    },
    outputSchema: {
      type: "object",
      required: ["name", "total"],
      properties: { name: { type: "string" }, total: { type: "integer" } },
    },
    annotations: readOnly,
  },
];
