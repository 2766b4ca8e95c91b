import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { isComposing } from "../parts/composing.ts";
import { icon, type IconName } from "../parts/icons.ts";
import { currentTheme, setTheme, type Theme, THEMES } from "../parts/theme.ts";
import { foldSide, isSideFolded } from "../parts/side-fold.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo, type Route } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { shortTime } from "../text/times.ts";
import { withoutMarks } from "../text/without-marks.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";
import { conversationMenu, titleOf } from "./conversation-menu.ts";

type Hit = RpcResult<"sessions.search">["hits"][number];

const PLACES: readonly {
  readonly route: Route;
  readonly icon: IconName;
  readonly label: string;
  /** Does the same, from everywhere. */
  readonly key?: string;
}[] = [
  { route: { page: "new" }, icon: "new", label: "New conversation", key: "N" },
  { route: { page: "approvals" }, icon: "approvals", label: "Approvals", key: "G" },
  { route: { page: "tasks", isNew: false }, icon: "tasks", label: "Tasks" },
  { route: { page: "tasks", isNew: true }, icon: "tasks", label: "New task" },
  { route: { page: "workspace" }, icon: "workspace", label: "Workspace" },
  { route: { page: "tools" }, icon: "tools", label: "Tools" },
  { route: { page: "tools", section: "add" }, icon: "tools", label: "Connect tools" },
  { route: { page: "memory" }, icon: "memory", label: "Memory" },
  { route: { page: "memory", section: "changes" }, icon: "undo", label: "Undo a change of the memory" },
  { route: { page: "memory", section: "forget" }, icon: "trash", label: "Forget something" },
  { route: { page: "usage" }, icon: "usage", label: "Usage" },
  { route: { page: "activity", query: "" }, icon: "activity", label: "Activity" },
  { route: { page: "settings", section: "model" }, icon: "settings", label: "Connect a model" },
  { route: { page: "settings", section: "all" }, icon: "settings", label: "All settings" },
  { route: { page: "settings", section: "agents" }, icon: "edit", label: "Agents and skills" },
  {
    route: { page: "settings", section: "health" },
    icon: "done",
    label: "Health: what does not work",
  },
  {
    route: { page: "settings", section: "browser" },
    icon: "settings",
    label: "Signed-in browsers and colours",
  },
  { route: { page: "archive" }, icon: "archive", label: "Archive" },
];

type Page = Route["page"];
const CHAT: readonly Page[] = ["new", "conversation"];

const KEYS: readonly (readonly [
  title: string,
  keys: readonly (readonly [string, string])[],
  /** Where they count; absent: everywhere. */
  pages?: readonly Page[],
])[] = [
  [
    "Everywhere",
    [
      ["Ctrl K or ⌘ K", "Search, and go anywhere"],
      ["N", "New conversation"],
      ["G", "Approvals"],
      ["?", "These keys"],
      ["Escape", "Close what is open (it never answers a question)"],
    ],
  ],
  [
    "On a question that has the focus",
    [
      ["A", "Approve"],
      ["D", "Deny, with a reason"],
      ["↑ ↓, Space", "Go from call to call, tick or untick"],
    ],
    ["conversation", "approvals"],
  ],
  ["Beside a program", [["← →, Home, End", "Step through it"]], ["conversation"]],
  [
    "While you write a message",
    [
      ["Enter", "Send it (on a phone: a new line)"],
      ["Shift Enter", "A new line"],
      ["↑", "In an empty box: take back what was not sent yet"],
      ["/", "At the beginning: commands and skills"],
      ["@", "A file of the workspace"],
      ["↑ ↓, Enter, Escape", "Choose a suggestion, take it, close the list"],
    ],
    CHAT,
  ],
  [
    "While you search",
    [
      ["↑ ↓", "Choose"],
      ["Enter", "Go there"],
    ],
  ],
  [
    "In settings and notes",
    [
      ["Ctrl S or ⌘ S", "Save the note or skill that you edit"],
      ["Enter, Escape", "Save a setting, or give the change up"],
    ],
    ["settings", "memory"],
  ],
];

const THEME_ACTIONS: Readonly<Record<Theme, string>> = {
  system: "Use the system’s colours",
  light: "Use light colours",
  dark: "Use dark colours",
};

/** A place to go to, or something to do. */
type Option = { readonly icon: IconName; readonly title: unknown; readonly meta: unknown } & (
  | { readonly href: string }
  | { run(): void }
);

const TYPING_MS = 200;
const MOST_SESSIONS = 8;

