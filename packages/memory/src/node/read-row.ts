import type { Row } from "@deputy/sqlite";

export function textIn(row: Row | undefined, name: string): string {
  const value = row?.[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(row: Row | undefined, name: string): number {
  const value = row?.[name];
  return typeof value === "number" ? value : 0;
}
