import { ToolsError } from "@deputy/tools";

/** No answer that means anything is so deep, and whoever walks one needs a stack for it. */
const MOST_LEVELS = 200;

/** Whether lists and objects are nested beyond what is read. Looks no deeper than that itself. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

/** Throws `response_invalid`. */
export function assertShallow(value: unknown, host: string): void {
  if (isTooDeep(value))
    throw new ToolsError(
      "response_invalid",
      `${host} answered with lists or objects more than ${MOST_LEVELS} levels deep`,
    );
}
