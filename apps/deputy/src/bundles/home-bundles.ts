import { join, resolve } from "node:path";
import type { BundledPrograms } from "@deputy/bundles";
import type { BundleStore, RegistryPlace } from "@deputy/bundles/node";
import type { Home } from "../home.ts";
import { describeCondition } from "../process/report-failure.ts";

export interface HomeBundles {
  readonly store: BundleStore;
  /** Deputy's own registry first, then those of the settings by name. */
  readonly places: readonly RegistryPlace[];
}

/** What a home has of bundles, and whose it trusts. */
export async function openHomeBundles({
  directory,
  config,
}: Pick<Home, "directory" | "config">): Promise<HomeBundles> {
  const { openBundleStore, OWN_REGISTRY } = await import("@deputy/bundles/node");
  const named = Object.entries(config.bundles.registries).sort(([one], [other]) => (one < other ? -1 : 1));
  const places = named
    // The name of Deputy's own is nobody else's.
    .filter(([name]) => name !== OWN_REGISTRY.name)
    .map(([name, { at, keys }]) => ({
      name,
      at: /^https?:/.test(at) ? at : resolve(directory, at),
      keys,
    }));
  return { store: openBundleStore(join(directory, "bundles")), places: [OWN_REGISTRY, ...places] };
}

/** The programs of installed bundles, for a shell. A bundle that is refused is said once, and is not there. */
export async function openHomePrograms(
  home: Pick<Home, "directory" | "config">,
  warn: (text: string) => void,
): Promise<BundledPrograms> {
  const { openBundledPrograms } = await import("@deputy/bundles/node");
  const { store, places } = await openHomeBundles(home);
  return openBundledPrograms(store, places, (why, name) =>
    warn(`The bundle ${name} is not used: ${describeCondition(why) ?? "it cannot be read."}`),
  );
}
