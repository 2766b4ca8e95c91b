import { ChannelsError, type Heard, type HeardFile, type KeepTrying } from "@deputy/channels";
import { createElement } from "react";
import { z } from "zod";
import type { Ask } from "./discord-app.ts";
import { isAnswered } from "./discord-failure.ts";
import { discordMarkdown } from "./discord-text.ts";
import type { Dispatch } from "./follow-gateway.ts";
import type { Progress } from "./progress.ts";
import { type DiscordFile, formIds, type Happened, type Interaction, readDispatch } from "./read-dispatch.ts";
import { ReasonView } from "./views/message-view.ts";
import { renderComponents } from "./views/render-components.ts";

export interface Hearing {
  /** Something has happened in Discord. Never throws. */
  take(dispatch: Dispatch): void;
}

const channelSchema = z.object({
  type: z.int(),
  guild_id: z.string().nullish(),
  parent_id: z.string().nullish(),
});
const historySchema = z.array(z.looseObject({ id: z.string() }));
const THREADS: ReadonlySet<number> = new Set([10, 11, 12]);
const PAGE = 100;
const MOST_PAGES = 10;
const MOST_CHANNELS = 1_000;

/** Answers of Discord's own kind to interactions. */
const ANSWER = { later: 5, nothing: 6, form: 9 } as const;
const FOR_THEM_ALONE = 1 << 6;

/** Makes of what Discord sends what people did, in the order of each place, and keeps how far that has come. */
export function createHearing(
  deps: {
    readonly ask: Ask;
    /** Deputy's own id. */
    readonly me: string;
    readonly progress: Progress;
    readonly keepTrying: KeepTrying;
    readonly handOver: (heard: Heard) => Promise<void>;
    readonly read: (url: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
  },
  signal: AbortSignal,
): Hearing {
  const { ask, me, progress, keepTrying, handOver } = deps;
  const channels = new Map<string, Promise<z.infer<typeof channelSchema>>>();
  /** Open once what was said while Deputy was away has been handed over. */
  let caughtUp = Promise.resolve();

  const channelOf = (place: string): Promise<z.infer<typeof channelSchema>> => {
    const known = channels.get(place);
    if (known !== undefined) return known;
    const call = { method: "GET", path: `/channels/${place}` } as const;
    const found = insist(() => ask("again", call, channelSchema, signal));
    channels.set(place, found);
    found.catch(() => channels.delete(place));
    const [oldest] = channels.keys();
    if (channels.size > MOST_CHANNELS && oldest !== undefined) channels.delete(oldest);
    return found;
  };

  /** Until Discord says yes, or that there is nothing of the kind. */
  const insist = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const outcome = await keepTrying.until(async () => {
      try {
        return { kind: "ok" as const, value: await work() };
      } catch (error) {
        if (error instanceof ChannelsError && error.code === "gone") return { kind: "gone" as const, error };
        throw error;
      }
    }, signal);
    if (outcome.kind === "gone") throw outcome.error;
    return outcome.value;
  };

  const groupOf = async (place: string): Promise<string> => {
    const { type, parent_id: parent } = await channelOf(place);
    return THREADS.has(type) ? (parent ?? place) : place;
  };

  const withBytes = ({ url, ...file }: DiscordFile): HeardFile => ({
    ...file,
    read: (until) => deps.read(url, until),
  });
  const hearSaid = async ({ said, message, shared }: Happened & { kind: "said" }): Promise<void> => {
    if (progress.isKnown(said.id)) return;
    const { files, ...rest } = said;
    const heard: Heard = {
      ...rest,
      ...(shared && { group: await groupOf(said.place) }),
      files: files.map(withBytes),
    };
    await handOver(heard);
    progress.know(said.id);
    progress.heard(said.place, message);
  };

  /** False if nobody waits for the answer any more: then it was not pressed, as far as people know. */
  const answer = async ({ id, token }: Interaction, type: number, data?: object): Promise<boolean> => {
    const body = data === undefined ? { type } : { type, data };
    const call = { method: "POST", path: `/interactions/${id}/${token}/callback` } as const;
    try {
      await ask("again", { ...call, body, auth: "none" }, z.unknown(), signal);
      return true;
    } catch (error) {
      return error instanceof ChannelsError && isAnswered(error.cause);
    }
  };

  const tell = async ({ application, token }: Interaction, text: string): Promise<void> => {
    const content = discordMarkdown([{ text, styles: [] }]);
    const body = { content, flags: FOR_THEM_ALONE, allowed_mentions: { parse: [] } };
    const call = { method: "POST", path: `/webhooks/${application}/${token}`, body, auth: "none" } as const;
    await ask("again", call, z.unknown(), signal).catch(() => undefined);
  };

  const handle = async (happened: Happened): Promise<void> => {
    switch (happened.kind) {
      case "said":
        await caughtUp;
        return await hearSaid(happened);
      case "command": {
        const { said, interaction } = happened;
        if (progress.isKnown(said.id)) return;
        if (!(await answer(interaction, ANSWER.later, { flags: FOR_THEM_ALONE }))) return;
        await handOver(said);
        progress.know(said.id);
        // What Deputy has to say is said for all to see.
        const { application, token } = interaction;
        const path = `/webhooks/${application}/${token}/messages/@original` as const;
        await ask("again", { method: "DELETE", path, auth: "none" }, z.unknown(), signal).catch(
          () => undefined,
        );
        return;
      }
      case "pressed": {
        const { pressed, asks, interaction } = happened;
        if (progress.isKnown(pressed.id)) return;
        if (asks) return void (await answer(interaction, ANSWER.form, formOf(pressed)));
        if (!(await answer(interaction, ANSWER.nothing))) return;
        await handOver({ ...pressed, tell: (text) => tell(interaction, text) });
        return progress.know(pressed.id);
      }
      default:
    }
  };

  /** What was said in a place after the last that was taken there. */
  const catchUpIn = async (place: string, last: string): Promise<void> => {
    const { guild_id: guild } = await channelOf(place);
    let after = last;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { after, limit: String(PAGE) };
      const call = { method: "GET", path: `/channels/${place}/messages`, query } as const;
      const newestFirst = await insist(() => ask("again", call, historySchema, signal));
      for (const message of newestFirst.toReversed()) {
        after = message.id;
        const data = typeof guild === "string" ? { ...message, guild_id: guild } : message;
        const happened = readDispatch("MESSAGE_CREATE", data, me);
        if (happened.kind === "said") await hearSaid(happened);
      }
      if (newestFirst.length < PAGE) return;
    }
  };

  const catchUp = async (): Promise<void> => {
    for (const [place, last] of progress.places())
      try {
        await catchUpIn(place, last);
      } catch (error) {
        if (!(error instanceof ChannelsError) || signal.aborted) throw error;
        progress.forget(place);
      }
    progress.caughtUp();
  };

  return {
    take({ sequence, type, data }) {
      progress.arrived(sequence);
      // A session that begins has nothing of what came before it.
      if (type === "READY") caughtUp = catchUp();
      const happened = readDispatch(type, data, me);
      const work = type === "READY" ? caughtUp : handle(happened);
      void work
        .then(() => {
          progress.taken(sequence);
          if (happened.kind !== "nothing" || type === "READY") progress.save();
        })
        // Not taken: it comes again after a restart.
        .catch(() => undefined);
    },
  };
}

function formOf({ ref, data }: { readonly ref: string; readonly data: string }): object {
  return {
    custom_id: formIds.write(ref, data),
    title: "Deny",
    components: renderComponents(createElement(ReasonView)),
  };
}
