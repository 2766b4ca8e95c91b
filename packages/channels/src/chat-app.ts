import type { Run } from "./text/styled-text.ts";

/** A chat app as Deputy uses it. Sending rejects with a `ChannelsError`, and with the signal's reason on abort. */
export interface ChatApp {
  /** Also the channel of its sessions, and what their keys begin with: `telegram`. */
  readonly name: string;
  readonly can: Abilities;
  /**
   * Hands over what people do until the signal aborts, then resolves. Of one place, one after the other. What `hear`
   * rejects was not taken and comes again, if the app can do that also after a restart. Rejects with `refused` when the
   * app does not accept the token; whatever else goes wrong, it goes on by itself.
   */
  receive(hear: (heard: Heard) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Asks the app once who Deputy is there, as people see it. Rejects with `refused` when it does not accept the token. */
  identify(signal: AbortSignal): Promise<string>;
  /** Posts a message and gives the app's name for it. An app that deduplicates posts the same key once. */
  post(place: string, message: Message, key: string, signal: AbortSignal): Promise<string>;
  /**
   * The app's name for the message of this key, if it has it. For apps that deduplicate only for a while: asked before
   * something is posted of which it is unknown whether an earlier process has posted it.
   */
  find?(place: string, key: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Idempotent: a message that already looks like that is left alone. Absent: what was posted stays as it is, so answers
   * are shown once they are complete, and what became of a question is a message of its own.
   */
  edit?(place: string, ref: string, message: Message, signal: AbortSignal): Promise<void>;
  /** Shows it to that person alone, on the app's own page about Deputy, in place of what was there; absent: there is none. */
  showHome?(person: string, message: Message, signal: AbortSignal): Promise<void>;
  /** Shows for some seconds that Deputy is at it. */
  typing(place: string, signal: AbortSignal): Promise<void>;
}

export interface Abilities {
  /** The most a message may measure. */
  readonly maxChars: number;
  /** How much that is, of what would be posted. */
  readonly measure: (runs: readonly Run[]) => number;
  /** The app posts a key once, however often it is sent. */
  readonly deduplicates: boolean;
  /** How often a growing answer may be edited. */
  readonly editEveryMs: number;
  /** How large a file may be that is posted; absent: none is. */
  readonly maxFileBytes?: number;
}

export interface Message {
  readonly runs: readonly Run[];
  readonly buttons?: readonly Button[];
  /** Comes with it, and with it alone: a message that has one is never edited, and has no buttons. */
  readonly file?: PostedFile;
}

export interface PostedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Button {
  readonly label: string;
  /** Comes back when it is pressed; at most 64 bytes. */
  readonly data: string;
  readonly kind: "yes" | "no" | "more";
}

/** Who did something, as the app vouches for it. */
export interface Person {
  /** Given by the app; nobody can choose or change it. Never a name. */
  readonly id: string;
  readonly name: string;
}

interface Happened {
  /** No other thing that happens in the app has it; the same thing again has the same one. */
  readonly id: string;
  /** What follows the app's name in the key of the session: a chat, a channel, a thread. Letters, digits and `._~-`. */
  readonly place: string;
  /** The group that the place belongs to; absent for a place where nobody else is. */
  readonly group?: string;
  readonly by: Person;
}

export interface Said extends Happened {
  readonly kind: "said";
  readonly text: string;
  readonly files: readonly HeardFile[];
  /** The message that it answers, as the app names it, if it is said to one. */
  readonly answers?: string;
  /** Makes the place and gives it, once it is known that they may talk: it was said where there is none yet. */
  readonly open?: (signal: AbortSignal) => Promise<string>;
}

/** Somebody looks at the app's own page about Deputy. */
export interface Looked extends Happened {
  readonly kind: "looked";
}

export interface Pressed extends Happened {
  readonly kind: "pressed";
  readonly data: string;
  /** The message that has the button, as the app names it. */
  readonly ref: string;
  /** Why, if the app has asked for it. */
  readonly reason?: string;
  /** Tells who pressed, in the app's small way; never rejects. */
  readonly tell: (text: string) => Promise<void>;
}

export type Heard = Said | Pressed | Looked;

export interface HeardFile {
  readonly name: string;
  readonly mimeType: string;
  /** As far as the app says it. */
  readonly size?: number;
  /** Rejects as sending does. */
  readonly read: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
}
