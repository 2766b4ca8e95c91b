import { postJson } from "./http.ts";

/** How this browser gets in, and where it keeps that. What it keeps is a session, never the token. */

const KEY = "deputy.session";
const CHANNEL = "deputy.sign-in";
/** How long a new tab waits for another one that is signed in. */
const ASK_MS = 150;

export interface SignedIn {
  readonly session: string;
  readonly expiresAt: string;
}

/** `tab`: until all tabs are closed. `device`: as long as the session lasts. */
export type KeepFor = "tab" | "device";

/** Header values are visible ASCII; anything else cannot be a token. */
export const couldBeToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export function signInWithCode(code: string): Promise<SignedIn> {
  return postJson<SignedIn>("/api/sign-in", { code });
}

export function signInWithToken(token: string): Promise<SignedIn> {
  return postJson<SignedIn>("/api/sign-in/sessions", {}, token);
}

export function keep({ session }: SignedIn, keepFor: KeepFor): void {
  sessionStorage.setItem(KEY, session);
  if (keepFor === "device") localStorage.setItem(KEY, session);
}

/** Lets in the other tabs that are signed out. */
export function tellOtherTabs({ session }: SignedIn): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ session });
  channel.close();
}

/** Calls `enter` when another tab has signed in. */
export function whenOtherTabSignsIn(enter: (session: string) => void, until: AbortSignal): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    if (typeof data !== "object" || data === null || typeof data.session !== "string") return;
    sessionStorage.setItem(KEY, data.session);
    enter(data.session as string);
  });
  until.addEventListener("abort", () => channel.close(), { once: true });
}

export function forget(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

/** The session of this tab, of this device, or of another open tab. */
export async function kept(): Promise<string | undefined> {
  const own = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? (await askOtherTabs());
  if (own === undefined) return undefined;
  sessionStorage.setItem(KEY, own);
  return own;
}

/** Answers other tabs of this origin that have just been opened. */
export function answerOtherTabs(signal: AbortSignal): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    const session = sessionStorage.getItem(KEY);
    if (data === "who is signed in?" && session !== null) channel.postMessage({ session });
  });
  signal.addEventListener("abort", () => channel.close(), { once: true });
}

function askOtherTabs(): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ASK_MS);
    channel.addEventListener("message", ({ data }) => {
      if (typeof data !== "object" || data === null || typeof data.session !== "string") return;
      clearTimeout(timer);
      resolve(data.session as string);
    });
    channel.postMessage("who is signed in?");
  }).finally(() => channel.close());
}
