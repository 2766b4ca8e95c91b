import type { PendingApproval } from "@deputy/protocol";
import { effect, type ReadonlySignal, signal } from "@preact/signals-core";
import type { Lists } from "./lists.ts";
import type { Router } from "./route.ts";

/** Tells the reader of questions while the page is not in front: once for each, over all tabs. */
export interface Notifier {
  /** `unavailable`: without https a browser has none. */
  readonly permission: ReadonlySignal<"default" | "granted" | "denied" | "unavailable">;
  /** Asks the browser. Only a click may call it. */
  ask(): Promise<void>;
}

const CLAIMED = "deputy.notified";
const MOST_CLAIMED = 200;
/** A tab in front goes first. */
const AFTER_FRONT_MS = 400;

export function openNotifier(lists: Lists, router: Router, life: AbortSignal): Notifier {
  const isThere = "Notification" in globalThis && isSecureContext;
  const permission = signal<Notifier["permission"]["value"]>(
    isThere ? Notification.permission : "unavailable",
  );
  /** Another tab may have asked for it, or the reader changed it in the browser. */
  const readPermission = (): void => {
    if (isThere) permission.value = Notification.permission;
  };
  if (isThere)
    navigator.permissions?.query({ name: "notifications" }).then(
      (status) => status.addEventListener("change", readPermission, { signal: life }),
      () => undefined,
    );
  const shownHere = new Map<string, Notification>();
  let known: ReadonlySet<string> | undefined;

  const open = (id: string): void => router.go({ page: "approvals", id });
  const show = async (question: PendingApproval): Promise<void> => {
    const isInFront = document.visibilityState === "visible" && document.hasFocus();
    if (!isInFront) await new Promise((resolve) => setTimeout(resolve, AFTER_FRONT_MS));
    // A tab that can neither show it nor has it in front leaves it to another.
    readPermission();
    if (life.aborted || (!isInFront && permission.peek() !== "granted")) return;
    if (!(await claim(question.id)) || isInFront) return;
    // Its answer may have come meanwhile.
    if (!(lists.approvals.peek() ?? []).some(({ id }) => id === question.id)) return;
    const options = { body: bodyOf(question), tag: question.id, icon: "/icon-waiting.svg" };
    const registration = await navigator.serviceWorker?.getRegistration();
    if (registration?.active) {
      await registration.showNotification(TITLE, options);
      return;
    }
    const notification = new Notification(TITLE, options);
    shownHere.set(question.id, notification);
    notification.addEventListener("click", () => {
      window.focus();
      open(question.id);
      notification.close();
    });
  };
  const take = async (id: string): Promise<void> => {
    shownHere.get(id)?.close();
    shownHere.delete(id);
    const registration = await navigator.serviceWorker?.getRegistration();
    for (const one of (await registration?.getNotifications({ tag: id })) ?? []) one.close();
  };

  const stop = effect(() => {
    const pending = lists.approvals.value;
    if (pending === undefined) return;
    const before = known;
    known = new Set(pending.map(({ id }) => id));
    // What waited before this tab was opened is in the title already.
    for (const question of pending)
      if (before !== undefined && !before.has(question.id)) show(question).catch(() => undefined);
    for (const id of before ?? []) if (!known.has(id)) take(id).catch(() => undefined);
  });
  life.addEventListener("abort", stop, { once: true });
  navigator.serviceWorker?.addEventListener(
    "message",
    ({ data }: MessageEvent<{ readonly open?: unknown } | null>) => {
      if (typeof data?.open === "string") open(data.open);
    },
    { signal: life },
  );

  return {
    permission,
    async ask() {
      if (isThere) permission.value = await Notification.requestPermission();
    },
  };
}

const TITLE = "Deputy waits for you";

/** Which tool, and how often; never what is in it. */
function bodyOf({ toolPath, card }: PendingApproval): string {
  const calls = (card?.groups ?? []).reduce(
    (sum, group) => sum + group.calls.length + (group.folded?.calls.length ?? 0),
    0,
  );
  return calls > 1 ? `${calls} calls` : toolPath;
}

/** True for the first tab that asks. */
async function claim(id: string): Promise<boolean> {
  const take = (): boolean => {
    const claimed = readClaimed();
    if (claimed.includes(id)) return false;
    localStorage.setItem(CLAIMED, JSON.stringify([...claimed, id].slice(-MOST_CLAIMED)));
    return true;
  };
  return await (navigator.locks === undefined ? take() : navigator.locks.request(CLAIMED, take));
}

function readClaimed(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(CLAIMED) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
