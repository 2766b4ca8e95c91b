import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";
import { codeBlock } from "../markdown/code-block.ts";
import { ask } from "../parts/ask.ts";
import { icon } from "../parts/icons.ts";
import { timeText, timeTexts } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { activityQuery } from "../stores/activity.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { isOpenTask, taskTitle } from "../text/task-words.ts";
import { count, failureText } from "../text/words.ts";

type Listed = RpcResult<"background.list">;

const OUTCOMES = { told: "told you", silent: "had nothing to tell", untold: "came to no answer" } as const;
const KINDS = { hook: "webhook", mailbox: "mailbox", folder: "folder" } as const;

/** `<background-list>`: what makes Deputy act by itself besides tasks: reports of others, reminders, the heartbeat. */
class BackgroundList extends View {
  static override properties = {
    app: {},
    listed: { state: true },
    message: { state: true },
    renewed: { state: true },
    isAdding: { state: true },
  };
  declare app: App;
  /** The hook whose new address is shown, until the reader leaves. */
  declare renewed: ({ readonly name: string } & RpcResult<"hooks.renew">) | undefined;
  declare listed: Listed | undefined;
  declare message: string;
  /** The form for a new webhook is open. */
  declare isAdding: boolean;

  constructor() {
    super();
    this.message = "";
    this.isAdding = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const stop = effect(() => {
      void this.app.lists.tasks.value;
      void this.app.lists.notices.value;
      if (this.app.connection.state.value.kind === "open") void this.#load();
    });
    this.life.addEventListener("abort", stop, { once: true });
  }

  async #load(): Promise<void> {
    try {
      this.listed = await this.app.connection.call("background.list", {});
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #do(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      await this.#load();
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #remove(reminderId: never, name: string): Promise<void> {
    const answer = await ask({
      title: `Remove the reminder “${name}”?`,
      button: "Remove",
      isDanger: true,
    });
    if (answer !== undefined)
      await this.#do(() => this.app.connection.call("reminders.remove", { reminderId }));
  }

