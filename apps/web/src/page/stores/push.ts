import type { Connection } from "../wire/connection.ts";

/** Notifications of this browser, also while the page is closed. */
export type PushState = "on" | "off" | "denied" | "unavailable";

export async function pushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis) || !isSecureContext)
    return "unavailable";
  if (Notification.permission === "denied") return "denied";
  return (await subscription()) === null ? "off" : "on";
}

/** Only a click may call it: the browser asks. Rejects if the browser or Deputy does not want it. */
export async function turnPushOn(connection: Pick<Connection, "call">): Promise<void> {
  const { key } = await connection.call("push.key", {});
  const registration = await navigator.serviceWorker.ready;
  await (await subscription())?.unsubscribe();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await connection.call("push.subscribe", {
    endpoint: endpoint ?? "",
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
  });
}

export async function turnPushOff(connection: Pick<Connection, "call">): Promise<void> {
  const made = await subscription();
  if (made === null) return;
  await connection.call("push.unsubscribe", { endpoint: made.endpoint });
  await made.unsubscribe();
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}
