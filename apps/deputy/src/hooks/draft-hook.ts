import { createHash, randomBytes } from "node:crypto";
import type { HookScheme } from "@deputy/gateway/hooks";
import { AppError } from "../app-error.ts";
import { type HookRecord, hookRecordSchema, MOST_BYTES } from "./hooks-file.ts";
import { createPayloadCheck } from "./payload-check.ts";

/** The user's options for a hook. */
export interface HookWish {
  readonly name: string;
  readonly scheme: HookScheme;
  readonly secret: { readonly kind: "reference" | "value"; readonly text: string } | undefined;
  readonly url?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPerMinute?: number | undefined;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

export interface DraftedHook {
  readonly record: HookRecord;
  /** To be shown once: only its hash is kept. */
  readonly token: string;
  /** Made here, to be given to the sender. */
  readonly madeSecret: string | undefined;
}

const TOKEN_BYTES = 32;
const DEFAULT_BYTES = 262_144;
const DEFAULT_PER_MINUTE = 120;
/** A shorter one could be guessed from its signatures. */
const LEAST_SECRET_CHARS = 16;
/** Schemes whose sender issues the secret; for the others, Deputy makes one. */
const SENDERS_OWN: ReadonlySet<HookScheme> = new Set(["slack", "stripe", "telnyx", "twilio"]);

/** True if the sender makes the secret, and not Deputy. */
export function issuesSecret(scheme: HookScheme): boolean {
  return SENDERS_OWN.has(scheme);
}

/** Throws `usage`. */
export function draftHook(wish: HookWish, nowMs: number): DraftedHook {
  const { name, scheme } = wish;
  if (wish.schema !== undefined) createPayloadCheck(wish.schema);
  if (scheme === "twilio" && wish.url === undefined)
    throw new AppError("usage", "Twilio signs the address it sends to: --url says which", {
      hint: "--url https://hooks.example.org, as it is in Twilio, without the path.",
    });
  const madeSecret = makesSecret(wish) ? makeSecret(scheme) : undefined;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const record = {
    id: randomBytes(16).toString("hex"),
    name,
    tokenSha256: createHash("sha256").update(token).digest("hex"),
    scheme,
    ...(madeSecret === undefined ? {} : { secret: madeSecret }),
    ...secretOf(wish),
    ...(wish.url === undefined ? {} : { publicUrl: wish.url.replace(/\/+$/, "") }),
    maxBytes: wish.maxBytes ?? DEFAULT_BYTES,
    maxPerMinute: wish.maxPerMinute ?? DEFAULT_PER_MINUTE,
    ...(wish.schema === undefined ? {} : { schema: wish.schema }),
    createdAt: new Date(nowMs).toISOString(),
  };
  const parsed = hookRecordSchema.safeParse(record);
  if (parsed.success) return { record: parsed.data, token, madeSecret };
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new AppError("usage", `The hook's ${field} is not valid`, {
    hint: hints[field] ?? "See `deputy hooks add --help`.",
  });
}

const hints: Readonly<Record<string, string>> = {
  name: "A name has small letters, digits and hyphens, such as `builds`.",
  publicUrl: "--url takes an address such as https://hooks.example.org.",
  maxBytes: `--max-bytes takes a number up to ${MOST_BYTES}.`,
};

function makesSecret({ scheme, secret }: HookWish): boolean {
  if (scheme === "none") {
    if (secret !== undefined)
      throw new AppError("usage", "Without a scheme nothing is signed: leave --secret out");
    return false;
  }
  if (secret !== undefined) return false;
  if (!issuesSecret(scheme)) return true;
  throw new AppError("usage", `The sender issues the secret of ${scheme}: --secret says where it is`, {
    hint: "--secret env:NAME, --secret file:/path, or --secret - to keep what stdin gives.",
  });
}

/** Makes a secret in a form that the sender accepts. */
function makeSecret(scheme: HookScheme): string {
  const bytes = randomBytes(32);
  return scheme === "standard" ? `whsec_${bytes.toString("base64")}` : bytes.toString("base64url");
}

function secretOf({ secret }: HookWish): Partial<Pick<HookRecord, "secret" | "secretFrom">> {
  if (secret === undefined) return {};
  if (secret.kind === "reference") return { secretFrom: secret.text };
  if (secret.text.length >= LEAST_SECRET_CHARS) return { secret: secret.text };
  throw new AppError("usage", `A secret has at least ${LEAST_SECRET_CHARS} characters`);
}
