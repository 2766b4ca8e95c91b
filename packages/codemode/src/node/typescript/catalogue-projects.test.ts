import { expect, test } from "vitest";
import { createCatalogueProjects } from "../typescript-process.ts";

test("[C74] a catalogue keeps its project; the least recently used makes room", () => {
  const projects = createCatalogueProjects(2);
  const a = projects.take("a");
  const b = projects.take("b");
  expect([a.isNew, b.isNew, a.evicted, b.evicted]).toEqual([true, true, [], []]);
  expect(projects.take("a")).toEqual({ project: a.project, isNew: false, evicted: [] });
  const c = projects.take("c");
  expect(c.evicted).toEqual([b.project]);
  expect([projects.has("a"), projects.has("b"), projects.has("c"), projects.size]).toEqual([
    true,
    false,
    true,
    2,
  ]);
});

test("[C74] never reuses a project's files for another", () => {
  const projects = createCatalogueProjects(1);
  const seen = ["a", "b", "a", "b"].map((name) => projects.take(name).project.cell);
  expect(new Set(seen).size).toBe(4);
});
