import * as fc from "fast-check";
import { SEED } from "./seed.ts";

// As vitest's setup: properties are tried with the same values in every run. One that fails prints seed and path.
fc.configureGlobal({ seed: SEED });
