import type { SessionId } from "@deputy/kit";

/** What is kept about chat apps: who may talk to Deputy there, and what it has posted. Methods reject as the log does. */
export interface Channels {
  /** A code that pairs one person with this channel, once, for a short time. The channel's earlier code ends. */
  issueCode(channel: string): Promise<{ readonly code: string; readonly expiresAt: string }>;
  /**
   * Somebody says a code. Wrong ones use the current code up after a few: nobody can try them all. `wrong` also means
   * that there is no code, or that it has expired.
   */
  pair(channel: string, person: ChannelPerson, code: string): Promise<"paired" | "wrong">;
  /** False if that person was not paired. */
  unpair(channel: string, person: string): Promise<boolean>;
  /** Those who are paired, the first one first. */
  people(channel: string): Promise<readonly ChannelPerson[]>;
  /** Only the owner reads along in that conversation, as this person: what they are told may go there. Idempotent. */
  home(home: {
    readonly channel: string;
    readonly person: string;
    readonly session: SessionId;
  }): Promise<void>;
  /** Conversations of anybody but these people and those who are paired are no longer the owner's. */
  keepOnly(channel: string, people: readonly string[]): Promise<void>;
  /** What was given up, the newest first. */
  failed(channel: string): Promise<readonly FailedPost[]>;
  /** All of it is to be posted once more. Gives how much that is. */
  retry(channel: string): Promise<number>;
  /** Durable before the message may be posted. */
  posting(post: Post): Promise<void>;
  posted(post: Post & { readonly ref: string }): Promise<void>;
  /** Nothing of the item changes any more, or everything of the session up to `through` is shown. */
  shown(what: Shown): Promise<void>;
  /** Where every conversation of the channel stands, or only that one. */
  progress(channel: string, only?: SessionId): Promise<readonly Progress[]>;
}

export interface ChannelPerson {
  /** The app's own id, which nobody can choose or change. */
  readonly id: string;
  readonly name: string;
}

/** One message in an app. */
export interface Post {
  readonly channel: string;
  readonly session: SessionId;
  readonly item: string;
  readonly part: number;
}

export interface Shown {
  readonly channel: string;
  readonly session: SessionId;
  readonly item?: string | undefined;
  readonly through?: number | undefined;
  readonly failed?: string | undefined;
}

export interface Progress {
  readonly session: SessionId;
  /** Everything up to this event of the session is shown. */
  readonly through: number;
  /** What may still change. Without a `ref`, it is unknown whether it was posted. */
  readonly open: readonly { readonly item: string; readonly part: number; readonly ref?: string }[];
  /** Items that are to be posted once more. */
  readonly again: readonly string[];
  /** It was the owner's, as a person who is not known any more: nothing is shown there. */
  readonly isClosed: boolean;
}

/** What the app did not take. */
export interface FailedPost {
  /** Absent for what has no conversation: a mail, a push. */
  readonly session?: SessionId;
  readonly item: string;
  readonly reason: string;
  readonly at: string;
}
