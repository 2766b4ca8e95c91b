import { type ReadonlySignal, signal } from "@preact/signals-core";

/** Where the reader is. It is the part of the address after `#`, which never leaves this browser. */
export type Route =
  | { readonly page: "new" }
  | {
      readonly page: "conversation";
      readonly id: string;
      readonly seq?: number;
      /** What was looked for, which is marked there. */
      readonly words?: string;
      /** The program that is looked at beside it, and how far: absent, as it is now. */
      readonly run?: string;
      readonly step?: number;
    }
  /** With an id: at that question. */
  | { readonly page: "approvals"; readonly id?: string }
  | { readonly page: "tasks"; readonly isNew: boolean }
  | { readonly page: "task"; readonly id: string }
  | { readonly page: "workspace" }
  | { readonly page: "tools"; readonly section?: string }
  | { readonly page: "usage" }
  /** With a path: at that document. */
  | { readonly page: "memory"; readonly section?: "changes" | "forget"; readonly path?: string }
  /** The query is what the reader filters by. */
  | { readonly page: "activity"; readonly query: string }
  | { readonly page: "settings"; readonly section?: string }
  | { readonly page: "archive" };

const PAGES = ["workspace", "usage", "archive"] as const;

/** Whatever does not name a place here is a new conversation. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first = "", second = ""] = path.split("/");
  if (/^tsk_\w+$/.test(first)) return { page: "task", id: first };
  if (first === "c" && /^(?:ses_\w+|web--[\w-]+)$/.test(second)) {
    const said = new URLSearchParams(query);
    const seq = Number(said.get("at"));
    const words = said.get("words") ?? "";
    const run = said.get("run") ?? "";
    const step = said.get("step") ?? "";
    return {
      page: "conversation",
      id: second,
      ...(Number.isSafeInteger(seq) && seq > 0 && { seq, ...(words !== "" && { words }) }),
      ...(/^[a-z]{3}_\w+$/.test(run) && { run, ...(/^\d{1,6}$/.test(step) && { step: Number(step) }) }),
    };
  }
  if (first === "tasks" && /^tsk_\w+$/.test(second)) return { page: "task", id: second };
  if (first === "tasks") return { page: "tasks", isNew: second === "new" };
  if (first === "approvals") {
    const id = new URLSearchParams(query).get("q") ?? "";
    return { page: "approvals", ...(/^[a-z]{3}_\w+$/.test(id) && { id }) };
  }
  if (first === "activity") return { page: "activity", query };
  if (first === "settings" || first === "tools")
    return { page: first, ...(second !== "" && { section: decodeURIComponent(second) }) };
  if (first === "memory") {
    const file = new URLSearchParams(query).get("path") ?? "";
    const section = second === "changes" || second === "forget" ? second : undefined;
    return { page: "memory", ...(section !== undefined ? { section } : file !== "" && { path: file }) };
  }
  const page = PAGES.find((name) => name === first);
  return page === undefined ? { page: "new" } : { page };
}

export function linkTo(route: Route): string {
  switch (route.page) {
    case "new":
      return "#/";
    case "conversation":
      return conversationLink(route);
    case "task":
      return `#/tasks/${route.id}`;
    case "tasks":
      return route.isNew ? "#/tasks/new" : "#/tasks";
    case "approvals":
      return route.id === undefined ? "#/approvals" : `#/approvals?q=${route.id}`;
    case "memory":
      if (route.path !== undefined) return `#/memory?${new URLSearchParams({ path: route.path })}`;
      return route.section === undefined ? "#/memory" : `#/memory/${route.section}`;
    case "activity":
      return route.query === "" ? "#/activity" : `#/activity?${route.query}`;
    case "tools":
    case "settings":
      return `#/${route.page}${route.section === undefined ? "" : `/${encodeURIComponent(route.section)}`}`;
    default:
      return `#/${route.page}`;
  }
}

function conversationLink({ id, seq, words, run, step }: Extract<Route, { page: "conversation" }>): string {
  const said = new URLSearchParams();
  if (seq !== undefined) said.set("at", String(seq));
  if (words !== undefined) said.set("words", words);
  if (run !== undefined) said.set("run", run);
  if (step !== undefined) said.set("step", String(step));
  return said.size === 0 ? `#/c/${id}` : `#/c/${id}?${said}`;
}

export interface Router {
  readonly route: ReadonlySignal<Route>;
  go(route: Route): void;
  /** The same without a step in the history. */
  replace(route: Route): void;
}

export function openRouter(life: AbortSignal): Router {
  const route = signal<Route>(readRoute(location.hash));
  const look = (): void => {
    route.value = readRoute(location.hash);
  };
  window.addEventListener("hashchange", look, { signal: life });
  return {
    route,
    go(next) {
      location.hash = linkTo(next);
    },
    replace(next) {
      history.replaceState(null, "", linkTo(next));
      look();
    },
  };
}
