import { html } from "lit";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown } from "../../text/shown.ts";
import { titleOf } from "../conversation-menu.ts";

/** Kinds of documents, in the order in which they are listed. */
export const KINDS = {
  memory: { one: "long-term memory", title: "Long-term memory, in every prompt" },
  notes: { one: "notes", title: "Notes" },
  daily: { one: "daily notes", title: "Daily notes" },
  extra: { one: "your documents", title: "Your documents" },
  session: { one: "conversation", title: "Conversations" },
} as const;

/** A link to the conversation, by its title. */
export function conversationLink(app: App, id: string) {
  const session = app.lists.sessions.value?.find((one) => one.id === id);
  return html`<a href=${linkTo({ page: "conversation", id })}>${shown(titleOf(session))}</a>`;
}

/** Whose words they are; of several things together, others may have said only some. */
export function whoseWords(foreign: readonly string[], of: "one" | "several") {
  if (foreign.length === 0) return html`<span>your words</span>`;
  const which = of === "one" ? "others’ words" : "partly others’ words";
  return html`<span class="others">${which}: ${shown(foreign.join(", "))}</span>`;
}

/** The agent whose file it is; undefined for what belongs to none. */
export function agentOf(app: App, path: string): string | undefined {
  return app.lists.agents.value.find(({ id }) => path.startsWith(`${id}/`))?.id;
}

/** A file's name without the agent that it belongs to. */
export function nameOf(app: App, path: string): string {
  const agent = agentOf(app, path);
  return agent === undefined ? path : path.slice(agent.length + 1).replace(/^memory\//, "");
}
