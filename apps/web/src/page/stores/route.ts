import { type ReadonlySignal, signal } from "@preact/signals-core";

/** Where the reader is. It is the part of the address after `#`, which never leaves this browser. */
export type Route =
  | { readonly page: "new" }
  | { readonly page: "conversation"; readonly id: string; readonly seq?: number }
  | { readonly page: "approvals" }
  | { readonly page: "tasks"; readonly isNew: boolean }
  | { readonly page: "task"; readonly id: string }
  | { readonly page: "workspace" }
  | { readonly page: "tools"; readonly section?: string }
  | { readonly page: "usage" }
  | { readonly page: "settings"; readonly section?: string }
  | { readonly page: "archive" };

const PAGES = ["approvals", "workspace", "usage", "archive"] as const;

/** Whatever does not name a place here is a new conversation. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first = "", second = ""] = path.split("/");
  if (/^tsk_\w+$/.test(first)) return { page: "task", id: first };
  if (first === "c" && /^(?:ses_\w+|web--[\w-]+)$/.test(second)) {
    const seq = Number(new URLSearchParams(query).get("at"));
    return { page: "conversation", id: second, ...(Number.isSafeInteger(seq) && seq > 0 && { seq }) };
  }
  if (first === "tasks" && /^tsk_\w+$/.test(second)) return { page: "task", id: second };
  if (first === "tasks") return { page: "tasks", isNew: second === "new" };
  if (first === "settings" || first === "tools")
    return { page: first, ...(second !== "" && { section: decodeURIComponent(second) }) };
  const page = PAGES.find((name) => name === first);
  return page === undefined ? { page: "new" } : { page };
}

export function linkTo(route: Route): string {
  switch (route.page) {
    case "new":
      return "#/";
    case "conversation":
      return `#/c/${route.id}${route.seq === undefined ? "" : `?at=${route.seq}`}`;
    case "task":
      return `#/tasks/${route.id}`;
    case "tasks":
      return route.isNew ? "#/tasks/new" : "#/tasks";
    case "tools":
    case "settings":
      return `#/${route.page}${route.section === undefined ? "" : `/${encodeURIComponent(route.section)}`}`;
    default:
      return `#/${route.page}`;
  }
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
