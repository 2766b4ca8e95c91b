import { type CanonicalEvent, idSchema, type NewEvent } from "@deputy/protocol";
import { z } from "zod";

const copySchema = z.object({ stream: idSchema("session"), seq: z.int(), at: z.string() });

/** The first place and time of an event that was copied. */
export type CopyOf = z.infer<typeof copySchema>;

/**
 * The event, to be appended elsewhere: it says in `copyOf` what it is a copy of, so that what happened once
 * is counted once. Of a copy, the first original is named.
 */
export function copyEvent(event: CanonicalEvent): NewEvent {
  const { type, turnId, stream, seq, at } = event;
  const data = { ...event.data, copyOf: copyOf(event) ?? { stream, seq, at } };
  return { type, ...(turnId === undefined ? {} : { turnId }), data } as NewEvent;
}

/** Undefined for an event that happened where it stands. */
export function copyOf(event: { readonly data: unknown }): CopyOf | undefined {
  const { data } = event;
  if (typeof data !== "object" || data === null || !("copyOf" in data)) return undefined;
  return copySchema.safeParse(data.copyOf).data;
}
