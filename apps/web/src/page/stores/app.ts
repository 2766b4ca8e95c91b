import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import { type Connection, openConnection } from "../wire/connection.ts";
import { request } from "../wire/http.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { type Actions, createActions } from "./actions.ts";
import { type ConversationStore, openConversation } from "./conversation.ts";
import { keepRunTexts } from "./run-texts.ts";
import { createDrafts, type Drafts } from "./drafts.ts";
import { keepOutbox } from "./keep-outbox.ts";
import { type Lists, openLists } from "./lists.ts";
import { type Notifier, openNotifier } from "./notifier.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { openRouter, type Router } from "./route.ts";
import { createTicker } from "./ticker.ts";
import type { Attachment } from "./transcript-rows.ts";
import { isWaiting, keepFiles, LARGEST_FILE_BYTES } from "./waiting-files.ts";

/** Everything behind the signed-in page. Views get it, and nothing else. */
export interface App {
  readonly connection: Connection;
  readonly lists: Lists;
  readonly router: Router;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly notifier: Notifier;
  readonly actions: Actions;
  /** The conversation that the address names. */
  readonly conversation: ReadonlySignal<ConversationStore | undefined>;
  /** Now, to the minute: relative times follow it. */
  readonly nowMs: ReadonlySignal<number>;
  /** The same by the time of tasks. */
  readonly dueMs: ReadonlySignal<number>;
  /** What screen readers are told, once. */
  readonly announced: ReadonlySignal<{ readonly text: string }>;
  announce(text: string): void;
  /** What has just happened, for everybody to see for a while. */
  readonly told: ReadonlySignal<Told | undefined>;
  tell(text: string, undo?: () => void): void;
  /** Without a connection it waits here until its message is sent. Rejects with `RequestFailed`. */
  upload(file: File): Promise<Attachment>;
  /** Nobody is going to send them. */
  forgetFiles(files: readonly Attachment[]): void;
  /** An attachment's bytes. Rejects with `RequestFailed`. */
  download(blobId: string): Promise<Blob>;
  /** Something of the daemon's to be saved; tells how many lines have come. Rejects with `RequestFailed`. */
  fetchFile(address: `/${string}`, onLines?: (count: number) => void): Promise<Blob>;
  signOut(): void;
}

export interface Told {
  readonly text: string;
  readonly undo?: () => void;
}
const TOLD_MS = 8_000;

export function openApp(session: string, signOut: () => void, life: AbortSignal): App {
  const connection = openConnection(session, life);
  const router = openRouter(life);
  const files = keepFiles();
  const store = async (bytes: Blob): Promise<string> => {
    const headers = { "content-type": "application/octet-stream" };
    const response = await request("/api/blobs", { method: "POST", body: bytes, headers }, session);
    return ((await response.json()) as { readonly blobId: string }).blobId;
  };
  const newKey = (): string => crypto.randomUUID();
  const outbox = createOutbox({ connection, keeper: keepOutbox(), files, store, newKey }, life);
  outbox.onBegun((name, id) => {
    const route = router.route.peek();
    if (route.page === "conversation" && route.id === name) router.replace({ page: "conversation", id });
  }, life);
  const runTexts = keepRunTexts(connection, life);
  const lists = openLists(connection, life);
  const drafts = createDrafts();
  const nowMs = createTicker(life);
  const announced = signal({ text: "" });
  const told = signal<Told | undefined>(undefined);
  const conversation = followRoute(router, life, (id, until) =>
    openConversation({ connection, outbox, runTexts, afterFrame }, id, until),
  );
  return {
    connection,
    lists,
    router,
    outbox,
    drafts,
    conversation,
    notifier: openNotifier(lists, router, life),
    actions: createActions({ connection, router, outbox, lists }),
    nowMs,
    dueMs: computed(() => nowMs.value + lists.dueAheadMs.value),
    announced,
    told,
    tell(text, undo) {
      const now: Told = { text, ...(undo !== undefined && { undo }) };
      told.value = now;
      announced.value = { text };
      setTimeout(() => told.peek() === now && (told.value = undefined), TOLD_MS);
    },
    announce(text) {
      announced.value = { text };
    },
    async upload(file) {
      if (file.size > LARGEST_FILE_BYTES)
        throw new RequestFailed("too_large", `It is larger than ${LARGEST_FILE_BYTES / 1_000_000} MB.`);
      if (connection.state.peek().kind !== "open") return await files.keep(file);
      try {
        const mimeType = file.type || "application/octet-stream";
        return { blobId: await store(file), name: file.name, mimeType, size: file.size };
      } catch (error) {
        if (error instanceof RequestFailed && error.code === "no_answer") return await files.keep(file);
        throw error;
      }
    },
    forgetFiles: (gone) => files.forget(gone),
    async download(blobId) {
      const kept = isWaiting({ blobId }) ? await files.get(blobId) : undefined;
      return kept ?? (await (await request(`/api/blobs/${encodeURIComponent(blobId)}`, {}, session)).blob());
    },
    async fetchFile(address, onLines) {
      const response = await request(address, {}, session);
      if (onLines === undefined || response.body === null) return await response.blob();
      // The browser keeps it where it likes: it can be larger than this page's memory.
      return await new Response(response.body.pipeThrough(countLines(onLines))).blob();
    },
    signOut,
  };
}

const LINE_END = 10;

function countLines(onLines: (count: number) => void): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  let lines = 0;
  return new TransformStream({
    transform(bytes, controller) {
      for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) lines += 1;
      onLines(lines);
      controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
    },
  });
}

/** Opens the conversation that the address names, and closes the one before. */
function followRoute(
  router: Router,
  life: AbortSignal,
  open: (id: string, until: AbortSignal) => ConversationStore,
): ReadonlySignal<ConversationStore | undefined> {
  const current = signal<ConversationStore | undefined>(undefined);
  let closing = new AbortController();
  const stop = effect(() => {
    const route = router.route.value;
    const id = route.page === "conversation" ? route.id : undefined;
    if (current.peek()?.id === id) return;
    closing.abort();
    closing = new AbortController();
    current.value = id === undefined ? undefined : open(id, AbortSignal.any([life, closing.signal]));
  });
  life.addEventListener("abort", stop, { once: true });
  return current;
}

/** In the next frame; a tab in the background has none, and a moment must do. */
function afterFrame(work: () => void): void {
  if (document.visibilityState === "visible") requestAnimationFrame(work);
  else setTimeout(work, 50);
}
