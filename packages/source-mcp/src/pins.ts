import { z } from "zod";
import { definitionSchema } from "./definition.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A tool as the user has reviewed it. */
const pinnedToolSchema = z.object({
  /** The name in programs, below the server's name; it stays, even if the server offers other tools later. */
  id: z.string().regex(/^[A-Za-z_$][\w$]{0,63}$/),
  hash,
  definition: definitionSchema,
});
export type PinnedTool = z.infer<typeof pinnedToolSchema>;

/** How a server's tools differ from those that were reviewed. */
const pinChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("changed"), hash, definition: definitionSchema }),
  z.object({ kind: z.literal("new"), hash, definition: definitionSchema }),
  z.object({ kind: z.literal("gone"), name: z.string() }),
]);
export type PinChange = z.infer<typeof pinChangeSchema>;

/** The definitions of one server that the user has approved, and the differences since. */
export const pinsSchema = z.object({
  version: z.literal(1),
  /** Identifies what is started or connected to: for another one, nothing of this is valid. */
  target: hash,
  server: z.object({ name: z.string(), version: z.string() }),
  pinnedAt: z.string(),
  offers: z.object({ resources: z.boolean(), prompts: z.boolean() }),
  tools: z.array(pinnedToolSchema),
  changes: z.array(pinChangeSchema),
});
export type Pins = z.infer<typeof pinsSchema>;

/** Stores the pins of one server. */
export interface PinStore {
  /**
   * Undefined if there are none; the same object until some process writes. Throws `mcp_pins_invalid` for an
   * invalid file.
   */
  read(): Pins | undefined;
  /** Writes everything or nothing. */
  write(pins: Pins): void;
}