  async #removeHook(name: string): Promise<void> {
    const waiting = (this.app.lists.tasks.value ?? []).filter(
      (task) => task.hook === name && isOpenTask(task),
    );
    const titles = waiting.map((task) => `“${taskTitle(task)}”`).join(", ");
    const lost =
      waiting.length === 0
        ? "No task waits for it."
        : `${waiting.length === 1 ? "One task waits" : `${waiting.length} tasks wait`} for its reports, and would not run any more: ${titles}.`;
    const answer = await ask({
      title: `Remove the webhook “${name}”?`,
      text: `${lost} Whatever is sent to its address is refused at once. What it reported before stays in the activity.`,
      button: "Remove the webhook",
      isDanger: true,
    });
    if (answer === undefined) return;
    await this.#do(async () => {
      await this.app.connection.call("hooks.remove", { name });
      this.app.announce(`The webhook ${name} is removed.`);
    });
  }

  /** Nobody has the address that a hook has now: it is shown only when it is made. */
  async #renew(name: string): Promise<void> {
    const answer = await ask({
      title: `Make a new address for “${name}”?`,
      text: "The address and the secret that it has now are refused at once. Give the new ones to the sender.",
      button: "Make a new address",
      isDanger: true,
    });
    if (answer === undefined) return;
    this.renewed = undefined;
    await this.#do(async () => {
      this.renewed = { name, ...(await this.app.connection.call("hooks.renew", { name })) };
    });
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = this.querySelector<HTMLInputElement>("#hook-name")?.value.trim() ?? "";
    const chosen = this.querySelector<HTMLSelectElement>("#hook-scheme")?.value ?? "standard";
    const scheme = chosen as RpcParams<"hooks.add">["scheme"];
    await this.#do(async () => {
      this.renewed = { name, ...(await this.app.connection.call("hooks.add", { name, scheme })) };
      this.isAdding = false;
    });
  }

  async #openForm(): Promise<void> {
    this.isAdding = !this.isAdding;
    await this.updateComplete;
    if (this.isAdding) this.querySelector<HTMLElement>("#hook-name")?.focus();
  }

  #newHook() {
    return html`<form class="card connect-form" @submit=${(event: SubmitEvent) => void this.#add(event)}>
      <label for="hook-name">Name</label>
      <input
        id="hook-name"
        name="name"
        required
        maxlength="63"
        pattern="[a-z0-9][a-z0-9\\-]*"
        title="Small letters, digits and hyphens"
        placeholder="orders"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-describedby="hook-name-says"
      />
      <p class="hint" id="hook-name-says">
        Small letters, digits and hyphens. Tasks wait for its reports by this name.
      </p>
      <label for="hook-scheme">How the sender proves itself</label>
      <select id="hook-scheme" name="scheme">
        <option value="standard">With a signature (Standard Webhooks)</option>
        <option value="github">With a signature, as GitHub does</option>
        <option value="none">Not at all: whoever has the address can report</option>
      </select>
      <div class="buttons">
        <button class="primary">Make the webhook</button>
        <button type="button" @click=${() => (this.isAdding = false)}>Cancel</button>
      </div>
    </form>`;
  }

  #renewedHook({ path, publicUrl, secret }: RpcResult<"hooks.renew">) {
    return html`<div class="once" role="status">
      <p>Copy this now. Deputy does not show it again.</p>
      ${codeBlock((publicUrl ?? location.origin) + path, "Address", "open")}
      ${secret === undefined ? nothing : codeBlock(secret, "Secret", "open")}
      ${
        publicUrl === undefined
          ? html`<p class="hint">
              If the sender is on another machine, it needs the host by which it reaches this one instead of
              <code>${location.host}</code>.
            </p>`
          : nothing
      }
    </div>`;
  }

  /** Begins a message in a new conversation; the reader says the rest. What was typed there before stays above it. */
  async #askForReminder(): Promise<void> {
    const before = (await this.app.drafts.load("new")) ?? { text: "", attachments: [] };
    const text = [before.text.trimEnd(), "Remind me at 17:00 to "].filter(Boolean).join("\n");
    this.app.drafts.save("new", { ...before, text });
    this.app.router.go({ page: "new" });
  }

  #item({ name, kind, about, state, deliveries }: Listed["watched"][number]) {
    const now = this.app.nowMs.value;
    const times = timeTexts(
      deliveries.map(({ at }) => at),
      now,
    );
    return html`<li>
      <div>
        <strong>${shown(name)}</strong>
        <span class="hint">${KINDS[kind]} · ${shown(about)}</span>
        ${
          state === undefined
            ? nothing
            : html`<p class=${state.kind === "failed" ? "trouble" : "hint"}>
                ${state.kind === "failed" ? icon("failed") : nothing} ${shown(state.text)}
                ${
                  state.retryAt === undefined
                    ? nothing
                    : html`<span class="meta">next try ${timeText(state.retryAt, now)}</span>`
                }
              </p>`
        }
        ${
          deliveries.length === 0
            ? html`<p class="hint">
                It has reported nothing yet.
                ${kind === "hook" ? html`<a href=${reportsOf(name, kind)}>See if any were refused</a>` : nothing}
              </p>`
            : html`<ul class="lines">
                ${deliveries.map(
                  ({ event, bytes }, index) =>
                    html`<li>
                      ${times[index]} <span>${shown(event ?? "a report")}</span>
                      <span class="meta">${count(bytes, "byte")}</span>
                    </li>`,
                )}
                <li><a href=${reportsOf(name, kind)}>What they said</a></li>
              </ul>`
        }
        ${kind === "hook" && this.renewed?.name === name ? this.#renewedHook(this.renewed) : nothing}
      </div>
      ${
        kind === "hook"
          ? html`<button type="button" class="small" @click=${() => void this.#renew(name)}>
                New address…
              </button>
              <button type="button" class="small danger" @click=${() => void this.#removeHook(name)}>
                Remove…
              </button>`
          : nothing
      }
    </li>`;
  }

  #watched({ watched }: Listed) {
    return html`<section>
      <div class="with-button head">
        <h2>Webhooks, mailboxes and folders</h2>
        <button
          type="button"
          class="small"
          aria-expanded=${this.isAdding}
          @click=${() => void this.#openForm()}
        >
          ${icon("plus")} New webhook
        </button>
      </div>
      ${this.isAdding ? this.#newHook() : nothing}
      ${
        watched.length === 0
          ? html`<div class="empty">
              ${icon("bell")}
              <div>
                <p>
                  Nothing reports to Deputy yet. A webhook is an address where another system tells it what
                  happened; mailboxes and folders to watch are under <code>events</code> in the settings.
                </p>
                <a class="button small" href=${linkTo({ page: "settings", section: "all" })}
                  >${icon("settings")} Open the settings</a
                >
              </div>
            </div>`
          : html`<ul class="list">
              ${watched.map((one) => this.#item(one))}
            </ul>`
      }
    </section>`;
  }

  #reminders({ reminders }: Listed) {
    return html`<section>
      <h2>Reminders</h2>
      ${
        reminders.length === 0
          ? html`<div class="empty">
              ${icon("clock")}
              <div>
                <p>There are no reminders yet. Ask for one in a conversation.</p>
                <button type="button" class="small" @click=${() => void this.#askForReminder()}>
                  ${icon("plus")} New reminder
                </button>
              </div>
            </div>`
          : html`<ul class="list">
              ${reminders.map(
                ({ id, name, text, runs, nextAt, isEnabled }) =>
                  html`<li>
                    <div>
                      <strong dir="auto">${shown(name)}</strong>
                      <p class="hint" dir="auto">${shown(text)}</p>
                      <p class="hint">
                        ${shown(runs)}${nextAt === undefined ? " · switched off" : html` · next ${timeText(nextAt, this.app.dueMs.value)}`}
                      </p>
                    </div>
                    <button
                      type="button"
                      class="small"
                      @click=${() => void this.#do(() => this.app.connection.call("reminders.switch", { reminderId: id, isEnabled: !isEnabled }))}
                    >
                      ${isEnabled ? "Switch off" : "Switch on"}
                    </button>
                    <button
                      type="button"
                      class="small danger"
                      @click=${() => void this.#remove(id as never, name)}
                    >
                      Remove
                    </button>
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  #heartbeat({ heartbeat }: Listed) {
    const { isEnabled, everyMinutes, pausedAt, last, lastAt, skipped } = heartbeat;
    const now = this.app.nowMs.value;
    const isPaused = pausedAt !== undefined;
    return html`<section>
      <h2>Heartbeat</h2>
      <ul class="list">
        <li>
          <div>
            <strong
              >${!isEnabled ? "Switched off in the settings" : isPaused ? html`Paused since ${timeText(pausedAt, now)}` : `Every ${everyMinutes} minutes`}</strong
            >
            <p class="hint">
              Agents check what their HEARTBEAT.md asks for, without being told to.
              ${lastAt === undefined ? "No heartbeat has happened yet." : html`Last time: ${timeText(lastAt, now)}.`}
            </p>
            ${
              last === undefined
                ? nothing
                : html`<p class="hint">
                    ${timeText(last.at, now)}: ${shown(last.agentId)} ${OUTCOMES[last.outcome]}.
                    <a href=${linkTo({ page: "conversation", id: last.stream })}>See what it did</a>
                  </p>`
            }
            ${last?.text === undefined ? nothing : html`<blockquote dir="auto">${shown(last.text)}</blockquote>`}
            ${skipped.map(({ agentId, reason }) => html`<p class="hint">${shown(agentId)} was not asked: ${shown(reason)}.</p>`)}
          </div>
          ${
            isEnabled
              ? html`<button
                  type="button"
                  class="small"
                  @click=${() => void this.#do(() => this.app.connection.call(isPaused ? "heartbeat.resume" : "heartbeat.pause", {}))}
                >
                  ${isPaused ? html`${icon("play")} Resume heartbeat` : html`${icon("pause")} Pause heartbeat`}
                </button>`
              : nothing
          }
        </li>
      </ul>
    </section>`;
  }

  protected override render() {
    const { listed } = this;
    return html`<p class="trouble" role="alert">${shown(this.message)}</p>
      ${listed === undefined ? nothing : html`${this.#watched(listed)} ${this.#reminders(listed)} ${this.#heartbeat(listed)}`}`;
  }
}
customElements.define("background-list", BackgroundList);

/** The reports of one of them among everything that happened; of a webhook, also those that were refused. */
function reportsOf(name: string, kind: keyof typeof KINDS): string {
  const query = kind === "hook" ? { text: `hook ${name}` } : { kind: "outside" as const, text: name };
  return linkTo({ page: "activity", query: activityQuery(query) });
}
