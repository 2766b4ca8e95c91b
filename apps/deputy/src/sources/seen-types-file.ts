import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSeenTypes, type SeenTypes } from "@deputy/tools";
import { z } from "zod";
import { changeFile } from "../config/config-file.ts";

const types = z.array(z.enum(["string", "number", "boolean", "null", "object", "array"]));
interface Shape {
  readonly type?: z.infer<typeof types> | undefined;
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: Shape | undefined;
  readonly items?: Shape | undefined;
}
const shape: z.ZodType<Shape> = z.lazy(() =>
  z.strictObject({
    type: types.optional(),
    properties: z.record(z.string(), shape).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: shape.optional(),
    items: shape.optional(),
  }),
);
const content = z.strictObject({ tools: z.record(z.string(), shape) });

/** The shapes of results, kept in the home: types and names, no values. An invalid file is replaced by a new one. */
export function openSeenTypes(home: string): SeenTypes {
  const file = join(home, "seen-types.json");
  return createSeenTypes(read(file), (tools) => changeFile(file, () => `${JSON.stringify({ tools })}\n`));
}

function read(file: string): Parameters<typeof createSeenTypes>[0] {
  try {
    const found = content.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return found.success ? (found.data.tools as Parameters<typeof createSeenTypes>[0]) : {};
  } catch {
    return {};
  }
}
