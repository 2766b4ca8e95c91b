import { existsSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { PlaceTerms } from "../../sandbox/command-place.ts";
import type { SandboxMount } from "@deputy/tools";

/** What the settings say of commands, with paths as the disk has them: of what is hidden, nothing is mounted. */
export function placeTerms(settings: {
  readonly network: PlaceTerms["network"];
  /** Paths that are visible in addition to the system's own, to read or to write. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Always hidden, whatever else is visible: Deputy's home. */
  readonly hidden: readonly string[];
  readonly limits: PlaceTerms["limits"];
}): PlaceTerms {
  const hidden = settings.hidden.map(realPath);
  const isHidden = (path: string): boolean =>
    hidden.some((place) => path === place || path.startsWith(place + sep));
  const mount = (paths: readonly string[], access: SandboxMount["access"]): readonly SandboxMount[] =>
    paths
      .map(realPath)
      .filter((path) => existsSync(path) && !isHidden(path))
      .map((path) => ({ from: path, at: path, access }));
  return {
    network: settings.network,
    mounts: [...mount(settings.readable, "read"), ...mount(settings.writable, "write")],
    hidden,
    limits: settings.limits,
  };
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