export function openPalette(app: App, what: "search" | "keys"): void {
  const open = document.querySelector<PaletteDialog>("palette-dialog");
  const dialog = open?.querySelector("dialog");
  // One that was just closed is still there for a moment.
  if (open?.what === what && dialog?.open !== false) return;
  dialog?.close();
  open?.remove();
  const palette = document.createElement("palette-dialog") as PaletteDialog;
  palette.app = app;
  palette.what = what;
  document.body.append(palette);
}

/** `<palette-dialog>`: every place, every conversation, and words in messages; or the keys. */
class PaletteDialog extends View {
  static override properties = {
    app: {},
    what: {},
    query: { state: true },
    hits: { state: true },
    at: { state: true },
    chosen: { state: true },
  };
  declare app: App;
  declare what: "search" | "keys";
  declare query: string;
  declare hits: readonly Hit[];
  declare at: number;
  /** Told to screen readers: the box keeps the focus. */
  declare chosen: string;
  #typing = new AbortController();

  constructor() {
    super();
    this.query = "";
    this.hits = [];
    this.at = 0;
    this.chosen = "";
  }

  protected override firstUpdated(): void {
    const dialog = this.querySelector("dialog");
    dialog?.showModal();
    dialog?.addEventListener("close", () => this.remove());
    this.querySelector("input")?.focus();
  }

