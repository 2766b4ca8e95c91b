import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "@deputy/kit";

/**
 * What a browser keeps instead of the token: it names its age, and the token has signed it. It is good for as long as it
 * is in the list of sign-ins, its token is the current one and it is not too old. Whoever sees it cannot derive the token
 * from it.
 */
export interface PageSessions {
  /** A new one, good until `expiresAt`. */
  issue(who?: { readonly client?: string | undefined; readonly from?: string | undefined }): {
    readonly session: string;
    readonly expiresAt: string;
  };
  /**
   * Undefined if this cannot be one; else whether it was signed with that token, is not too old and was not revoked.
   */
  check(presented: string, token: string): boolean | undefined;
  /** Its id, for one that `check` accepted. */
  idOf(presented: string): string | undefined;
  /** The sign-ins that are valid now, the most recently used one first. */
  list(): readonly Omit<SignInRecord, "mark">[];
  /** False if there is no such sign-in. */
  revoke(id: string): boolean;
}

/** One browser. */
export interface SignInRecord {
  readonly id: string;
  readonly client: string;
  readonly from: string;
  readonly at: string;
  readonly lastAt: string;
  readonly expiresAt: string;
  /** Tells sign-ins of another token apart; nothing can be derived from it. */
  readonly mark: string;
}

/** Where the list is kept. Neither throws; a list that cannot be read is empty, which signs everybody out. */
export interface SignInStore {
  read(): readonly SignInRecord[];
  write(records: readonly SignInRecord[]): void;
}

const PREFIX = "dps";
const LIFE_MS = 30 * 86_400_000;
const FORM = /^dps\.([\w-]{16})\.([0-9a-z]{1,11})\.([\w-]{43})$/;
/** The least recently used makes room. */
const MOST_SIGN_INS = 100;
/** How exactly the time of the last use is kept. */
const USED_MS = 60_000;
const KEPT_MS = 3_600_000;
const CLIENT_CHARS = 200;

export function createPageSessions(deps: {
  readonly clock: Pick<Clock, "now">;
  readonly token: () => string;
  readonly store?: SignInStore | undefined;
}): PageSessions {
  const { clock, store } = deps;
  const known = new Map<string, SignInRecord>((store?.read() ?? []).map((one) => [one.id, one]));
  let keptMs = clock.now();
  const iso = (ms: number): string => new Date(ms).toISOString();
  const keep = (): void => {
    keptMs = clock.now();
    for (const [id, { expiresAt }] of known) if (Date.parse(expiresAt) <= keptMs) known.delete(id);
    store?.write([...known.values()]);
  };
  const touch = (record: SignInRecord): void => {
    const nowMs = clock.now();
    if (nowMs - Date.parse(record.lastAt) < USED_MS) return;
    known.set(record.id, { ...record, lastAt: iso(nowMs) });
    if (nowMs - keptMs >= KEPT_MS) keep();
  };
  const list = (): readonly SignInRecord[] => {
    const mark = markOf(deps.token());
    return [...known.values()]
      .filter((one) => one.mark === mark && Date.parse(one.expiresAt) > clock.now())
      .toSorted((a, b) => b.lastAt.localeCompare(a.lastAt));
  };

  return {
    issue({ client = "", from = "" } = {}) {
      const token = deps.token();
      const nowMs = clock.now();
      const untilMs = nowMs + LIFE_MS;
      const id = randomBytes(12).toString("base64url");
      const named = `${PREFIX}.${id}.${untilMs.toString(36)}`;
      const session = `${named}.${sign(named, token).toString("base64url")}`;
      const [at, expiresAt] = [iso(nowMs), iso(untilMs)];
      const record = { id, client: client.slice(0, CLIENT_CHARS), from, at, lastAt: at, expiresAt };
      known.set(id, { ...record, mark: markOf(token) });
      const oldest = [...known.values()].toSorted((a, b) => a.lastAt.localeCompare(b.lastAt))[0];
      if (known.size > MOST_SIGN_INS && oldest !== undefined) known.delete(oldest.id);
      keep();
      return { session, expiresAt };
    },
    check(presented, token) {
      const [, id, until, signature] = FORM.exec(presented) ?? [];
      if (id === undefined || until === undefined || signature === undefined) return undefined;
      // An empty token would sign for everybody.
      if (token === "" || Number.parseInt(until, 36) <= clock.now()) return false;
      const expected = sign(`${PREFIX}.${id}.${until}`, token);
      const given = Buffer.from(signature, "base64url");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      const record = known.get(id);
      if (record === undefined) return false;
      touch(record);
      return true;
    },
    idOf: (presented) => FORM.exec(presented)?.[1],
    list: () => list().map(({ mark: _mark, ...shown }) => shown),
    revoke(id) {
      if (!known.delete(id)) return false;
      keep();
      return true;
    },
  };
}

function sign(text: string, token: string): Buffer {
  return createHmac("sha256", token).update(`deputy page session\n${text}`).digest();
}

function markOf(token: string): string {
  return createHmac("sha256", token).update("deputy sign-ins").digest("base64url").slice(0, 8);
}
