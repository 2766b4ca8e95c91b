import type { Home } from "../home.ts";
import type { Engine } from "../engine.ts";

/** What the parts of the setup door share. */
export interface SetupDeps extends Pick<
  Engine,
  "redact" | "learnSecret" | "catalogue" | "clock" | "agents" | "defaultModel"
> {
  /** With the settings that are in force. */
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Why the last restart was given up, if it was. */
  readonly refusal: string | undefined;
}
