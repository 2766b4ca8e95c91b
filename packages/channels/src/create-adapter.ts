import type { Clock } from "@deputy/kit";
import type { ChannelsError } from "./channels-error.ts";
import type { ChatApp } from "./chat-app.ts";
import type { createHandOver } from "./hand-over.ts";
import type { createKeepTrying } from "./keep-trying.ts";

/** The default export of an adapter that the settings name: an app that Deputy itself does not know. */
export type CreateAdapter = (options: AdapterOptions) => ChatApp;

export interface AdapterOptions {
  /** Its name in the settings, and in the keys of its sessions. */
  readonly name: string;
  /** What the settings say about it, as it is there. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** A secret of the settings, by its name there. Throws if there is none. */
  readonly secret: (name: string) => string;
  /** What it wants to know after a restart. Losing it must be no failure. */
  readonly kept: { readonly read: () => unknown; readonly write: (value: unknown) => void };
  readonly clock: Clock;
  /** Something that the owner should see in the daemon's output. */
  readonly tell: (text: string) => void;
  /** What adapters need of Deputy: an adapter imports nothing of it but types. */
  readonly parts: {
    readonly ChannelsError: typeof ChannelsError;
    readonly createHandOver: typeof createHandOver;
    readonly createKeepTrying: typeof createKeepTrying;
  };
}
