import { text as readText } from "node:stream/consumers";
import { makeVisible } from "@deputy/kit";
import { AppError } from "../../app-error.ts";
import { parseModelRef } from "@deputy/model/ref";
import type { Config } from "../../config.ts";
import { probeProblem } from "../../doctor/probe-model.ts";
import { apiAddress, lookAtServer, lookProblem, serverNameOf } from "../../setup/model-servers.ts";
import { isSecretReference } from "../../config/secret-reference.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { keepModel, type KeyPlace, type ModelChoice, secretAt, tryModel } from "../../setup/connect-model.ts";
import { loadToken } from "../../token.ts";
import { run } from "../run.ts";

export interface InitOptions {
  readonly model?: string;
  readonly key?: string;
  readonly baseUrl?: string;
  /** commander's `--no-check`. */
  readonly check: boolean;
  readonly demo?: true;
}

const DEMO = "Close all issues older than 90 days";

/**
 * `deputy init`: connects a model and creates what the first start needs. It asks for everything that no option
 * gives, if there is a person to ask. It does not accept a model that does not call tools, and then writes nothing.
 */
export async function init(invocation: Invocation, options: InitOptions): Promise<ExitCode> {
  const { output, env, signal } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const choice = await choose(invocation, options, home.config);
  if (choice === undefined) return EXIT.failed;
  let sees: boolean | undefined;
  if (options.check) {
    output.note(`Testing ${makeVisible(choice.model)}…`);
    const outcome = await tryModel(choice, home, env, signal);
    if (outcome.kind !== "works") {
      const { message, hint } =
        outcome.kind === "failed" ? outcome : probeProblem(outcome.kind, makeVisible(choice.model));
      throw new AppError("not_available", message, {
        hint: hint ?? "Nothing was changed. Choose another model.",
      });
    }
    ({ sees } = outcome);
  }
  keepModel(choice, home.directory, sees);
  loadToken(home.directory, env);
  output.result(`Deputy now uses ${makeVisible(choice.model)}. Its home is ${home.directory}.`);
  if (sees !== undefined)
    output.result(
      sees ? "It can see pictures." : "It cannot see pictures: it is only told their names and types.",
    );
  output.result("If a daemon is running, stop it and start it again: it reads the model when it starts.");
  output.result(
    "Next: `deputy` talks to you in this terminal, `deputy serve` starts the daemon and its page,",
  );
  output.result("`deputy open` opens the page signed in, `deputy doctor` says what does not work.");
  output.result(
    "With the daemon running, you can also connect editors (`deputy acp`), OpenAI clients (/v1),",
  );
  output.result(
    "MCP clients (/mcp), webhooks (`deputy hooks add`) and chat apps (`deputy channels add telegram`).",
  );
  output.object({ type: "initialised", home: home.directory, model: choice.model, sees });
  return options.demo === true ? await run(invocation, DEMO, { approve: "ask" }) : EXIT.done;
}

async function choose(
  invocation: Invocation,
  options: InitOptions,
  { servers }: Config,
): Promise<ModelChoice | undefined> {
  const { output, env, signal, stdin } = invocation;
  const { model } = options;
  const baseUrl = options.baseUrl === undefined ? undefined : apiAddress(options.baseUrl);
  const key = await readKey(invocation, options.key);
  if (model !== undefined) {
    // A server that was connected before is known by its name.
    const known = servers[parseModelRef(model).provider];
    const place = key ?? (baseUrl === undefined ? referenceTo(known?.apiKey) : undefined);
    const address = baseUrl ?? known?.baseUrl;
    return { model, ...(place && { key: place }), ...(address !== undefined && { baseUrl: address }) };
  }
  const isTyped = "isTTY" in stdin && stdin.isTTY === true && process.stdout.isTTY;
  if (baseUrl !== undefined && !isTyped) throw await unnamed(baseUrl, key, invocation);
  if (!isTyped || output.mode === "json")
    throw new AppError("usage", "No model is named, and there is no terminal to ask in", {
      hint: "Name it: --model provider/model, and where its key is: --key env:NAME, file:/path or - for stdin.",
    });
  const { askModelChoice } = await import("../../setup/ask-model-choice.ts");
  return await askModelChoice(env, signal, baseUrl);
}

const referenceTo = (apiKey: string | undefined): KeyPlace | undefined =>
  apiKey === undefined ? undefined : { kind: "reference", reference: apiKey };

/** Says which models there are, so that one can be named. */
async function unnamed(
  baseUrl: string,
  key: KeyPlace | undefined,
  { env, signal, homeDirectory }: Invocation,
): Promise<AppError> {
  const secret = key === undefined ? undefined : secretAt(key, env, homeDirectory);
  const look = await lookAtServer(baseUrl, secret, signal);
  const names = look.kind === "found" ? look.models.slice(0, MOST_LISTED) : [];
  const provider = serverNameOf(baseUrl);
  const listed = names.map((name) => makeVisible(`${provider}/${name}`)).join(", ");
  return new AppError("usage", "No model is named, and there is no terminal to ask in", {
    hint: listed === "" ? lookProblem(look, baseUrl) : `Name one with --model: ${listed}`,
  });
}

const MOST_LISTED = 50;

async function readKey({ stdin }: Invocation, key: string | undefined): Promise<KeyPlace | undefined> {
  if (key === undefined) return undefined;
  if (isSecretReference(key)) return { kind: "reference", reference: key };
  if (key !== "-")
    throw new AppError("usage", "A key must not be on the command line, where other programs can read it", {
      hint: "--key env:NAME, --key file:/path, or --key - to read it from stdin.",
    });
  const value = (await readText(stdin)).trim();
  if (value === "") throw new AppError("usage", "stdin has no key");
  return { kind: "value", value };
}
