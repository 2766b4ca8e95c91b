import type { EventLog } from "@deputy/protocol";
import { GatewayError } from "../../gateway-error.ts";
import type { RpcHandlers } from "../rpc-context.ts";

export function eventsHandlers(deps: {
  readonly log: EventLog;
}): RpcHandlers<"events.subscribe" | "events.unsubscribe"> {
  return {
    "events.subscribe": async ({ stream, after = 0 }, { feeds, afterAnswer }) => {
      const head = await deps.log.head(stream);
      if (head === undefined) throw new GatewayError("not_found", "There is no such stream");
      if (after > head.seq)
        throw new GatewayError("invalid_cursor", "`after` is not a position in this stream", {
          hint: "Leave it out to start from the beginning",
        });
      feeds.assertRoom(stream);
      afterAnswer(() => feeds.subscribe(stream, after));
      return { stream, after, head: head.seq };
    },
    "events.unsubscribe": async ({ stream }, { feeds }) => ({ ok: feeds.unsubscribe(stream) }),
  };
}
