import type { Clock } from "@deputy/kit";
import {
  type AnswerCodes,
  createAnswerCodes,
  createMailChannel,
  type MailChannel,
} from "@deputy/notify/mail";
import type { ApprovalId, PendingApproval } from "@deputy/protocol";
import { AppError } from "../app-error.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import type { Home } from "../home.ts";
import { keptSecret } from "../setup/keep-secret.ts";
import { pageLinks } from "./page-links.ts";

const PORTS = { tls: 465, starttls: 587, none: 25 } as const;
const KEY = "mail-answers";

/** Mail as the settings say. Throws `config_invalid` for what is missing in them. */
export function openMail(
  home: Pick<Home, "directory" | "config">,
  more: {
    readonly env: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly learn: (secret: string) => void;
    readonly question: (approval: ApprovalId) => Promise<PendingApproval | undefined>;
    /** The password, if it is not the one of the settings. */
    readonly given?: string | undefined;
  },
): MailChannel {
  const { mail } = home.config.adapters;
  const { host, secure, user, to, replyTo, answersFrom, port = PORTS[secure] } = mail;
  const from = mail.from ?? user;
  if (host === undefined || from === undefined || to.length === 0)
    throw new AppError("config_invalid", "adapters.mail needs a host, a sender and at least one address", {
      hint: "Connect it with `deputy channels add mail`.",
    });
  const password = (): string => {
    const value = more.given ?? resolveSecret(mail.password ?? "", more.env, home.directory);
    more.learn(value);
    return value;
  };
  return createMailChannel({
    server: { host, port, encryption: secure, ...(user !== undefined && { user, password }) },
    from,
    to,
    replyTo,
    pageOf: pageLinks(home),
    question: more.question,
    codes: answersFrom === undefined ? undefined : openAnswerCodes(home.directory, more.clock),
  });
}

/** The key is made at its first use, and is in no log. */
export function openAnswerCodes(directory: string, clock: Clock): AnswerCodes {
  return createAnswerCodes({ key: Buffer.from(keptSecret(directory, KEY), "hex"), clock });
}
