import { type CatalogueProject, catalogueProject } from "../../checker/cell-project.ts";

/** The catalogues one process holds, each a project of its own; the least recently used makes room. */
export interface CatalogueProjects {
  has(declarations: string): boolean;
  readonly size: number;
  /** The project for these declarations; `isNew` when it must be opened, after closing `evicted`. */
  take(declarations: string): {
    readonly project: CatalogueProject;
    readonly isNew: boolean;
    readonly evicted: readonly CatalogueProject[];
  };
}

export function createCatalogueProjects(maxCatalogues: number): CatalogueProjects {
  /** Least recently used first. */
  const open = new Map<string, CatalogueProject>();
  let last = 0;

  const evict = (): readonly CatalogueProject[] => {
    const [oldest] = open;
    if (oldest === undefined || open.size < maxCatalogues) return [];
    open.delete(oldest[0]);
    return [oldest[1], ...evict()];
  };

  return {
    has: (declarations) => open.has(declarations),
    get size() {
      return open.size;
    },
    take(declarations) {
      const known = open.get(declarations);
      if (known !== undefined) {
        open.delete(declarations);
        open.set(declarations, known);
        return { project: known, isNew: false, evicted: [] };
      }
      const evicted = evict();
      last += 1;
      const project = catalogueProject(last);
      open.set(declarations, project);
      return { project, isNew: true, evicted };
    },
  };
}
