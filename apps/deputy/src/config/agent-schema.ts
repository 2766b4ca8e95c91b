import { DEFAULT_TURN_LIMITS, isAgentSlug, SLUG_RULE, TOOL_PATTERN } from "@deputy/agent";
import { z } from "zod";
import { now } from "./setting.ts";

const count = z.int().min(1);
const model = z.string().min(1).nullable().optional();
const mode = z.enum(["code", "script", "functions"]);
const tools = z.array(
  z.string().regex(TOOL_PATTERN, "must be a pattern such as `mail`, `github.*`, `**` or `!**.delete`"),
);
const maxTurns = count.max(10_000);
const typecheckAttempts = count.max(100);
const budget = z
  .strictObject({
    tokens: now(count.optional(), "Input and output tokens of one turn, together"),
    money: now(
      z.number().positive().optional(),
      "Dollars that one turn may cost, where the model's price is known",
    ),
    calls: now(count.optional(), "Tool calls of one turn"),
    minutes: now(
      z.number().positive().optional(),
      "How long one turn may take; waiting for you does not count",
    ),
  })
  .prefault({});

export const slugSchema = z.string().refine(isAgentSlug, `must be a slug: ${SLUG_RULE}`);

/** What is said of all agents. */
export const allAgentsSchema = z
  .strictObject({
    model: now(model, "The agents' model, as `provider/model`; null as if it were not there"),
    mode: now(
      mode.default("code"),
      "How they act: by programs they call for (`code`), by programs in their text (`script`), or by one tool at a time (`functions`)",
    ),
    tools: now(tools.default(["**"]), "Which tools they have: patterns of paths, the last that fits decides"),
    maxTurns: now(maxTurns.default(200), "How often the model may be asked in one turn"),
    outputTokens: now(count.default(DEFAULT_TURN_LIMITS.outputTokens), "Of one answer"),
    typecheckAttempts: now(
      typecheckAttempts.default(DEFAULT_TURN_LIMITS.typecheckAttempts),
      "Programs in a row that may fail to typecheck",
    ),
    budget,
  })
  .prefault({});

/** What is said of one; what is left out is as for all. */
export const oneAgentSchema = z.strictObject({
  model: now(model, "This agent's own"),
  mode: now(mode.optional(), "This agent's own"),
  tools: now(tools.optional(), "This agent's own"),
  maxTurns: now(maxTurns.optional(), "This agent's own"),
  outputTokens: now(count.optional(), "This agent's own"),
  typecheckAttempts: now(typecheckAttempts.optional(), "This agent's own"),
  budget,
});
