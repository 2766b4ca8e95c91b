import { defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";

/** What can report events, as the tools about it see it. All reject as the home's files do. */
export interface OwnHooks {
  list(): Promise<readonly ListedHook[]>;
  /** Rejects with `request_invalid` if the name is taken, or the wish cannot be met. */
  create(wish: HookWish): Promise<{ readonly next: string }>;
  /** Why it could not be created, if that is known before anybody is asked. */
  whyNot(wish: HookWish): string | undefined;
}

interface ListedHook {
  readonly name: string;
  readonly kind: "hook" | "mailbox" | "folder";
  readonly about: string;
  /** Names of the fields of its last report, in dots; no values, for those are others' words. */
  readonly fields?: readonly string[];
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

const source = z.discriminatedUnion("kind", [
  z
    .object({
      kind: z.literal("hook"),
      scheme: z
        .enum(["standard", "github", "slack", "stripe", "telegram", "telnyx", "twilio", "none"])
        .default("standard")
        .describe("How the sender signs; none means that whoever learns the address can send"),
      url: z
        .url({ protocol: /^https?$/ })
        .max(500)
        .optional()
        .describe("Where senders reach this machine from outside, if the user has said so"),
    })
    .describe("An address where another service reports events"),
  z
    .object({
      kind: z.literal("mailbox"),
      host: z.string().min(1).max(253),
      port: z.int().min(1).max(65_535).optional(),
      user: z.string().min(1).max(320),
      mailbox: z.string().min(1).max(200).default("INBOX"),
    })
    .describe("A mailbox over IMAP; the user adds the password"),
  z
    .object({
      kind: z.literal("folder"),
      path: z
        .string()
        .max(4_000)
        .regex(/^(?:\/|~\/|[A-Za-z]:[\\/])/, "must be a whole path, or begin with ~/"),
      glob: z.string().min(1).max(200).optional().describe("Which files, such as *.pdf; default all"),
    })
    .describe("A folder of this machine: files at any depth that are new or change from now on are reported"),
]);
const wish = z.object({
  name: z.string().regex(NAME, "must have small letters, digits and hyphens, such as builds"),
  source,
});
export type HookWish = z.infer<typeof wish>;

/** `tools.hooks`: what can report events, so that tasks can wait for it. */
export function hookTools(hooks: () => OwnHooks): ToolTree {
  return {
    list: defineTool({
      description:
        "List the hooks, mailboxes and folders that can report events, for tasks.createEventTrigger, and which fields their reports have",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({}),
      returns: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(["hook", "mailbox", "folder"]),
          about: z.string(),
          fields: z
            .array(z.string())
            .readonly()
            .optional()
            .describe("Of its last report, for a filter; absent: nothing was reported yet"),
        }),
      ),
      run: async () => [...(await hooks().list())],
    }),
    create: defineTool({
      description:
        "Sets up a webhook, a mailbox or a folder, so that a task can run whenever something is reported: when an e-mail arrives, a build fails, a file appears. Tell the user what is next: only they see addresses and secrets",
      approval: "required",
      effect: "write",
      idempotent: false,
      throws: ["request_invalid"],
      args: wish.superRefine((input, context) => {
        const message = hooks().whyNot(input);
        if (message !== undefined) context.addIssue({ code: "custom", path: ["name"], message });
        if (
          input.source.kind === "hook" &&
          input.source.scheme === "twilio" &&
          input.source.url === undefined
        )
          context.addIssue({
            code: "custom",
            path: ["source", "url"],
            message: "Twilio signs the address it sends to: ask the user for it",
          });
      }),
      returns: z.object({
        name: z.string(),
        next: z.string().describe("What the user has to do before anything is reported: tell them"),
      }),
      run: async (input) => ({ name: input.name, ...(await hooks().create(input)) }),
      formatApproval: ({ name, source: from }) => ({
        title: `Set up ${WORDS[from.kind]} “${name}”`,
        details: detailsOf(from),
      }),
    }),
  };
}

const WORDS = { hook: "the webhook", mailbox: "the mailbox", folder: "the folder" } as const;

function detailsOf(from: HookWish["source"]): string {
  switch (from.kind) {
    case "hook": {
      const outside = from.url === undefined ? [] : [`Senders reach it at ${from.url}.`];
      const signed =
        from.scheme === "none"
          ? "Nothing is signed: whoever learns the address can report."
          : `Reports must be signed (${from.scheme}).`;
      return [signed, ...outside, "What is reported comes from others."].join("\n");
    }
    case "mailbox":
      return `${from.mailbox} of ${from.user} at ${from.host}${from.port === undefined ? "" : `:${from.port}`}, over TLS.\nDeputy signs in there with the password that you add, and reads every message that arrives.`;
    case "folder":
    default:
      return `${from.path}${from.glob === undefined ? "" : `, files that fit ${from.glob}`}\nDeputy notices which files are new or changed there.`;
  }
}
