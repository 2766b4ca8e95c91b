import { benchSse } from "./gateway/sse.ts";
import { benchStalledReaders } from "./gateway/stalled.ts";
import { benchVersion } from "./gateway/version.ts";
import { benchWs } from "./gateway/ws.ts";

/** The routes for clients, compared with bare servers in the same run. */
export async function benchGateway(): Promise<void> {
  await benchSse();
  await benchWs();
  await benchStalledReaders();
  benchVersion();
}
