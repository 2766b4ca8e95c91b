import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { ask } from "../../parts/ask.ts";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown, spoken } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import { RequestFailed } from "../../wire/request-failed.ts";
import "../../markdown/markdown-text.ts";

type Document = RpcResult<"documents.list">["documents"][number];
type Opened = RpcResult<"documents.read">;

/** What is typed and not saved is a draft of its own. */
const draftOf = (id: string): string => `document ${id}`;

const NEW_SKILL = (name: string): string =>
  `---\nname: ${name}\ndescription: When to use it, in one sentence\n---\n\nWhat to do, step by step.\n`;

/** `<documents-section>`: the agents' Markdown and skills, edited in place beside what they look like. */
class DocumentsSection extends View {
  static override properties = {
    app: {},
    documents: { state: true },
    opened: { state: true },
    text: { state: true },
    busy: { state: true },
    message: { state: true },
    isPreview: { state: true },
    fileSays: { state: true },
  };
  declare app: App;
  declare documents: readonly Document[] | undefined;
  declare opened: Opened | undefined;
  /** What is being typed. */
  declare text: string;
  declare busy: boolean;
  declare message: string;
  declare isPreview: boolean;
  /** Why what the file says now is shown beside what was typed. */
  declare fileSays: "changed" | "unsaved" | undefined;

  constructor() {
    super();
    this.text = "";
    this.busy = false;
    this.message = "";
    this.isPreview = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    try {
      this.documents = (await this.app.connection.call("documents.list", {})).documents;
      if (this.message !== "" && this.opened === undefined) this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  get #isChanged(): boolean {
    return this.opened !== undefined && this.text !== this.opened.text;
  }

  async #open(id: string): Promise<void> {
    try {
      const opened = await this.app.connection.call("documents.read", { id });
      await this.#edit(opened, opened.text);
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #edit(opened: Opened, text: string): Promise<void> {
    const draft = await this.app.drafts.load(draftOf(opened.id));
    this.opened = opened;
    this.text = draft?.text ?? text;
    this.fileSays = opened.hash !== null && this.#isChanged ? "unsaved" : undefined;
    this.message = "";
    this.isPreview = false;
    await this.updateComplete;
    this.querySelector("textarea")?.focus();
  }

  /** It outlives a reload, and a look elsewhere, until it is saved or discarded. */
  #typed(text: string): void {
    this.text = text;
    const { id = "" } = this.opened ?? {};
    this.app.drafts.save(draftOf(id), { text: this.#isChanged ? text : "", attachments: [] });
  }

  #close(): void {
    this.app.drafts.save(draftOf(this.opened?.id ?? ""), { text: "", attachments: [] });
    this.opened = undefined;
    this.text = "";
    this.message = "";
    this.fileSays = undefined;
  }

  async #save(): Promise<void> {
    const { opened, text } = this;
    if (opened === undefined || this.busy) return;
    this.busy = true;
    try {
      const { hash } = await this.app.connection.call("documents.write", {
        id: opened.id,
        text,
        baseHash: opened.hash,
      });
      this.opened = { id: opened.id, text, hash };
      this.#typed(this.text);
      this.message = "";
      this.fileSays = undefined;
      this.app.announce("Saved. It counts from the next message on.");
      await this.#load();
    } catch (error) {
      this.message = failureText(error);
      if (error instanceof RequestFailed && error.code === "changed_meanwhile")
        await this.#showOther(opened.id);
    } finally {
      this.busy = false;
    }
  }

  /** What stands in the file now becomes the base; what was typed stays in the field. */
  async #showOther(id: string): Promise<void> {
    try {
      this.opened = await this.app.connection.call("documents.read", { id });
      this.message =
        "The file was changed meanwhile, and nothing was written. What it says now is below; save again to replace it.";
      this.fileSays = "changed";
      this.isPreview = false;
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #remove(): Promise<void> {
    const { opened } = this;
    if (opened === undefined || opened.hash === null) return;
    const sure = await ask({
      title: `Remove ${opened.id}?`,
      text: "The file is removed for good.",
      button: "Remove",
      isDanger: true,
    });
    if (sure === undefined) return;
    try {
      await this.app.connection.call("documents.remove", { id: opened.id, baseHash: opened.hash });
      this.#close();
      this.app.announce("Removed.");
      await this.#load();
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #newSkill(): Promise<void> {
    const name = await ask({
      title: "A new skill for all agents",
      button: "Create",
      value: "",
      label: "Name",
    });
    if (name === undefined) return;
    const slug = name
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "");
    if (slug === "") return;
    const id = `skills/${slug}/SKILL.md`;
    if (this.documents?.some((one) => one.id === id) === true) return await this.#open(id);
    await this.#edit({ id, text: "", hash: null }, NEW_SKILL(slug));
  }

