import type { Heard, Person } from "../chat-app.ts";

/** Who may talk to Deputy in an app, as the settings say. All are ids that the app gave. */
export interface Allowed {
  /** What they say is the user's word, like that of those who paired. */
  readonly people: readonly string[];
  /** They may talk to Deputy, and what they say is a stranger's. */
  readonly guests: readonly string[];
  /** Where those may talk who may talk at all. Elsewhere Deputy hears nothing that is said in a group. */
  readonly groups: readonly string[];
}

/**
 * `user`: it is the user's word. `guest`: it may be answered, and is nobody's word. `stranger`: nothing of it may reach
 * a model. `tell` is the one line that a stranger gets, once; `paired`: they have just shown the code.
 */
export type Admission =
  | { readonly kind: "user" | "guest" | "paired" }
  | { readonly kind: "stranger"; readonly tell?: string };

/** Lets in who may come in. Everything that happens in an app passes here, before anything else is done with it. */
export interface Doorkeeper {
  /** Rejects if it cannot be found out who is paired; then nobody comes in. */
  admit(heard: Heard, signal: AbortSignal): Promise<Admission>;
}

const MOST_TOLD = 10_000;
/** What could be a code; anything else is not tried, so that a chatty stranger does not use the code up. */
const CODE = /^(?:\/start\s+)?([0-9a-z]{4}[- ]?[0-9a-z]{4})$/i;

export function createDoorkeeper(deps: {
  readonly allowed: Allowed;
  /** Those who are paired now. */
  readonly paired: (signal: AbortSignal) => Promise<readonly Person[]>;
  readonly pair: (person: Person, code: string, signal: AbortSignal) => Promise<boolean>;
}): Doorkeeper {
  const people = new Set(deps.allowed.people);
  const guests = new Set(deps.allowed.guests);
  const groups = new Set(deps.allowed.groups);
  const told = new Set<string>();

  const isUser = async (id: string, signal: AbortSignal): Promise<boolean> =>
    people.has(id) || (await deps.paired(signal)).some((one) => one.id === id);

  /** One polite line for each stranger; of very many, those of long ago may get it again. */
  const refuse = (id: string): Admission => {
    if (told.has(id)) return { kind: "stranger" };
    told.add(id);
    const [oldest] = told;
    if (told.size > MOST_TOLD && oldest !== undefined) told.delete(oldest);
    return {
      kind: "stranger",
      tell: "This is somebody's personal assistant, and it does not know you. If it is yours, send the code that `deputy channels pair` shows.",
    };
  };

  return {
    async admit(heard, signal) {
      const { by, group } = heard;
      if (group !== undefined && !groups.has(group)) return { kind: "stranger" };
      if (await isUser(by.id, signal)) return { kind: "user" };
      if (guests.has(by.id)) return { kind: "guest" };
      if (group !== undefined || heard.kind !== "said") return { kind: "stranger" };
      const code = CODE.exec(heard.text.trim())?.[1];
      if (code !== undefined && (await deps.pair(by, code, signal))) return { kind: "paired" };
      return refuse(by.id);
    },
  };
}
