import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { openMemoryEngine, type ProgramRuntime } from "@deputy/engine/memory";
import type { Model } from "@deputy/model";
import type { PolicySettings } from "@deputy/policy";
import type { EmbeddedEngine } from "@deputy/sdk";
import { chooseModel } from "../choose-model.ts";
import { secretsIn } from "../config/secret-places.ts";
import type { OpenOptions } from "./create-deputy.ts";

/** Throws as `chooseModel` does, and `invalid_tool`, `duplicate_tool` or `config_invalid`. */
export async function openInMemory(options: OpenOptions): Promise<EmbeddedEngine> {
  const { tools, instructions, env, signal, warn, onBug } = options;
  const model = modelOf(options);
  const policy = options.policy === undefined ? undefined : await parsePolicy(options.policy, warn);
  await using opened = new AsyncDisposableStack();
  const engine = opened.use(
    await openMemoryEngine({
      modelOf: () => model,
      tools: tools === undefined ? [] : [{ source: "the embedding program", tree: tools }],
      openRuntime,
      policy,
      ...(instructions === undefined ? {} : { files: { "main/AGENTS.md": instructions } }),
      secrets: secretsIn(env),
      warn,
      onBug,
      signal,
    }),
  );
  // Problems with the tools are reported now.
  if (tools !== undefined) await engine.catalogue();
  opened.move();
  return engine;
}

/** Settings are loaded only where they are needed. */
async function parsePolicy(raw: Partial<PolicySettings>, warn: OpenOptions["warn"]): Promise<PolicySettings> {
  const { parseConfig } = await import("../config/parse-config.ts");
  const { config, warnings } = parseConfig({ policy: raw }, "The policy");
  for (const text of warnings) warn(text);
  return config.policy;
}

function modelOf({ model, env }: OpenOptions): Model {
  if (typeof model === "object") return model;
  return chooseModel({ model }, model === undefined ? env : { ...env, DEPUTY_MODEL: model });
}

async function openRuntime(): Promise<ProgramRuntime> {
  const checker = createNodeTypeChecker();
  const sandbox = createWorkerSandbox();
  const opened = new AsyncDisposableStack();
  opened.use(checker);
  opened.use(sandbox);
  return {
    checker,
    sandbox,
    stripper: createNodeTypeStripper(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