  #list(title: string, documents: readonly Document[], more: unknown = nothing) {
    return html`<section aria-label=${spoken(title)}>
      <div class="with-button head">
        <h2>${shown(title)}</h2>
        ${more}
      </div>
      ${
        documents.length === 0
          ? html`<p class="empty">
              ${icon("edit")} Skills are instructions for a kind of work. Agents read one when they need it.
            </p>`
          : html`<ul class="list documents">
              ${documents.map(
                ({ id, name, about, isThere, kind }) =>
                  html`<li>
                    <button
                      type="button"
                      class="item"
                      aria-current=${this.opened?.id === id ? "true" : nothing}
                      @click=${() => void this.#open(id)}
                    >
                      <span class="title"
                        >${kind === "skill" ? html`Skill: ${shown(name)}` : shown(name)}</span
                      >
                      <span class="meta">${shown(isThere ? about : `${about} · not there yet`)}</span>
                    </button>
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  #editor(opened: Opened) {
    return html`<section class="card editor" aria-labelledby="editor-title">
      <div class="with-button head">
        <h2 id="editor-title">${shown(opened.id)}</h2>
        <button
          type="button"
          class="small only-narrow"
          aria-pressed=${this.isPreview}
          @click=${() => (this.isPreview = !this.isPreview)}
        >
          ${this.isPreview ? "Edit" : "Preview"}
        </button>
      </div>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        this.fileSays === "unsaved"
          ? html`<p class="hint" role="status">
              What you typed here before and did not save is here again. The file says what is below.
            </p>`
          : nothing
      }
      ${this.fileSays === undefined ? nothing : html`<pre class="other" tabindex="0" aria-label="What the file says now">${shown(opened.text)}</pre>`}
      <div class="panes ${this.isPreview ? "preview" : ""}">
        <textarea
          aria-label=${spoken(opened.id)}
          spellcheck="true"
          dir="auto"
          .value=${this.text}
          @input=${({ target }: Event) => this.#typed((target as HTMLTextAreaElement).value)}
          @keydown=${(event: KeyboardEvent) => {
            if ((event.ctrlKey || event.metaKey) && event.key === "s") {
              event.preventDefault();
              void this.#save();
            }
          }}
        ></textarea>
        <div class="pane" tabindex="0" role="region" aria-label="What the agent reads">
          <markdown-text .text=${asRead(this.text)}></markdown-text>
        </div>
      </div>
      ${
        opened.id.endsWith("/SKILL.md") && !DESCRIBED.test(this.text)
          ? html`<p class="line note" role="status">
              ${icon("alert")}
              <span
                >Agents find a skill by its head: <code>name</code> and <code>description</code> between two
                lines of <code>---</code>, at the very beginning. Without it, none of them uses this
                one.</span
              >
            </p>`
          : nothing
      }
      <div class="buttons">
        <button
          type="button"
          class="primary"
          ?disabled=${this.busy || (!this.#isChanged && opened.hash !== null)}
          @click=${() => void this.#save()}
        >
          Save
        </button>
        <button type="button" @click=${() => this.#close()}>${this.#isChanged ? "Discard" : "Close"}</button>
        ${
          opened.hash === null
            ? nothing
            : html`<button type="button" class="quiet" @click=${() => void this.#remove()}>
                ${icon("trash")} Remove
              </button>`
        }
        <span class="hint">${count(this.text.length, "character")} · counts from the next message on</span>
      </div>
    </section>`;
  }

  protected override render() {
    const { documents, opened } = this;
    if (documents === undefined)
      return this.message === ""
        ? html`<p class="hint">Loading…</p>`
        : html`<p class="trouble" role="alert">${shown(this.message)}</p>
            <button type="button" @click=${() => void this.#load()}>Try again</button>`;
    if (opened !== undefined) return this.#editor(opened);
    const agents = Map.groupBy(
      documents.filter(({ agent }) => agent !== undefined),
      ({ agent }) => agent ?? "",
    );
    return html`<p class="trouble" role="alert">${shown(this.message)}</p>
      ${[...agents].map(([agent, files]) => this.#list(`Agent ${agent}`, files))}
      ${this.#list(
        "Skills of all agents",
        documents.filter(({ agent }) => agent === undefined),
        html`<button type="button" class="small" @click=${() => void this.#newSkill()}>
          ${icon("plus")} New skill
        </button>`,
      )}`;
  }
}
customElements.define("documents-section", DocumentsSection);

/** A skill's head, with what it is for. */
const DESCRIBED = /^---\n(?:(?!---\n)[^\n]*\n)*?description:[^\n]*\S[^\n]*\n(?:(?!---)[^\n]*\n)*?---/;

/** As an agent reads it: without comments. The head of a skill is data. */
function asRead(text: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/^---\n([\s\S]*?)\n---(?:\n|$)/, "```yaml\n$1\n```\n");
}
