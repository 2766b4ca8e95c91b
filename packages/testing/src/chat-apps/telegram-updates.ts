import { createDeliveries, type DeliveryFault } from "./delivery-fault.ts";
import { type TelegramParams, TelegramRefusal } from "./telegram-rules.ts";

/** What happened and was not confirmed yet. It is asked for (long polling with offsets), or brought to a webhook. */
export interface TelegramUpdates {
  push(kind: string, update: object): void;
  upset(how: DeliveryFault): void;
  /** `isLost`: this answer does not arrive. */
  poll(
    params: TelegramParams<"getUpdates">,
    gone: AbortSignal,
  ): Promise<{ readonly updates: readonly object[]; readonly isLost: boolean }>;
  bringTo(webhook: TelegramParams<"setWebhook"> | undefined): void;
  close(): void;
}

interface Waiting {
  readonly update: { readonly update_id: number };
  isLost: boolean;
}

const BRING_AGAIN_MS = 50;

export function createTelegramUpdates(): TelegramUpdates {
  const waiting: Waiting[] = [];
  const deliveries = createDeliveries();
  const closing = new AbortController();
  let webhook: TelegramParams<"setWebhook"> | undefined;
  let bringing: Promise<void> | undefined;
  let next = 1_000;
  let arrived = Promise.withResolvers<void>();
  /** The one who polls; a second one ends the first. */
  let poller: PromiseWithResolvers<never> | undefined;

  /** Brings them one after the other; what was not taken is brought again. */
  const bring = async (): Promise<void> => {
    for (;;) {
      const [first] = waiting;
      if (webhook === undefined || first === undefined || closing.signal.aborted) return;
      const taken = await fetch(webhook.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-telegram-bot-api-secret-token": webhook.secret_token,
        },
        body: JSON.stringify(first.update),
        signal: closing.signal,
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (taken && !first.isLost) waiting.shift();
      else await new Promise((resolve) => setTimeout(resolve, BRING_AGAIN_MS));
      first.isLost = false;
    }
  };
  const bringAll = (): void => {
    if (webhook === undefined || bringing !== undefined) return;
    bringing = bring().finally(() => {
      bringing = undefined;
      if (waiting.length > 0 && !closing.signal.aborted) bringAll();
    });
  };

  return {
    upset: deliveries.upset,
    push(kind, body) {
      // The same update again has the same number.
      const numbers = new Map<object, number>();
      deliveries.happen(body, (sent, how) => {
        const number = numbers.get(sent) ?? next++;
        numbers.set(sent, number);
        waiting.push({ update: { update_id: number, [kind]: sent }, isLost: how === "lost" });
      });
      arrived.resolve();
      arrived = Promise.withResolvers();
      bringAll();
    },
    async poll({ offset = 0, limit = 100, timeout = 0 }, gone) {
      if (webhook !== undefined)
        throw new TelegramRefusal(409, "Conflict: can't use getUpdates method while webhook is active");
      poller?.reject(
        new TelegramRefusal(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        ),
      );
      const mine = Promise.withResolvers<never>();
      mine.promise.catch(() => undefined);
      poller = mine;
      // Those before the offset are confirmed, and are gone.
      while ((waiting[0]?.update.update_id ?? Infinity) < offset) waiting.shift();
      const over = AbortSignal.any([gone, AbortSignal.timeout(timeout * 1_000)]);
      const ended = new Promise<void>((resolve) =>
        over.addEventListener("abort", () => resolve(), { once: true }),
      );
      while (waiting.length === 0 && !over.aborted)
        await Promise.race([arrived.promise, ended, mine.promise]);
      if (poller === mine) poller = undefined;
      const page = waiting.slice(0, limit);
      const isLost = page.some((one) => one.isLost);
      for (const one of page) one.isLost = false;
      return { updates: page.map(({ update }) => update), isLost };
    },
    bringTo(to) {
      webhook = to;
      bringAll();
    },
    close: () => closing.abort(),
  };
}
