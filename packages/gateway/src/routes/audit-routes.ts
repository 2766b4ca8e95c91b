import { auditFilterSchema } from "@deputy/protocol/wire";
import { GatewayError } from "../gateway-error.ts";
import type { Route } from "../route.ts";
import { validate } from "../validate.ts";
import type { AuditDoor } from "../ws/methods/activity-handlers.ts";

/** The log as a file. */
export function auditRoutes({ audit }: { readonly audit?: AuditDoor | undefined }): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/audit/export",
      auth: "bearer",
      doc: {
        summary: "The log, or a part of it, to be saved: one JSON line for each event, the oldest first",
        query: {
          types: { description: "Types, or what they begin with, with commas between them", pattern: ".+" },
          stream: { description: "Of one conversation or task", pattern: ".+" },
          since: { description: "From this moment on", pattern: ".+" },
          until: { description: "Before this moment", pattern: ".+" },
          text: { description: "Must be in what is told about it", pattern: ".+" },
        },
        answers: { 200: [{ kind: "file", contentType: "application/octet-stream" }] },
      },
      handle: async ({ query }) => {
        if (audit === undefined)
          throw new GatewayError("not_available", "The log as a whole cannot be looked at here");
        const { types, ...said } = Object.fromEntries(query);
        const filter = validate(auditFilterSchema, {
          ...said,
          ...(types === undefined ? {} : { types: types.split(",") }),
        });
        return { kind: "download", chunks: encoded(audit.lines(filter)) };
      },
    },
  ];
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}
