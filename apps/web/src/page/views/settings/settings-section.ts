import type { SettingRow } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isComposing } from "../../parts/composing.ts";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { formOf, textOf } from "@deputy/json-schema/form-fields";
import {
  createSettingsStore,
  type KeptSettings,
  nameOfSetting,
  type SettingsStore,
  textNow,
  TYPED,
} from "../../stores/settings.ts";
import { shown } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import { withCode } from "../../text/with-code.ts";

/** What the parts of the settings are called here, what people change most first. */
const GROUPS: Readonly<Record<string, string>> = {
  agent: "All agents",
  session: "Conversations",
  approvals: "Approvals",
  policy: "Rules for calls",
  memory: "Memory",
  heartbeat: "Heartbeat",
  tools: "Deputy’s own tools",
  security: "Safety",
  retention: "What is kept",
  gateway: "The daemon and its address",
  providers: "Model providers",
  agents: "Agents",
  skills: "Skills",
  terminal: "Terminal",
  events: "Mailboxes and folders",
  toolSources: "Tools from elsewhere",
  mcpServers: "Tools from elsewhere",
  credentials: "Tools from elsewhere",
  prices: "Prices",
};
/** In this order; what is not named here comes last. */
const ORDER = [...new Set(Object.values(GROUPS))];

const WHEN: Readonly<Record<SettingRow["effect"], string>> = {
  at_once: "counts at once",
  restart: "counts after a restart",
  start: "counts when Deputy is started again",
  none: "has no effect in this version",
};

/** `<settings-section>`: one row, one control for each setting; each is saved on its own. */
class SettingsSection extends View {
  static override properties = {
    app: {},
    query: { state: true },
    restarting: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare query: string;
  declare restarting: boolean;
  declare message: string;
  #store: SettingsStore | undefined;

  constructor() {
    super();
    this.query = "";
    this.restarting = false;
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const store = (this.#store ??= storeOf(this.app));
    this.app.connection.onOpen(() => {
      this.restarting = false;
      void store.load();
    }, this.life);
  }

  async #save(row: SettingRow, text?: string): Promise<void> {
    const outcome = await this.#store?.save(row, text);
    this.app.announce(outcome === "saved" ? `${titleOf(row)}: saved.` : `${titleOf(row)}: not saved.`);
  }

  async #reset(row: SettingRow): Promise<void> {
    const outcome = await this.#store?.reset(row);
    if (outcome === "saved") this.app.announce(`${titleOf(row)}: the default counts.`);
  }

