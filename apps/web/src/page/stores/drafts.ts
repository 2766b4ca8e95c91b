import { createStore, del, get, set } from "idb-keyval";
import type { Attachment } from "./transcript-rows.ts";

/** What was typed and not sent, for each conversation; `new` for the one that has not begun. It outlives a reload. */
export interface Drafts {
  /** Undefined when there is none, or this browser keeps nothing. */
  load(conversation: string): Promise<Draft | undefined>;
  /** An empty one is forgotten. */
  save(conversation: string, draft: Draft): void;
}

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export function createDrafts(): Drafts {
  const store = createStore("deputy-drafts", "drafts");
  return {
    async load(conversation) {
      try {
        return await get<Draft>(conversation, store);
      } catch {
        return undefined;
      }
    },
    save(conversation, draft) {
      const isEmpty = draft.text === "" && draft.attachments.length === 0;
      const done = isEmpty ? del(conversation, store) : set(conversation, draft, store);
      done.catch(() => undefined);
    },
  };
}
