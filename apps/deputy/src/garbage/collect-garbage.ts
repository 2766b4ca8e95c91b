import type { Session } from "node:inspector/promises";

/** Makes V8 free all it can, which takes some tenths of a second. Does nothing if this Node has no inspector. */
export async function collectGarbage(): Promise<void> {
  const session = await openSession();
  if (session === undefined) return;
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

async function openSession(): Promise<Session | undefined> {
  try {
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    return session;
  } catch {
    return undefined; // Node can be built without one.
  }
}
