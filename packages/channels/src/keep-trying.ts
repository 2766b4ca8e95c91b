import { type Clock, retry } from "@deputy/kit";
import { ChannelsError } from "./channels-error.ts";

/** A connection that goes on by itself: what is wrong with it is said once, as long as it stays the same. */
export interface KeepTrying {
  /** Goes on until it works. Rejects with `refused`, with what is no `ChannelsError`, and on abort. */
  until<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
  /** Says what is wrong, unless that was said last. */
  isWrong(error: ChannelsError): void;
  isWell(): void;
}

const POLICY = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 30_000 };

export function createKeepTrying(deps: {
  readonly clock: Clock;
  readonly tell: (text: string) => void;
}): KeepTrying {
  let said: string | undefined;
  const isWrong = ({ code, message }: ChannelsError): void => {
    if (code === "refused" || message === said) return;
    said = message;
    deps.tell(`${message}; Deputy goes on trying.`);
  };
  const isWell = (): void => void (said = undefined);
  return {
    isWrong,
    isWell,
    until: (work, signal) =>
      retry(
        deps,
        {
          ...POLICY,
          retryable: (error) => error instanceof ChannelsError && error.code !== "refused",
          retryAfterMs: (error) => (error instanceof ChannelsError ? error.retryAfterMs : undefined),
        },
        signal,
        async () => {
          try {
            const value = await work();
            isWell();
            return value;
          } catch (error) {
            if (error instanceof ChannelsError) isWrong(error);
            throw error;
          }
        },
      ),
  };
}
