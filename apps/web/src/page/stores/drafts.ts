import { createStore, get, update } from "idb-keyval";
import type { Effort } from "./outbox.ts";
import type { Attachment } from "./transcript-rows.ts";

/**
 * What was typed and not sent, for each conversation; `new` for the one that has not begun. It outlives a reload. Tabs
 * write each their own; one that has none takes the newest of the others.
 */
export interface Drafts {
  /** Undefined when there is none, or this browser keeps nothing. */
  load(conversation: string): Promise<Draft | undefined>;
  /** An empty one is forgotten. */
  save(conversation: string, draft: Draft): void;
  /** A file that was uploaded for a conversation which is no longer looked at. */
  attach(conversation: string, file: Attachment): Promise<void>;
}

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Who is to answer, of a conversation that has not begun; absent: as Deputy is set. */
  readonly agentId?: string;
  readonly model?: string;
  readonly effort?: Effort;
}

type Kept = Readonly<Record<string, Draft & { readonly at: number }>>;

/** A draft that the browser's store may not have yet: a reload can come within milliseconds. Of this tab alone. */
interface Pending {
  readonly draft: Draft;
  readonly before?: string | undefined;
}
const PENDING = "deputy.draft.";

export function createDrafts(): Drafts {
  const store = createStore("deputy-drafts-2", "drafts");
  const tab = nameOfTab();
  /** Whose draft this tab has taken over. */
  const taken = new Map<string, string>();
  const drafts: Drafts = {
    async load(conversation) {
      try {
        const pending = sessionStorage.getItem(PENDING + conversation);
        if (pending !== null) {
          const { draft, before } = JSON.parse(pending) as Pending;
          if (before !== undefined) taken.set(conversation, before);
          drafts.save(conversation, draft);
          // Of one that was given up nothing is left, and another tab's may be there.
          if (!isEmpty(draft)) return draft;
        }
        const kept = Object.entries((await get<Kept>(conversation, store)) ?? {});
        const [owner, draft] =
          kept.find(([name]) => name === tab) ?? kept.toSorted(([, a], [, b]) => b.at - a.at)[0] ?? [];
        if (owner !== undefined) taken.set(conversation, owner);
        return draft;
      } catch {
        return undefined;
      }
    },
    save(conversation, draft) {
      const before = taken.get(conversation);
      taken.set(conversation, tab);
      const pending = JSON.stringify({ draft, before } satisfies Pending);
      keepPending(conversation, pending);
      update<Kept>(
        conversation,
        (kept = {}) => {
          const others = Object.entries(kept).filter(([name]) => name !== tab && name !== before);
          return Object.fromEntries(
            isEmpty(draft) ? others : [...others, [tab, { ...draft, at: Date.now() }]],
          );
        },
        store,
      ).then(
        () => forgetPending(conversation, pending),
        () => undefined,
      );
    },
    async attach(conversation, file) {
      const draft = (await drafts.load(conversation)) ?? { text: "", attachments: [] };
      drafts.save(conversation, { ...draft, attachments: [...draft.attachments, file] });
    },
  };
  return drafts;
}

function isEmpty({ text, attachments, agentId, model, effort }: Draft): boolean {
  const isChosen = agentId !== undefined || model !== undefined || effort !== undefined;
  return text === "" && attachments.length === 0 && !isChosen;
}

/** Where there is no room for it, the browser's store has it a moment later. */
function keepPending(conversation: string, pending: string): void {
  try {
    sessionStorage.setItem(PENDING + conversation, pending);
  } catch {
    sessionStorage.removeItem(PENDING + conversation);
  }
}

function forgetPending(conversation: string, pending: string): void {
  const key = PENDING + conversation;
  if (sessionStorage.getItem(key) === pending) sessionStorage.removeItem(key);
}

/** The same through reloads of this tab. */
function nameOfTab(): string {
  if (!window.name.startsWith("deputy-")) window.name = `deputy-${crypto.randomUUID()}`;
  return window.name;
}
