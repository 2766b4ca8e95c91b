import { benchSse } from "./gateway/sse.ts";

/** The doors for clients, beside bare servers in the same run. */
export async function benchGateway(): Promise<void> {
  await benchSse();
}
