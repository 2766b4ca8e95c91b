import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing, type PropertyValues } from "lit";
import { ask } from "../../parts/ask.ts";
import { icon } from "../../parts/icons.ts";
import { timeText } from "../../parts/time-text.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown, shownProse, spoken } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import type { Wish } from "./forget-preview.ts";
import "./forget-preview.ts";
import { agentOf, conversationLink, nameOf, whoseWords } from "./memory-words.ts";
import { type NoteItem, readNote } from "./note-items.ts";

type Shown = RpcResult<"memory.show">;

const MOST_ITEMS = 500;
const LONGEST_WISH = 2_000;
/** What is typed and not saved is a draft of its own. */
const draftOf = (path: string): string => `note ${path}`;

/** `<memory-document>`: one note, thing by thing, with where each is from; it can be edited, and each can be forgotten. */
class MemoryDocument extends View {
  static override properties = {
    app: {},
    path: {},
    known: { state: true },
    text: { state: true },
    other: { state: true },
    busy: { state: true },
    message: { state: true },
    wish: { state: true },
  };
  declare app: App;
  declare path: string;
  declare known: Shown | undefined;
  /** What is being typed; undefined: it is only read. */
  declare text: string | undefined;
  /** What the file says now, if it was changed while the reader typed. */
  declare other: string | undefined;
  declare busy: boolean;
  declare message: string;
  /** What is to be forgotten, and at which item it is asked for; -1: the whole document. */
  declare wish: { readonly at: number; readonly wish: Wish } | undefined;

