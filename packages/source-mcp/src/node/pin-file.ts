import { statSync } from "node:fs";
import { type Pins, type PinStore, pinsSchema } from "../pins.ts";
import { ToolsError } from "@deputy/tools";
import { readPrivate, writePrivate } from "@deputy/tools/node/private-file";

/** The pins of one server in a file. */
export function createPinFile(file: string): PinStore {
  let known: { readonly stamp: string; readonly pins: Pins } | undefined;
  return {
    read() {
      const stamp = stampOf(file);
      if (stamp !== undefined && known?.stamp === stamp) return known.pins;
      const text = readPrivate(file);
      if (stamp === undefined || text === undefined) return undefined;
      try {
        const pins = pinsSchema.parse(JSON.parse(text));
        known = { stamp, pins };
        return pins;
      } catch (cause) {
        throw new ToolsError("mcp_pins_invalid", `${file} does not hold what Deputy wrote there`, {
          cause,
          hint: "Delete it, and look at the server's tools again with `deputy tools approve`.",
        });
      }
    },
    write: (pins) => writePrivate(file, `${JSON.stringify(pins, null, 2)}\n`),
  };
}

/** Changes whenever the file is written; undefined when there is no file. */
function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
