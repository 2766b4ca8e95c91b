import { DEFAULT_TURN_LIMITS, isAgentSlug, SLUG_RULE, TOOL_PATTERN } from "@deputy/agent";
import { efforts } from "@deputy/model/ref";
import { z } from "zod";
import { count, now } from "./setting.ts";

const model = z.string().min(1).nullable().optional();
const fallbacks = z.array(z.string().min(1).max(300)).max(10);
const effort = z.enum(efforts);
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
      "Dollars that one turn may cost, if the price of the model is known",
    ),
    calls: now(count.optional(), "Tool calls of one turn"),
    minutes: now(
      z.number().positive().optional(),
      "How many minutes one turn may take; waiting for you does not count",
    ),
  })
  .prefault({});

export const slugSchema = z.string().refine(isAgentSlug, `must be a slug: ${SLUG_RULE}`);

/** The settings for all agents. */
export const allAgentsSchema = z
  .strictObject({
    model: now(model, "The model of all agents, as `provider/model`; null means not set"),
    fallbacks: now(
      fallbacks.default([]),
      "Models that answer if that one fails, in this order, each as `provider/model`; never once a part of an answer has arrived",
    ),
    effort: now(
      effort.optional(),
      "How much models reason before they answer: `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`; each takes the nearest that it knows; default as the model does by itself",
    ),
    mode: now(
      mode.default("code"),
      "How agents act: with programs that they submit (`code`), with programs in their text (`script`), or with one tool at a time (`functions`)",
    ),
    tools: now(
      tools.default(["**"]),
      "Which tools agents have: patterns of tool paths; the last match decides",
    ),
    maxTurns: now(maxTurns.default(200), "How often one turn may call the model"),
    outputTokens: now(count.default(DEFAULT_TURN_LIMITS.outputTokens), "Output tokens of one answer"),
    typecheckAttempts: now(
      typecheckAttempts.default(DEFAULT_TURN_LIMITS.typecheckAttempts),
      "How many programs in a row may fail to typecheck",
    ),
    budget,
  })
  .prefault({});

/** The settings for one agent. A setting that is left out has the value for all agents. */
export const oneAgentSchema = z.strictObject({
  model: now(model, "The same for this agent only"),
  fallbacks: now(fallbacks.optional(), "The same for this agent only"),
  effort: now(effort.optional(), "The same for this agent only"),
  mode: now(mode.optional(), "The same for this agent only"),
  tools: now(tools.optional(), "The same for this agent only"),
  maxTurns: now(maxTurns.optional(), "The same for this agent only"),
  outputTokens: now(count.optional(), "The same for this agent only"),
  typecheckAttempts: now(typecheckAttempts.optional(), "The same for this agent only"),
  budget,
});
