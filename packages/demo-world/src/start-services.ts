import type { Clock } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import { createGuardedFetch } from "@deputy/net/node";
import type { Fetch } from "@deputy/source-openapi";
import { DEMO_VERSION } from "./demo-mark.ts";
import { startDemoServer } from "./demo-server.ts";
import { createMailbox } from "./mailbox/mailbox.ts";
import { createMailboxService } from "./mailbox/mailbox-service.ts";
import { createMetricsService } from "./metrics/metrics-service.ts";
import { createTracker } from "./tracker/tracker.ts";
import { createTrackerService } from "./tracker/tracker-service.ts";

/** The services while they run. */
export interface RunningServices extends AsyncDisposable {
  /** Sends requests to their server, whatever the host of the address is. */
  readonly fetch: Fetch;
}

export async function startServices(deps: {
  /** The folder of their data. */
  readonly folder: string;
  readonly token: string;
  readonly clock: Clock;
  /** The time in the mailbox and in the metrics. */
  readonly time: Pick<Clock, "now">;
  readonly audit: NetAudit;
}): Promise<RunningServices> {
  const { folder, token, clock, time, audit } = deps;
  const server = await startDemoServer({
    token,
    services: {
      github: createTrackerService(createTracker({ folder, clock })),
      mail: createMailboxService(createMailbox({ folder, clock: time })),
      metrics: createMetricsService({ folder, clock: time, version: DEMO_VERSION }),
    },
  });
  const { origin } = server;
  const guarded = createGuardedFetch({ audit, allowPrivate: [origin] });
  return {
    fetch: async (url, init) => await guarded(new URL(`${url.pathname}${url.search}`, origin), init),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
