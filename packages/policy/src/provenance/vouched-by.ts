import type { ResultTrust } from "@deputy/protocol";

/** Tells by its path whether a value of a result may be passed on whole. */
export function vouchedBy(trust: ResultTrust): (path: readonly string[]) => boolean {
  if (trust === "untrusted") return () => false;
  if (trust === "trusted") return () => true;
  const patterns = trust.values.map((pattern) => pattern.split("."));
  return (path) => patterns.some((pattern) => fits(pattern, path));
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length && pattern.every((segment, at) => segment === "*" || segment === path[at])
  );
}
