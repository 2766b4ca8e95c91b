import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import { z } from "zod";
import { createDemoFile } from "./demo-file.ts";
import { FASTEST_DEMO } from "./fastest-demo.ts";

/** A shorter sleep in demo time would only keep the process busy. */
const SHORTEST_SLEEP_MS = 20;

const settingSchema = z.object({
  /** When it was set, by the machine's clock, and what it was set to. */
  setAt: z.iso.datetime(),
  demoAt: z.iso.datetime(),
  speed: z.number().min(1).max(FASTEST_DEMO),
});

export interface DemoClock {
  readonly clock: Clock;
  readonly speed: number;
}

/**
 * The demo's own time. It is the machine's time until a speed is given. From then on it runs that much faster, also
 * while Deputy is down, and it never goes back when the speed changes. Throws as `DemoFile.read` does.
 */
export function openDemoClock(deps: {
  /** The home's directory. */
  readonly home: string;
  readonly clock: Clock;
  /** Undefined: as it was. */
  readonly speed: number | undefined;
}): DemoClock {
  const { clock, speed } = deps;
  const path = join(deps.home, "demo", "clock.json");
  if (speed === undefined && !existsSync(path)) return { clock, speed: 1 };
  const now = (): string => new Date(clock.now()).toISOString();
  const file = createDemoFile(path, settingSchema, () => ({
    setAt: now(),
    demoAt: now(),
    speed: speed ?? 1,
  }));
  let setting = file.read();
  const readMs = (): number =>
    Date.parse(setting.demoAt) + (clock.now() - Date.parse(setting.setAt)) * setting.speed;
  if (speed !== undefined && speed !== setting.speed) {
    setting = { setAt: now(), demoAt: new Date(readMs()).toISOString(), speed };
    file.write(setting);
  }
  const fixed = setting;
  return {
    speed: fixed.speed,
    clock: {
      now: readMs,
      monotonicMs: () => clock.monotonicMs() * fixed.speed,
      sleep: (ms, signal) => clock.sleep(Math.max(ms / fixed.speed, Math.min(ms, SHORTEST_SLEEP_MS)), signal),
    },
  };
}
