import { z } from "zod";

/** Body of `GET /openapi.json`, as far as it is said here: OpenAPI 3.1 says the rest. */
export const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string().startsWith("/"), z.record(z.string(), z.looseObject({ summary: z.string() }))),
});

/** Body of `GET /openrpc.json`, as far as clients may rely on it here; the rest is OpenRPC's own. */
export const openRpcSchema = z.looseObject({
  openrpc: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  methods: z.array(z.looseObject({ name: z.string() })),
});