  async #search(query: string): Promise<void> {
    this.query = query;
    this.at = 0;
    this.#typing.abort();
    this.#typing = new AbortController();
    const { signal } = this.#typing;
    if (query.trim().length < 2) {
      this.hits = [];
      return;
    }
    await pause(TYPING_MS, AbortSignal.any([signal, this.life]));
    if (signal.aborted) return;
    try {
      const { hits } = await this.app.connection.call("sessions.search", { query, limit: 20 });
      if (!signal.aborted) this.hits = hits;
    } catch {
      // The places and titles are still there; words are found again with the connection.
      if (!signal.aborted) this.hits = [];
    }
  }

  /** What can be done here and now: with the open conversation, and with the page. */
  #actions(): readonly {
    readonly label: string;
    readonly icon: IconName;
    readonly key?: string;
    run(): void;
  }[] {
    const { app } = this;
    const store = app.conversation.value;
    const session = app.lists.sessions.value?.find(({ id }) => id === store?.id);
    const menu = session === undefined || session.isTask ? [] : conversationMenu(app, session);
    const stop = (): void => void store?.stop().catch((error: unknown) => app.tell(failureText(error)));
    const theme = currentTheme();
    return [
      ...(store?.state.value.openTurn === undefined
        ? []
        : [{ label: "Stop what is running", icon: "stop" as const, run: stop }]),
      ...menu.map(({ label, icon: name, run }) => ({
        label: `This conversation: ${label.toLowerCase().replace("markdown", "Markdown")}`,
        icon: name,
        run,
      })),
      ...THEMES.filter((other) => other !== theme).map((other) => ({
        label: THEME_ACTIONS[other],
        icon: "settings" as const,
        run: () => setTheme(other),
      })),
      {
        label: isSideFolded() ? "Unfold the side bar" : "Fold the side bar",
        icon: "side" as const,
        run: () => foldSide(!isSideFolded()),
      },
      { label: "Keyboard shortcuts", icon: "keys" as const, key: "?", run: () => openPalette(app, "keys") },
      { label: "Sign out", icon: "close" as const, run: () => app.signOut() },
    ];
  }

  #options(): readonly Option[] {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
    const now = this.app.nowMs.value;
    const sessions = this.app.lists.sessions.value ?? [];
    const isOffered = (route: Route): boolean => route.page !== "memory" || this.app.lists.hasMemory.value;
    const places = PLACES.filter(({ label, route }) => fits(label) && isOffered(route)).map(
      ({ route, icon: name, label, key }) => ({
        href: linkTo(route),
        icon: name,
        title: label,
        meta: keyOf(key),
      }),
    );
    const actions = this.#actions()
      .filter(({ label }) => fits(label))
      .map(({ label, icon: name, key, run }) => ({ run, icon: name, title: label, meta: keyOf(key) }));
    const tasks = (this.app.lists.tasks.value ?? [])
      .filter(({ prompt }) => words.length > 0 && fits(prompt))
      .slice(0, MOST_SESSIONS)
      .map(({ id, prompt }) => ({
        href: linkTo({ page: "task", id }),
        icon: "tasks" as const,
        title: shown(prompt.slice(0, 100)),
        meta: "task",
      }));
    const found = sessions
      .filter((session) => !session.isTask && session.turns > 0 && fits(titleOf(session)))
      .slice(0, MOST_SESSIONS)
      .map((session) => ({
        href: linkTo({ page: "conversation", id: session.id }),
        icon: "chat" as const,
        title: shown(titleOf(session)),
        meta: shortTime(session.lastAt, now),
      }));
    const hits = this.hits.map(({ sessionId, seq, snippet, at }) => ({
      href: linkTo({ page: "conversation", id: sessionId, seq, words: this.query.trim() }),
      icon: "search" as const,
      title: marked(snippet, words),
      meta: `${titleOf(sessions.find(({ id }) => id === sessionId))} · ${shortTime(at, now)}`,
    }));
    // What comes later stands last: what Enter would take does not change meanwhile.
    return this.query === ""
      ? [...places, ...actions, ...found]
      : [...found, ...tasks, ...places, ...actions, ...hits];
  }

  #key(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const links = [...this.querySelectorAll<HTMLElement>(".option")];
    if (event.key === "ArrowDown") this.at = Math.min(this.at + 1, links.length - 1);
    else if (event.key === "ArrowUp") this.at = Math.max(this.at - 1, 0);
    else if (event.key === "Enter") links[this.at]?.click();
    // A browser would empty the box first.
    else if (event.key === "Escape") this.#close();
    else return;
    event.preventDefault();
    links[this.at]?.scrollIntoView({ block: "nearest" });
    this.chosen = links[this.at]?.textContent ?? "";
  }

  #close(): void {
    this.querySelector("dialog")?.close();
  }

  #option(option: Option, isChosen: boolean) {
    const inside = html`${icon(option.icon)}<span class="title" dir="auto">${option.title}</span
      ><span class="meta">${option.meta}</span>`;
    const classes = `option ${isChosen ? "chosen" : ""}`;
    if ("href" in option)
      return html`<a href=${option.href} class=${classes} @click=${() => this.#close()}>${inside}</a>`;
    return html`<button type="button" class=${classes} @click=${() => this.#do(option.run)}>
      ${inside}
    </button>`;
  }

  /** Closed first: what is done may open a dialog of its own. */
  #do(run: () => void): void {
    this.querySelector("dialog")?.addEventListener("close", () => run(), { once: true });
    this.#close();
  }

  protected override render() {
    if (this.what === "keys")
      return html`<dialog class="palette keys-sheet" aria-labelledby="keys-title">
        <header>
          <h2 id="keys-title">Keys</h2>
          <button type="button" class="small" @click=${() => this.#close()}>Close</button>
        </header>
        <div class="key-groups">
          ${KEYS.filter(([, , pages]) => pages?.includes(this.app.router.route.peek().page) ?? true).map(
            ([title, keys]) =>
              html`<section>
                <h3>${title}</h3>
                <dl>
                  ${keys.map(
                    ([key, says]) =>
                      html`<dt>${showKeys(key)}</dt>
                        <dd>${says}</dd>`,
                  )}
                </dl>
              </section>`,
          )}
        </div>
      </dialog>`;
    const options = this.#options();
    return html`<dialog
      class="palette"
      aria-label="Search"
      @keydown=${(event: KeyboardEvent) => this.#key(event)}
    >
      <input
        type="search"
        aria-label="Search conversations, words and places"
        placeholder="Search, or go anywhere"
        autocomplete="off"
        spellcheck="false"
        @input=${({ target }: Event) => void this.#search((target as HTMLInputElement).value)}
      />
      <ul>
        ${options.map(
          (option, at) =>
            html`<li @pointermove=${() => (this.at = at)}>${this.#option(option, at === this.at)}</li>`,
        )}
      </ul>
      <p class="for-screen-readers" role="status">${this.chosen}</p>
      <div role="status">${options.length === 0 ? html`<p class="hint">Nothing found.</p>` : nothing}</div>
    </dialog>`;
  }
}
customElements.define("palette-dialog", PaletteDialog);

const keyOf = (key: string | undefined): unknown => (key === undefined ? nothing : html`<kbd>${key}</kbd>`);

/** “Ctrl K or ⌘ K”: each key by itself; those that are pressed together stay together. */
const showKeys = (keys: string): unknown =>
  keys
    .split(/( or |, )/)
    .map((part, at) =>
      at % 2 === 0
        ? html`<span class="chord">${part.split(" ").map((key) => html`<kbd>${key}</kbd>`)}</span>`
        : part.replace(",", ""),
    );

/** The snippet with the words that were looked for. */
function marked(snippet: string, words: readonly string[]): unknown {
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join("|");
  if (pattern === "") return shown(snippet);
  const read = withoutMarks(snippet);
  // What was looked for may be in an address, which is not read.
  const isThere = words.every((word) => !includes(snippet, word) || includes(read, word));
  return (isThere ? read : snippet)
    .split(new RegExp(`(${pattern})`, "gi"))
    .map((piece, at) => (at % 2 === 0 ? shown(piece) : html`<mark>${shown(piece)}</mark>`));
}

const includes = (text: string, word: string): boolean => text.toLowerCase().includes(word);
