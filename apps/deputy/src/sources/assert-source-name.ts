import { OWN_NAMESPACES } from "@deputy/builtins";
import { makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { SOURCE_NAME } from "../config/tool-source-schema.ts";

/** Throws `usage` for a name that no tool source can have. */
export function assertSourceName(name: string, kind: "server" | "source"): void {
  const hint = "Take another name, such as `github`; nothing was changed.";
  if (!SOURCE_NAME.test(name))
    throw new AppError("usage", `“${makeVisible(name)}” cannot be the name of a ${kind}`, { hint });
  if (OWN_NAMESPACES.has(name)) throw new AppError("usage", `tools.${name} are Deputy's own`, { hint });
}
