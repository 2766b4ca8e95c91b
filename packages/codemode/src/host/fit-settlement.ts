import { utf8Length } from "../guest/utf8-length.ts";
import type { Settlement } from "../sandbox.ts";

/** An error's message may be as long as this; it is for reading. */
const MAX_MESSAGE_CHARS = 8_000;

/** An error's body is small, or not told: its message says the most of it. */
const MAX_BODY_BYTES = 256 * 1024;

/** A result beyond the limit becomes an error that the code can catch: the call itself has happened. */
export function fitSettlement(settlement: Settlement, maxBytes: number): Settlement {
  if (settlement.kind === "error") {
    const { bodyJson = "" } = settlement;
    const isBodySmall = utf8Length(bodyJson) <= Math.min(maxBytes, MAX_BODY_BYTES);
    return {
      ...settlement,
      message: settlement.message.slice(0, MAX_MESSAGE_CHARS),
      bodyJson: isBodySmall ? settlement.bodyJson : undefined,
    };
  }
  if (utf8Length(settlement.json) <= maxBytes) return settlement;
  const message = `The result is larger than ${maxBytes} bytes; ask for less`;
  return { kind: "error", code: "size_limit", message, atMs: settlement.atMs };
}