  async #restart(): Promise<void> {
    this.restarting = true;
    this.message = "";
    try {
      await this.app.connection.call("daemon.restart", {});
      this.app.announce("Deputy is restarting.");
    } catch (error) {
      this.restarting = false;
      this.message = failureText(error);
    }
  }

  #control(row: SettingRow, store: SettingsStore) {
    const form = formOf(row.schema);
    const name = nameOfSetting(row);
    const draft = store.drafts.value.get(name);
    const text = draft?.text ?? textOf(form, row.value ?? row.default);
    const id = `setting-${name}`;
    const describedBy = `${id}-says`;
    const isBusy = draft?.isBusy === true;
    const edit = ({ target }: Event) => store.edit(row, (target as HTMLInputElement).value);
    const saveOnEnter = (event: KeyboardEvent) => {
      if (event.key === "Enter" && !isComposing(event)) void this.#save(row);
      else if (event.key === "Escape") store.discard(row);
    };
    switch (form.kind) {
      case "switch":
        return html`<input
          id=${id}
          type="checkbox"
          role="switch"
          aria-describedby=${describedBy}
          .checked=${text === "true"}
          ?disabled=${isBusy}
          @change=${({ target }: Event) => void this.#save(row, String((target as HTMLInputElement).checked))}
        />`;
      case "choice":
        return html`<select
          id=${id}
          aria-describedby=${describedBy}
          ?disabled=${isBusy}
          @change=${({ target }: Event) => void this.#save(row, (target as HTMLSelectElement).value)}
        >
          ${row.default === null ? html`<option value="" ?selected=${text === ""}>not set</option>` : nothing}
          ${form.options.map((option) => html`<option value=${option} ?selected=${option === text}>${option}</option>`)}
        </select>`;
      case "number":
        return html`<input
          id=${id}
          class="number"
          inputmode=${form.isWhole ? "numeric" : "decimal"}
          autocomplete="off"
          aria-describedby=${describedBy}
          aria-invalid=${draft !== undefined && draft.why !== "" ? "true" : nothing}
          placeholder="not set"
          .value=${text}
          @input=${edit}
          @keydown=${saveOnEnter}
        />`;
      case "text":
        return html`<input
          id=${id}
          autocomplete="off"
          spellcheck="false"
          aria-describedby=${describedBy}
          aria-invalid=${draft !== undefined && draft.why !== "" ? "true" : nothing}
          placeholder=${row.isSecret ? "env:NAME or file:/path" : "not set"}
          .value=${text}
          @input=${edit}
          @keydown=${saveOnEnter}
        />`;
      case "fixed":
        return html`<output id=${id} aria-describedby=${describedBy}>${shown(text)}</output>`;
      default:
        return html`<textarea
          id=${id}
          class=${form.kind === "raw" ? "raw" : nothing}
          rows=${Math.min(16, Math.max(2, text.split("\n").length))}
          spellcheck="false"
          aria-describedby=${describedBy}
          aria-invalid=${draft !== undefined && draft.why !== "" ? "true" : nothing}
          placeholder=${form.kind === "raw" ? "JSON" : "one in each line"}
          .value=${text}
          @input=${edit}
        ></textarea>`;
    }
  }

  #row(row: SettingRow, store: SettingsStore) {
    const form = formOf(row.schema);
    const name = nameOfSetting(row);
    const draft = store.drafts.value.get(name);
    const isWide = form.kind === "raw" || form.kind === "lines" || form.kind === "several";
    const isTyped = TYPED.has(form.kind);
    const from =
      row.from === "environment"
        ? html`<code>${row.variable}</code> decides: ${shown(String(row.given))}`
        : row.from === "file"
          ? "set in the file"
          : "default";
    return html`<li class="setting-row ${isWide ? "wide" : ""}">
      <div class="says">
        <label for=${`setting-${name}`}>${titleOf(row)}</label>
        <p class="hint" id=${`setting-${name}-says`}>${withCode(row.meaning)}</p>
        <p class="meta"><code>${name}</code> · ${from} · ${WHEN[row.effect]}</p>
      </div>
      <div class="control">
        ${this.#control(row, store)}
        ${
          isTyped && draft !== undefined
            ? html`<div class="buttons">
                <button
                  type="button"
                  class="small primary"
                  ?disabled=${draft.isBusy}
                  aria-label=${`Save ${titleOf(row)}`}
                  @click=${() => void this.#save(row)}
                >
                  Save
                </button>
                <button
                  type="button"
                  class="small"
                  aria-label=${`Discard what you typed in ${titleOf(row)}`}
                  @click=${() => store.discard(row)}
                >
                  Discard
                </button>
              </div>`
            : row.from === "file" && form.kind !== "fixed"
              ? html`<button
                  type="button"
                  class="small quiet"
                  aria-label=${`Use the default of ${titleOf(row)}`}
                  @click=${() => void this.#reset(row)}
                >
                  ${icon("undo")} Default
                </button>`
              : nothing
        }
      </div>
      ${
        draft?.isKept !== true
          ? nothing
          : html`<p class="hint kept">
              You typed this before and did not save it. What counts:
              ${textNow(row) === "" ? "not set" : html`<code>${shown(textNow(row))}</code>`}
            </p>`
      }
      ${
        draft === undefined || draft.why === ""
          ? nothing
          : html`<p class="trouble" role="alert">${shown(draft.why)}</p>`
      }
    </li>`;
  }

  #pending(rows: readonly SettingRow[]) {
    const restart = rows.filter(({ isPending, effect }) => isPending && effect === "restart").length;
    const start = rows.filter(({ isPending, effect }) => isPending && effect === "start").length;
    if (restart + start === 0 && !this.restarting) return nothing;
    if (this.restarting)
      return html`<p class="line pending" role="status">
        ${icon("busy")} <span>Deputy is restarting…</span>
      </p>`;
    return html`<p class="line pending" role="status">
      ${icon("again")}
      <span
        >${
          restart > 0
            ? `${count(restart, "change counts", "changes count")} after a restart. What is running is interrupted for a moment, and goes on.`
            : nothing
        }
        ${start > 0 ? "The address changes when Deputy is started again." : nothing}</span
      >
      ${
        restart > 0
          ? html`<button type="button" class="small primary" @click=${() => void this.#restart()}>
              Restart now
            </button>`
          : nothing
      }
    </p>`;
  }

  /** What is not saved, where its row may be out of sight. */
  #unsaved(rows: readonly SettingRow[], found: readonly SettingRow[], store: SettingsStore) {
    const drafts = store.drafts.value;
    const hidden = rows.filter((row) => {
      const draft = drafts.get(nameOfSetting(row));
      return draft !== undefined && !draft.isBusy && (draft.isKept === true || !found.includes(row));
    });
    if (hidden.length === 0) return nothing;
    return html`<p class="line pending" role="status">
      ${icon("edit")}
      <span>Typed and not saved:</span>
      ${hidden.map(
        (row) =>
          html`<button type="button" class="small" @click=${() => void this.#showRow(row)}>
            ${titleOf(row)}
          </button>`,
      )}
    </p>`;
  }

  async #showRow(row: SettingRow): Promise<void> {
    this.query = "";
    await this.updateComplete;
    const control = this.querySelector<HTMLElement>(`[id="setting-${nameOfSetting(row)}"]`);
    control?.scrollIntoView({ block: "center" });
    control?.focus();
  }

  protected override render() {
    const store = this.#store;
    const rows = store?.rows.value;
    if (store === undefined || rows === undefined)
      return store !== undefined && store.message.value !== ""
        ? html`<p class="trouble" role="alert">${shown(store.message.value)}</p>
            <button type="button" @click=${() => void store.load()}>Try again</button>`
        : html`<p class="hint">Loading…</p>`;
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row: SettingRow): boolean => {
      const text = `${nameOfSetting(row)} ${titleOf(row)} ${row.meaning} ${groupOf(row)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    // `model` is an older name of `agent.model`.
    const useful = rows.filter(
      (row) => row.effect !== "none" && (nameOfSetting(row) !== "model" || row.from === "file"),
    );
    const found = useful.filter(fits);
    const place = (group: string): number => ORDER.indexOf(group) + 1 || ORDER.length + 1;
    const groups = [...Map.groupBy(found, groupOf)].toSorted(([a], [b]) => place(a) - place(b));
    return html`<div class="settings-head">
        <label class="search-field">
          ${icon("search")}<span class="for-screen-readers">Find a setting</span>
          <input
            type="search"
            placeholder="Find a setting"
            autocomplete="off"
            .value=${this.query}
            @input=${({ target }: Event) => (this.query = (target as HTMLInputElement).value)}
          />
        </label>
        ${this.#pending(useful)} ${this.#unsaved(useful, found, store)}
        <p class="trouble" role="alert">${shown(this.message)}</p>
      </div>
      ${store.problems.value.map((text) => html`<p class="line trouble-line">${icon("alert")} <span>${shown(text)}</span></p>`)}
      ${repeat(
        groups,
        ([group]) => group,
        ([group, inGroup]) =>
          html`<section aria-label=${group}>
            <h2>${group}</h2>
            <ul class="list setting-list">
              ${repeat(inGroup, nameOfSetting, (row) => this.#row(row, store))}
            </ul>
          </section>`,
      )}
      ${found.length === 0 ? html`<p class="empty">${icon("search")} No setting fits.</p>` : nothing}
      <p class="hint">
        Everything is in <code>${shown(store.file.value)}</code>. Secrets are never sent to this page:
        settings name only where they are.
      </p>`;
  }
}
customElements.define("settings-section", SettingsSection);

const stores = new WeakMap<App, SettingsStore>();

/** One for as long as the page is loaded: what was typed is there after a look elsewhere. */
function storeOf(app: App): SettingsStore {
  const before = stores.get(app);
  if (before !== undefined) {
    before.comeBack();
    return before;
  }
  const store = createSettingsStore(app.connection, keptIn(app));
  stores.set(app, store);
  addEventListener("beforeunload", (event) => {
    if (store.wouldLose()) event.preventDefault();
  });
  return store;
}

/** With the other drafts of this browser. */
function keptIn({ drafts }: App): KeptSettings {
  const name = "settings";
  return {
    async load() {
      const draft = await drafts.load(name);
      return draft === undefined ? {} : (JSON.parse(draft.text) as Readonly<Record<string, string>>);
    },
    save: (texts) =>
      drafts.save(name, {
        text: Object.keys(texts).length === 0 ? "" : JSON.stringify(texts),
        attachments: [],
      }),
  };
}

function groupOf({ path }: SettingRow): string {
  const [first = ""] = path;
  return GROUPS[first] ?? first;
}

/** “Max turns” for `agent.maxTurns`; with the names between, where there are some. */
function titleOf({ path }: SettingRow): string {
  const names = path.length === 1 ? path : path.slice(1);
  const words = names.map((name) => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()).join(": ");
  return (words.slice(0, 1).toUpperCase() + words.slice(1)).replace(/\b(?:mcp|api|url)\b/gi, (name) =>
    name.toUpperCase(),
  );
}
