import { z } from "zod";
import { timestampSchema } from "../events/shared.ts";
import { method } from "./rpc-method.ts";

const none = z.strictObject({});
const done = z.object({ ok: z.literal(true) });
const name = z.string().min(1).max(200);
const address = z.string().min(1).max(2_000);
/** Goes in, and never comes out again. */
const secret = z.string().min(1).max(10_000);
const hash = z.string().max(200);

const provider = z.enum(["anthropic", "openai", "local"]);

/** One setting, or a part of the settings that is edited as a whole. */
const settingSchema = z.object({
  path: z.array(z.string()),
  meaning: z.string(),
  /** JSON Schema of what may be written. */
  schema: z.record(z.string(), z.unknown()),
  /** As the file has it; null if it says nothing. Possible secrets are hidden. */
  value: z.unknown(),
  default: z.unknown(),
  /** What decides now. */
  from: z.enum(["file", "environment", "default"]),
  /** The environment variable that overrides the file, and what it says. */
  variable: z.string().optional(),
  given: z.unknown().optional(),
  /** When a change counts: `start` needs the process to be started again; `none`: not in this version. */
  effect: z.enum(["at_once", "restart", "start", "none"]),
  /** It names the place of a secret. */
  isSecret: z.boolean(),
  /** The file says something else than what is in force. */
  isPending: z.boolean(),
});
export type SettingRow = z.infer<typeof settingSchema>;

const documentSchema = z.object({
  id: z.string(),
  /** The agent's name; absent for what all agents share. */
  agent: z.string().optional(),
  kind: z.enum(["agent", "skill"]),
  name: z.string(),
  about: z.string(),
  isThere: z.boolean(),
});
const documentId = z.string().min(1).max(500);

const findingSchema = z.object({
  check: z.string(),
  status: z.enum(["ok", "advice", "wrong"]),
  message: z.string(),
  fix: z.string().optional(),
});

const signInSchema = z.object({
  id: z.string(),
  /** What the browser calls itself: a claim, nothing more. */
  client: z.string(),
  from: z.string(),
  at: timestampSchema,
  lastAt: timestampSchema,
  expiresAt: timestampSchema,
  /** The one that asks. */
  isThis: z.boolean(),
});

export const setupMethods = {
  "daemon.restart": method(
    "Closes everything and opens it again, with the settings as they are now; running work goes on afterwards",
    none,
    done,
  ),
  "models.status": method(
    "Which model answers, and what is known of each provider",
    none,
    z.object({
      model: z.string(),
      isRehearsal: z.boolean(),
      /** Those that a conversation may choose from, the default one first. */
      choices: z.array(z.string()),
      /** The environment variable that decides; nothing here can change it. */
      fixedBy: z.string().optional(),
      providers: z.array(
        z.object({
          provider,
          /** Where its key is, in words; absent when there is none. */
          key: z.string().optional(),
          baseUrl: z.string().optional(),
          example: z.string().optional(),
        }),
      ),
    }),
  ),
  "models.look": method(
    "Model servers with their models: the usual ones on this machine, or the one at an address",
    z.strictObject({ baseUrl: address.optional(), key: secret.optional() }),
    z.object({
      servers: z.array(z.object({ baseUrl: z.string(), models: z.array(z.string()) })),
      /** Why there is no list of models at the address. */
      problem: z.string().optional(),
    }),
  ),
  "models.connect": method(
    "Tries a model with a call and its answer. If it works, it is kept and used from then on; otherwise nothing changes",
    z.strictObject({
      provider,
      model: z.string().min(1).max(300),
      baseUrl: address.optional(),
      key: secret.optional(),
    }),
    z.object({
      /** `calls_nothing` and `no_programs`: it answers, but cannot do what Deputy needs. */
      outcome: z.enum(["connected", "calls_nothing", "no_programs", "failed"]),
      /** As `provider/model`, once it is connected. */
      model: z.string().optional(),
      message: z.string().optional(),
      hint: z.string().optional(),
    }),
  ),
  "models.stop": method(
    "Stops the tries of models that are under way: they fail, and nothing is changed",
    none,
    z.object({ ok: z.literal(true) }),
  ),
  "settings.list": method(
    "Every setting: what it means, what it is, what decides it, and when a change counts",
    none,
    z.object({
      file: z.string(),
      /** Of the whole file; a change must name it. */
      hash,
      settings: z.array(settingSchema),
      /** Keys of the file that are no settings, and a last restart that did not succeed. */
      problems: z.array(z.string()),
    }),
  ),
  "settings.set": method(
    "Changes one setting, if the file is still as it was read; everything else in it stays",
    z.strictObject({
      path: z.array(z.string().min(1).max(200)).min(1).max(10),
      value: z.unknown(),
      baseHash: hash,
    }),
    z.object({ hash, setting: settingSchema }),
  ),
  "settings.unset": method(
    "Takes one setting out of the file, so that its default counts",
    z.strictObject({ path: z.array(z.string().min(1).max(200)).min(1).max(10), baseHash: hash }),
    z.object({ hash, setting: settingSchema }),
  ),
  "documents.list": method(
    "The agents' Markdown files and skills",
    none,
    z.object({ documents: z.array(documentSchema) }),
  ),
  "documents.read": method(
    "One of them",
    z.strictObject({ id: documentId }),
    z.object({ id: z.string(), text: z.string(), hash: hash.nullable() }),
  ),
  "documents.write": method(
    "Writes one of them, if it is still as it was read; `null`: if it is not there yet",
    z.strictObject({ id: documentId, text: z.string().max(1_000_000), baseHash: hash.nullable() }),
    z.object({ hash }),
  ),
  "documents.remove": method(
    "Removes one of them, if it is still as it was read",
    z.strictObject({ id: documentId, baseHash: hash }),
    done,
  ),
  "doctor.check": method(
    "What does not work, and what to do about it; `online` also calls the model",
    z.strictObject({ online: z.boolean().optional() }),
    z.object({ findings: z.array(findingSchema) }),
  ),
  "signIns.list": method(
    "The browsers that are signed in",
    none,
    z.object({ signIns: z.array(signInSchema) }),
  ),
  "signIns.revoke": method("Signs a browser out, at once", z.strictObject({ id: name }), done),
} as const;
