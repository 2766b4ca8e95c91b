import { fileURLToPath } from "node:url";
import type { RegistryPlace } from "./place.ts";

/** An installed Deputy has it beside its program. */
const FILE = import.meta.url.endsWith(".ts")
  ? new URL("../../registry/deputy.registry", import.meta.url)
  : new URL("./bundles/deputy.registry", import.meta.url);

/** What Deputy itself offers, and the key that signs it. */
export const OWN_REGISTRY: RegistryPlace = {
  name: "deputy",
  at: fileURLToPath(FILE),
  keys: ["ed25519:TmC2ZdmCQS9Gv7i545tq+cEolE5UoaVeKDYqiZQ8Pck="],
};
