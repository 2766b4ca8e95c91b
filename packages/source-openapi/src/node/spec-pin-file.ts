import { readPrivate, writePrivate } from "@deputy/tools/node/private-file";
import { ToolsError } from "@deputy/tools";
import { type SpecPinStore, specPinsSchema } from "../pins/spec-pins.ts";

/** The pins of one document in a file. */
export function createSpecPinFile(file: string): SpecPinStore {
  return {
    read() {
      const text = readPrivate(file);
      if (text === undefined) return undefined;
      try {
        return specPinsSchema.parse(JSON.parse(text));
      } catch (cause) {
        throw new ToolsError("spec_pins_invalid", `${file} does not hold what Deputy wrote there`, {
          cause,
          hint: "Delete it, and look at the document again with `deputy tools approve`.",
        });
      }
    },
    write: (pins) => writePrivate(file, `${JSON.stringify(pins)}\n`),
  };
}
