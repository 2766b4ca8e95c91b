import { createGrantsReader } from "@deputy/agent/readers";
import type { ChatGrants } from "@deputy/client";
import { createSystemClock } from "@deputy/kit";
import type { Invocation } from "../invocation.ts";
import { openDecisions } from "./open-decisions.ts";
import { readLog } from "./read-log.ts";

/** The grants of a home whose daemon runs: read from its log, revoked by the daemon. */
export function openChatGrants(invocation: Invocation): ChatGrants {
  const clock = createSystemClock();
  return {
    list: () => readLog(invocation, [], (log) => createGrantsReader({ log, clock }).list()),
    async revoke(id, signal) {
      await using decisions = await openDecisions(invocation);
      await decisions.revoke(id, signal);
    },
  };
}