  constructor() {
    super();
    this.busy = false;
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("path") || changed.get("path") === undefined) return;
    this.known = undefined;
    this.text = undefined;
    this.wish = undefined;
    this.message = "";
    void this.#load();
  }

  async #read(path: string): Promise<Shown> {
    const agent = agentOf(this.app, path);
    return await this.app.connection.call("memory.show", { path, ...(agent !== undefined && { agent }) });
  }

  async #load(): Promise<void> {
    const { path } = this;
    try {
      const known = await this.#read(path);
      const draft = await this.app.drafts.load(draftOf(path));
      // While it is edited, what was read is what the edit is for.
      if (path !== this.path || this.text !== undefined) return;
      this.known = known;
      if (draft === undefined || known.text === undefined || draft.text === known.text) return;
      this.text = draft.text;
      this.other = known.text;
      this.message =
        "What you typed here before and did not save is here again. The note says what is below.";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  /** It outlives a reload, and a look elsewhere, until it is saved or given up. */
  #typed(text: string): void {
    this.text = text;
    this.#keep(text === (this.other ?? this.known?.text) ? "" : text);
  }

  #keep(text: string): void {
    this.app.drafts.save(draftOf(this.path), { text, attachments: [] });
  }

  async #edit(text: string): Promise<void> {
    this.text = text;
    this.other = undefined;
    this.message = "";
    this.wish = undefined;
    await this.updateComplete;
    this.querySelector("textarea")?.focus();
  }

  async #save(): Promise<void> {
    const { path, text, known } = this;
    if (text === undefined || this.busy) return;
    if (text.trim() === "" && (await this.#isSure()) === undefined) return;
    this.busy = true;
    const agent = agentOf(this.app, path);
    const before = this.other ?? known?.text ?? null;
    try {
      const after = text.trim() === "" ? "" : text;
      await this.app.connection.call("memory.edit", {
        path,
        before,
        text: after,
        ...(agent !== undefined && { agent }),
      });
      this.#keep("");
      this.text = undefined;
      this.other = undefined;
      this.message = "";
      this.app.announce("Saved.");
      if (after === "") this.app.router.go({ page: "memory" });
      else await this.#load();
    } catch (error) {
      this.message = failureText(error);
      await this.#showOther(path, before);
    } finally {
      this.busy = false;
    }
  }

  async #isSure(): Promise<string | undefined> {
    return await ask({
      title: "Remove this note?",
      text: "A note without text is removed. You can undo that below “Changes”.",
      button: "Remove",
      isDanger: true,
    });
  }

  /** If the file was changed meanwhile, what it says now becomes the base; what was typed stays in the field. */
  async #showOther(path: string, before: string | null): Promise<void> {
    try {
      const { text } = await this.#read(path);
      if (path !== this.path || text === undefined || text === before) return;
      this.other = text;
      this.message =
        "The file was changed meanwhile, and nothing was written. What it says now is below; save again to replace it.";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #forget(at: number, wish: Wish): void {
    this.wish = { at, wish };
  }

  #asked(at: number, text?: string) {
    const { wish } = this;
    if (wish?.at !== at) return nothing;
    const isHere = wish.wish.source !== undefined;
    return html`${
        text === undefined
          ? nothing
          : html`<label class="everywhere"
              ><input
                type="checkbox"
                .checked=${!isHere}
                @change=${({ target }: Event) =>
                  this.#forget(
                    at,
                    (target as HTMLInputElement).checked ? { text } : { text, source: this.path },
                  )}
              />
              Also wherever else these words stand, in notes and conversations</label
            >`
      }
      <forget-preview
        .app=${this.app}
        .wish=${wish.wish}
        .isBesideIt=${true}
        @cancelled=${() => (this.wish = undefined)}
        @forgotten=${() => void this.#afterForgetting()}
      ></forget-preview>`;
  }

  async #afterForgetting(): Promise<void> {
    this.app.tell("Forgotten for good.");
    this.wish = undefined;
    await this.#load();
  }

  #item(item: NoteItem, at: number) {
    if (item.kind === "heading")
      return html`<li class="heading"><h3 dir="auto">${shown(item.text)}</h3></li>`;
    const wished = item.text.slice(0, LONGEST_WISH);
    return html`<li class="kept-item">
      <div>
        <p class="text ${item.isSuperseded ? "superseded" : ""}" dir="auto">${shownProse(item.text)}</p>
        <p class="meta">
          ${item.isSuperseded ? html`replaced by a later one · ` : nothing}${whoseWords(item.toldBy, "one")}
          ${item.at === undefined ? nothing : html` · noted ${timeText(item.at, this.app.nowMs.value)}`}
          ${item.session === undefined ? nothing : html` in ${conversationLink(this.app, item.session)}`}
        </p>
        ${this.#asked(at, wished)}
      </div>
      ${
        wished.length < 2 || this.wish?.at === at
          ? nothing
          : html`<button
              type="button"
              class="quiet small"
              aria-label="Forget “${spoken(item.text.slice(0, 80))}”…"
              @click=${() => this.#forget(at, { text: wished, source: this.path })}
            >
              ${icon("trash")} Forget…
            </button>`
      }
    </li>`;
  }

  #reading(known: Shown) {
    const { text } = known;
    if (text === undefined)
      return html`<p class="hint">
          ${known.pieces.length === 0 ? "Nothing is kept of it any more." : "Deputy only reads this document. Change it where it is."}
        </p>
        <ol class="memories">
          ${known.pieces.map(
            ({ lines, text: piece, foreign }) =>
              html`<li class="memory">
                <p class="meta">lines ${shown(lines)} · ${whoseWords(foreign, "several")}</p>
                <p class="text" dir="auto">${shownProse(piece)}</p>
              </li>`,
          )}
        </ol>`;
    const items = readNote(text);
    if (items.length === 0) return html`<p class="empty">${icon("memory")} Nothing is written in it yet.</p>`;
    return html`<ul class="list kept-items">
        ${items.slice(0, MOST_ITEMS).map((item, at) => this.#item(item, at))}
      </ul>
      ${items.length > MOST_ITEMS ? html`<p class="hint">and ${items.length - MOST_ITEMS} more: edit the note to see all of it.</p>` : nothing}`;
  }

  #editor(text: string) {
    const { path, other } = this;
    return html`<div class="card editor">
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${other === undefined ? nothing : html`<pre class="other" tabindex="0" aria-label="What the file says now">${shown(other)}</pre>`}
      <textarea
        class="note-text"
        aria-label=${spoken(path)}
        spellcheck="true"
        dir="auto"
        .value=${text}
        @input=${({ target }: Event) => this.#typed((target as HTMLTextAreaElement).value)}
        @keydown=${(event: KeyboardEvent) => {
          if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
          event.preventDefault();
          void this.#save();
        }}
      ></textarea>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          ?disabled=${this.busy || text === (other ?? this.known?.text)}
          @click=${() => void this.#save()}
        >
          Save
        </button>
        <button
          type="button"
          @click=${() => {
            this.#keep("");
            this.text = undefined;
            this.other = undefined;
            this.message = "";
            void this.#load();
          }}
        >
          Cancel
        </button>
        <span class="hint">${count(text.length, "character")}</span>
      </div>
    </div>`;
  }

  protected override render() {
    const { known, text, path } = this;
    const file = known?.text;
    return html`<p><a class="back" href=${linkTo({ page: "memory" })}>${icon("back")} All that is kept</a></p>
      <div class="with-button head">
        <h2 dir="auto">${shown(nameOf(this.app, path))}</h2>
        ${
          file === undefined || text !== undefined
            ? nothing
            : html`<span class="buttons">
                <button type="button" class="small" @click=${() => void this.#edit(file)}>
                  ${icon("edit")} Edit
                </button>
                <button type="button" class="small" @click=${() => this.#forget(-1, { source: path })}>
                  ${icon("trash")} Forget all of it…
                </button>
              </span>`
        }
      </div>
      ${this.#asked(-1)}
      ${
        text !== undefined
          ? this.#editor(text)
          : html`<p class="trouble" role="alert">${shown(this.message)}</p>
              ${known === undefined ? (this.message === "" ? html`<p class="hint">Loading…</p>` : nothing) : this.#reading(known)}`
      }`;
  }
}
customElements.define("memory-document", MemoryDocument);
