import { z } from "zod";
import { definitionSchema } from "./definition.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A tool as the user has looked at it. */
const pinnedToolSchema = z.object({
  /** What programs call it, below the server's name; stays, whatever else the server comes to offer. */
  id: z.string().regex(/^[A-Za-z_$][\w$]{0,63}$/),
  hash,
  definition: definitionSchema,
});
export type PinnedTool = z.infer<typeof pinnedToolSchema>;

/** How what a server offers differs from what was looked at. */
const pinChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("changed"), hash, definition: definitionSchema }),
  z.object({ kind: z.literal("new"), hash, definition: definitionSchema }),
  z.object({ kind: z.literal("gone"), name: z.string() }),
]);
export type PinChange = z.infer<typeof pinChangeSchema>;

/** What the user has looked at and agreed to of one server, and what has become different since. */
export const pinsSchema = z.object({
  version: z.literal(1),
  /** Of what is started or asked: with another, nothing of this holds. */
  target: hash,
  server: z.object({ name: z.string(), version: z.string() }),
  pinnedAt: z.string(),
  offers: z.object({ resources: z.boolean(), prompts: z.boolean() }),
  tools: z.array(pinnedToolSchema),
  changes: z.array(pinChangeSchema),
});
export type Pins = z.infer<typeof pinsSchema>;

/** Where the pins of one server are kept. */
export interface PinStore {
  /**
   * Undefined when there are none; the same object while nobody has written, in whatever process. Throws
   * `mcp_pins_invalid` for what cannot be read as such.
   */
  read(): Pins | undefined;
  /** Whole or not at all. */
  write(pins: Pins): void;
}
