import type { Credentials, ToolContext } from "./tool.ts";
import { ToolsError } from "./tools-error.ts";

/** The credentials that a tool can have in one call: those that it declares, as far as the settings give them. */
export function declaredCredentials(
  path: string,
  declared: Readonly<Record<string, string>> = {},
  context: Pick<ToolContext, "credential">,
): Credentials {
  return {
    async get(name) {
      if (!Object.hasOwn(declared, name))
        throw new ToolsError("credential_refused", `${path} does not declare the credential “${name}”`, {
          hint: "A tool names what it needs in `credentials` of its definition.",
          quotes: [],
        });
      if (context.credential === undefined)
        throw new ToolsError("credential_missing", `There are no credentials here; ${path} needs “${name}”`, {
          quotes: [],
        });
      return await context.credential(name);
    },
  };
}
