import type { Config } from "../config.ts";
import { toolSourcesOf } from "../config/tool-source-schema.ts";
import { checkSources } from "../sources/check-sources.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";

/** One finding for each source with a problem, or one for all of them. */
export async function checkTools(
  directory: string,
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> {
  const problems = await checkSources(directory, config, env);
  if (problems.length > 0)
    return problems.map(({ kind, message, fix }) =>
      (kind === "broken" ? wrong : advise)("tools", message, fix),
    );
  const count = toolSourcesOf(config).length;
  if (count === 0) return [ok("tools", "Only Deputy's own.")];
  return [ok("tools", `Deputy's own, and ${count === 1 ? "1 source" : `${count} sources`}, all found.`)];
}
