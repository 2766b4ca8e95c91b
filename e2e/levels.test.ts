import { join } from "node:path";
import { expect, test } from "vitest";
import { importsOf, listSources, listWorkspaces } from "./repository.ts";

const workspaces = listWorkspaces();
const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

test.each(workspaces)("[R1] $name imports only packages of lower levels", ({ name, level, folder }) => {
  const wrong = listSources(join(folder, "src")).flatMap((path) =>
    importsOf(path)
      .map((specifier) => byName.get(packageOf(specifier)))
      .filter((target) => target !== undefined && target.name !== name)
      .filter((target) => level !== "dev" && (target?.level === "dev" || Number(target?.level) >= level))
      .map((target) => `${path} imports ${target?.name}`),
  );
  expect(wrong).toEqual([]);
});

test.each(workspaces)(
  "[R2] $name declares every package it imports",
  ({ name, folder, dependencies, level }) => {
    const undeclared = listSources(join(folder, "src")).flatMap((path) =>
      importsOf(path)
        .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
        .map(packageOf)
        .filter(
          (target) =>
            target !== name && !dependencies.includes(target) && !(level === "dev" && target === "vitest"),
        )
        .map((target) => `${path} imports ${target}`),
    );
    expect(undeclared).toEqual([]);
  },
);

test("[SQ6] only packages/sqlite imports node:sqlite", () => {
  const importers = workspaces
    .flatMap(({ folder }) => listSources(join(folder, "src")))
    .filter((path) => importsOf(path).includes("node:sqlite"));
  expect(importers).toEqual(["packages/sqlite/src/database.ts"]);
});

/** Subpaths that are for Node only; everything else of a portable package runs in a browser too. */
const NODE_ONLY = /\/src\/node\//;

test.each(workspaces.filter((workspace) => workspace.portable))("[R3] $name is portable", ({ folder }) => {
  const wrong = listSources(join(folder, "src"))
    .filter((path) => !NODE_ONLY.test(`/${path}`))
    .flatMap((path) =>
      importsOf(path)
        .filter((specifier) => specifier.startsWith("node:") || /\/node(\/|$)/.test(specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    );
  expect(wrong).toEqual([]);
});
