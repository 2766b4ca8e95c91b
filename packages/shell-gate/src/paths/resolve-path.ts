import { MAX_LINKS, MAX_LOOKUPS } from "../limits.ts";
import type { Entry, PathFacts } from "./path-facts.ts";

/** Where a path leads in the end. */
export interface Resolved {
  readonly path: string;
  /** What is at the path; undefined if it does not exist yet. */
  readonly entry: Entry | undefined;
}

export interface Resolver {
  /**
   * As the kernel does it: name by name, links followed where they stand, `..` from where a link led. Behind a name
   * that does not exist, the rest is taken as it is written. Nothing where there are too many links or lookups.
   */
  readonly resolve: (path: string, last: "follow" | "keep") => Resolved | undefined;
}

export function createResolver(facts: PathFacts): Resolver {
  let lookups = 0;
  return {
    resolve(path, last) {
      const rest = namesOf(path).reverse();
      const done: string[] = [];
      let links = 0;
      let entry: Entry | undefined = { kind: "directory", names: 1 };
      for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
        if (name === "..") {
          done.pop();
          entry = { kind: "directory", names: 1 };
          continue;
        }
        const here: string = `/${[...done, name].join("/")}`;
        lookups += 1;
        if (lookups > MAX_LOOKUPS) return undefined;
        entry = facts.look(here);
        if (entry?.kind !== "link" || (last === "keep" && rest.length === 0)) {
          done.push(name);
          continue;
        }
        links += 1;
        const target = facts.target(here);
        if (target === undefined || links > MAX_LINKS) return undefined;
        if (target.startsWith("/")) done.length = 0;
        rest.push(...namesOf(target).reverse());
        entry = { kind: "directory", names: 1 };
      }
      return { path: `/${done.join("/")}`, entry };
    },
  };
}

export function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** True if a path is the directory or is inside it; both are resolved. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === "/" || path.startsWith(`${directory}/`);
}

export function joinPath(directory: string, path: string): string {
  return path.startsWith("/") ? path : `${directory}/${path}`;
}
