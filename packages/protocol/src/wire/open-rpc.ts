import { z } from "zod";

/** Body of `GET /openrpc.json`, as far as clients may rely on it here; the rest is OpenRPC's own. */
export const openRpcSchema = z.looseObject({
  openrpc: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  methods: z.array(z.looseObject({ name: z.string() })),
});
