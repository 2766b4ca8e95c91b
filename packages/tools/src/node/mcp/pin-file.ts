import { type PinStore, pinsSchema } from "../../mcp/pins.ts";
import { ToolsError } from "../../tools-error.ts";
import { readPrivate, writePrivate } from "./private-file.ts";

/** The pins of one server in a file. */
export function createPinFile(file: string): PinStore {
  return {
    read() {
      const text = readPrivate(file);
      if (text === undefined) return undefined;
      try {
        return pinsSchema.parse(JSON.parse(text));
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
