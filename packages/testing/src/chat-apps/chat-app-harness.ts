import type { ChatApp } from "@deputy/channels";
import type { DeliveryFault } from "./delivery-fault.ts";
import type { SentFile } from "./read-form.ts";

/** A chat app on a strict fake of its service, for `describeChatApp`. Ada is a person, and people are played here. */
export interface ChatAppHarness extends AsyncDisposable {
  /** Another one on the same service, as after a restart. */
  connect(more?: { readonly tell?: (text: string) => void }): ChatApp;
  /** What must be in no message: tokens. */
  readonly secrets: readonly string[];
  /** Ada's id, as the app gives it. */
  readonly ada: string;
  /** Ada says something in a chat of her own with Deputy. Gives the place where it was said. */
  say(text: string, more?: HarnessSaying): string;
  /** Ada presses a button under a message. Gives what she is told. */
  press(place: string, ref: string, label: string): Promise<string>;
  /** What people see in a place, in order, without what they said themselves. */
  shown(place: string): readonly HarnessShown[];
  /** The next message that is posted meets this. */
  breakPost(how: PostFault): void;
  /** Everything that is asked of the service fails from now on, until `mend`. */
  storm(): void;
  mend(): void;
  /** A place that the app once had and that is not there any more. */
  readonly nowhere: string;
  /** From now on the token is not accepted. */
  revoke(): void | Promise<void>;
  /** Absent: the service is a real one, which can be made to do none of that. */
  readonly service?: FaultyService;
}

/** A service that can be made to do what real ones seldom do. */
export interface FaultyService {
  upset(how: DeliveryFault): void;
  /** Its clock is that far off from now on. */
  skew(ms: number): void;
  /** The next message is posted, and this comes as the answer. */
  garble(body: string): void;
}

/**
 * What an app does not have: no files come from it and none go there; nothing in it can be changed; its service cannot be made to fail in
 * every way; it does not hear that its token was revoked, because it is the service that connects.
 */
export type Lacking = "files" | "edits" | "faults" | "revocations";

export interface HarnessSaying {
  /** Said after this one, in the same place. */
  readonly after?: string;
  /** Said in a group: to Deputy, or among people. */
  readonly group?: "to_deputy" | "to_others";
  /** A program says it, not Ada. */
  readonly byBot?: true;
  readonly file?: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array };
}

export interface HarnessShown {
  readonly ref: string;
  readonly text: string;
  readonly buttons: readonly string[];
  readonly file?: SentFile | undefined;
}

/** `limited`: too many messages. `lost`: it is posted, and the answer never comes. `failing`: the service has a fault of its own. */
export type PostFault = "limited" | "lost" | "failing";
