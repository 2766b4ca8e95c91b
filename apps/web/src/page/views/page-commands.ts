import type { IconName } from "../parts/icons.ts";
import type { App } from "../stores/app.ts";
import type { Route } from "../stores/route.ts";
import { conversationMenu } from "./conversation-menu.ts";
import { openPalette } from "./palette-dialog.ts";

/** Something that the page can do by itself. */
export interface PageCommand {
  readonly name: string;
  readonly about: string;
  readonly icon: IconName;
  /** It takes what is chosen next, and does nothing by itself. */
  readonly takes?: "model" | "effort";
  readonly run: () => void;
}

/** How the items of a conversation's menu are called as commands. */
const MENU: Readonly<Record<string, readonly [name: string, about: string]>> = {
  Rename: ["rename", "Give this conversation another name"],
  "Continue in a copy": ["copy", "Continue in a copy of this conversation"],
  "Export as Markdown": ["export", "Save this conversation as Markdown"],
  Archive: ["archive", "Put this conversation into the archive"],
  Delete: ["delete", "Delete this conversation for good"],
};

/** What can be done from the composer, here and now. */
export function pageCommands(deps: {
  readonly app: App;
  readonly conversation: string | undefined;
  readonly isRunning: boolean;
  readonly hasModels: boolean;
  readonly hasEfforts: boolean;
  readonly stop: () => void;
}): readonly PageCommand[] {
  const { app } = deps;
  const go = (route: Route) => () => app.router.go(route);
  const session = app.lists.sessions.value?.find(({ id }) => id === deps.conversation);
  const menu = session === undefined ? [] : conversationMenu(app, session);
  const none = (): void => undefined;
  return [
    { name: "new", about: "Begin a new conversation", icon: "new", run: go({ page: "new" }) },
    ...(deps.isRunning
      ? [{ name: "stop", about: "Stop what Deputy is doing", icon: "stop" as const, run: deps.stop }]
      : []),
    ...(deps.hasModels
      ? [
          {
            name: "model",
            about: "Choose the model that answers",
            icon: "chat" as const,
            takes: "model" as const,
            run: none,
          },
        ]
      : []),
    ...(deps.hasEfforts
      ? [
          {
            name: "effort",
            about: "Choose how much the model reasons",
            icon: "chat" as const,
            takes: "effort" as const,
            run: none,
          },
        ]
      : []),
    ...menu.flatMap(({ label, icon, run }) => {
      const [name, about] = MENU[label] ?? [];
      return name === undefined || about === undefined ? [] : [{ name, about, icon, run }];
    }),
    {
      name: "task",
      about: "Make a task that runs later or repeatedly",
      icon: "tasks",
      run: go({ page: "tasks", isNew: true }),
    },
    {
      name: "approvals",
      about: "See what waits for your answer",
      icon: "approvals",
      run: go({ page: "approvals" }),
    },
    { name: "usage", about: "See what models took", icon: "usage", run: go({ page: "usage" }) },
    {
      name: "search",
      about: "Search conversations, and go anywhere",
      icon: "search",
      run: () => openPalette(app, "search"),
    },
    { name: "help", about: "Show all keys", icon: "keys", run: () => openPalette(app, "keys") },
  ];
}
