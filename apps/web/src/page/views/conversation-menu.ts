import type { ListedSession } from "@deputy/protocol/rpc";
import { ask } from "../parts/ask.ts";
import type { MenuItem } from "../parts/action-menu.ts";
import type { App } from "../stores/app.ts";
import { exportMarkdown } from "../stores/actions.ts";
import { createTranscript } from "../stores/reduce-transcript.ts";
import { failureText } from "../text/words.ts";

/** Conversations that nobody began. */
const OWN_TITLES: Readonly<Record<string, string>> = { reminders: "Reminders", heartbeat: "Heartbeat" };

export function titleOf(
  session: (Pick<ListedSession, "title"> & Partial<Pick<ListedSession, "key" | "isNamed">>) | undefined,
): string {
  const [owner = ""] = session?.key?.split("--") ?? [];
  const own = session?.isNamed === true ? undefined : OWN_TITLES[owner];
  return own ?? (session?.title || "New conversation");
}

/** What can be done with a conversation as a whole. */
export function conversationMenu(app: App, session: ListedSession): readonly MenuItem[] {
  const { actions } = app;
  const act = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => app.tell(failureText(error)));
  };
  const leave = (): void => {
    const route = app.router.route.peek();
    if (route.page === "conversation" && route.id === session.id) app.router.go({ page: "new" });
  };
  return [
    {
      label: "Rename",
      icon: "edit",
      run: () =>
        void ask({ title: "Rename this conversation", button: "Rename", value: titleOf(session) }).then(
          (title) => {
            if (title === undefined) return;
            const before = session.isNamed ? session.title : "";
            act(
              actions
                .rename(session.id, title)
                .then(() => app.tell("Renamed.", () => act(actions.rename(session.id, before)))),
            );
          },
        ),
    },
    { label: "Continue in a copy", icon: "fork", run: () => act(actions.fork(session.id)) },
    { label: "Export as Markdown", icon: "download", run: () => act(exportConversation(app, session)) },
    session.isArchived
      ? { label: "Take out of the archive", icon: "undo", run: () => act(actions.archive(session.id, false)) }
      : {
          label: "Archive",
          icon: "archive",
          run: () => {
            act(
              actions
                .archive(session.id, true)
                .then(() => app.tell("Archived.", () => act(actions.archive(session.id, false)))),
            );
            leave();
          },
        },
    {
      label: "Delete",
      icon: "trash",
      isDanger: true,
      run: () =>
        void ask({
          title: `Delete “${titleOf(session)}”?`,
          text: "What was said and done in it is erased for good. What it cost stays in the usage.",
          button: "Delete",
          isDanger: true,
        }).then((answer) => {
          if (answer === undefined) return;
          act(actions.remove(session.id));
          leave();
        }),
    },
  ];
}

/** All of it, also what this page has not loaded. */
async function exportConversation(app: App, session: ListedSession): Promise<void> {
  const transcript = createTranscript();
  const pages = [];
  for (let before: number | undefined; ;) {
    const page = await app.connection.call("events.page", {
      stream: session.id,
      limit: 1_000,
      ...(before !== undefined && { before }),
    });
    pages.unshift(page.events);
    before = page.events[0]?.seq;
    if (!page.hasMore || before === undefined) break;
  }
  for (const event of pages.flat()) transcript.apply(event as never);
  const text = exportMarkdown(titleOf(session), transcript.rows());
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  link.download = `${titleOf(session)
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60)}.md`;
  link.click();
  URL.revokeObjectURL(link.href);
}
