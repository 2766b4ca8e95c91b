import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown } from "../../text/shown.ts";
import { failureText } from "../../text/words.ts";
import { sentence } from "../../wire/http.ts";

type Channel = RpcResult<"channels.list">["channels"][number];
type Field = Channel["fields"][number];
type Failed = RpcResult<"channels.failed">["failed"];
type Pairing = {
  readonly channel: Channel;
  /** Who Deputy is there; absent: it was connected before. */
  readonly as?: string | undefined;
  /** What somebody has to send; `null`: its time is over. */
  readonly code?: string | null;
  readonly person?: string;
  /** Who is paired already, and need not be again. */
  readonly known?: readonly string[];
};

const LOOK_EVERY_MS = 1_500;
const PAIR_MS = 10 * 60_000;
const MOST_REASONS = 3;
const MOST_KNOWN = 5;

/** What one has of it, where its name does not say. */
const SAYS: Readonly<Record<string, string>> = {
  telegram: "Talk to Deputy there, and answer its questions with buttons",
  slack: "Talk to Deputy there, and answer its questions with buttons",
  discord: "Talk to Deputy there, and answer its questions with buttons",
  mail: "Get notifications at your address",
  push: "Get notifications on your phone",
};

/** `<channels-section>`: chat apps, mail and push. What is given is tried at the service before anything is kept. */
class ChannelsSection extends View {
  static override properties = {
    app: {},
    channels: { state: true },
    failed: { state: true },
    chosen: { state: true },
    busy: { state: true },
    message: { state: true },
    pairing: { state: true },
  };
  declare app: App;
  declare channels: readonly Channel[] | undefined;
  /** What could not be posted, by channel. */
  declare failed: ReadonlyMap<string, Failed>;
  declare chosen: Channel | undefined;
  declare busy: boolean;
  declare message: string;
  /** What was connected last, and the code that pairs somebody there. */
  declare pairing: Pairing | undefined;
  /** Another one for each code that is waited for. */
  #waiting: object | undefined;

  constructor() {
    super();
    this.busy = false;
    this.message = "";
    this.failed = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    const { connection } = this.app;
    try {
      const { channels } = await connection.call("channels.list", {});
      const connected = channels.filter(({ isConnected }) => isConnected);
      this.failed = new Map(
        await Promise.all(
          connected.map(async ({ name }): Promise<[string, Failed]> => {
            return [name, (await connection.call("channels.failed", { channel: name })).failed];
          }),
        ),
      );
      this.channels = channels;
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #postAgain({ name, title }: Channel): Promise<void> {
    try {
      const { count } = await this.app.connection.call("channels.retry", { channel: name });
      this.app.announce(`${title}: ${count} of them are posted once more.`);
    } catch (error) {
      this.message = failureText(error);
    }
    await this.#load();
  }

  /** What was given up, why, and a way to try it again. */
  #failures(channel: Channel) {
    const all = this.failed.get(channel.name) ?? [];
    if (all.length === 0) return nothing;
    const reasons = [...new Set(all.map(({ reason }) => reason))];
    return html`<p class="hint">
        ${all.length === 1 ? "One message" : `${all.length} messages`} could not be posted:
        ${shown(reasons.slice(0, MOST_REASONS).join("; "))}${reasons.length > MOST_REASONS ? " …" : ""}
      </p>
      <button
        type="button"
        class="small"
        aria-label=${`Post again: ${channel.title}`}
        @click=${() => void this.#postAgain(channel)}
      >
        Post again
      </button>`;
  }

  async #connect(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { chosen } = this;
    if (chosen === undefined || this.busy) return;
    const form = event.target as HTMLFormElement;
    const values = Object.fromEntries(
      chosen.fields.map(({ setting }) => [
        setting,
        (form.elements.namedItem(setting) as HTMLInputElement | null)?.value.trim() ?? "",
      ]),
    );
    this.busy = true;
    this.message = "";
    this.app.announce(`Trying ${chosen.title}`);
    try {
      const {
        outcome,
        as = "",
        message,
        hint,
      } = await this.app.connection.call("channels.connect", {
        channel: chosen.name,
        values,
      });
      if (outcome === "failed") {
        this.message = sentence([message, hint]);
        return;
      }
      this.chosen = undefined;
      this.app.announce(`${chosen.title} is connected.`);
      if (chosen.pairs) void this.#pair(chosen, as);
      else this.pairing = { channel: chosen, as };
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.busy = false;
    }
  }

  /**
   * Shows a code, and waits until somebody has sent it. Deputy is being restarted meanwhile. Who is paired already is
   * heard there: a code of theirs would be a message like any other. Unless it `isAsked` for, there is none then.
   */
  async #pair(channel: Channel, as: string | undefined, isAsked = false): Promise<void> {
    const { name } = channel;
    const own = (this.#waiting = {});
    const isCurrent = (): boolean => this.#waiting === own && !this.life.aborted;
    this.pairing = { channel, as };
    const end = Date.now() + PAIR_MS;
    let before: ReadonlySet<string> | undefined;
    while (isCurrent() && Date.now() < end) {
      try {
        const { people } = await this.app.connection.call("channels.people", { channel: name });
        if (before === undefined) {
          if (people.length > 0 && !isAsked) {
            if (isCurrent()) this.pairing = { channel, as, known: people.map((one) => one.name) };
            return;
          }
          const { code } = await this.app.connection.call("channels.code", { channel: name });
          before = new Set(people.map(({ id }) => id));
          if (!isCurrent()) return;
          this.pairing = { channel, as, code };
          this.app.announce(`Send this code to ${as ?? channel.title}: ${code}`);
        }
        const known = before;
        const found = people.find(({ id }) => !known.has(id));
        if (found !== undefined && isCurrent()) {
          this.pairing = { channel, as, person: found.name };
          this.app.announce(`Paired with ${found.name}.`);
          return await this.#load();
        }
      } catch {
        // It is away for a moment, to connect.
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    if (isCurrent()) this.pairing = { channel, as, code: null };
  }

  /** Of an app that was connected before: on another device, or by whoever left while the code was shown. */
  #pairAgain(channel: Channel): void {
    this.chosen = undefined;
    void this.#pair(channel, undefined, true);
  }

  #choose(channel: Channel): void {
    this.chosen = channel;
    this.message = "";
    this.pairing = undefined;
    this.#waiting = undefined;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("form input")?.focus());
  }

  #field({ setting, asks, kind, usual, options }: Field) {
    const id = `channel-${setting.replace(".", "-")}`;
    if (options !== undefined)
      return html`<label for=${id}>${asks}</label>
        <select id=${id} name=${setting}>
          ${options.map((option) => html`<option value=${option} ?selected=${option === usual}>${option}</option>`)}
        </select>`;
    return html`<label for=${id}>${asks}</label>
      <input
        id=${id}
        name=${setting}
        type=${kind === "secret" ? "password" : "text"}
        inputmode=${kind === "number" ? "numeric" : nothing}
        autocomplete="off"
        spellcheck="false"
        maxlength="10000"
        ?required=${usual === undefined}
        .value=${usual ?? ""}
      />`;
  }

  #form(channel: Channel) {
    return html`<form
      class="card connect-form"
      aria-labelledby="channel-title"
      @submit=${(event: SubmitEvent) => void this.#connect(event)}
    >
      <h2 id="channel-title">${channel.title}</h2>
      ${channel.fields.map((field) => this.#field(field))}
      <p class="hint">It is tried first. What is secret is kept in a file that only you can read.</p>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button type="submit" class="primary" ?disabled=${this.busy}>
          ${this.busy ? "Trying…" : "Try and connect"}
        </button>
        <button type="button" @click=${() => (this.chosen = undefined)}>Cancel</button>
      </div>
    </form>`;
  }

  #done(pairing: Pairing) {
    const { channel, as } = pairing;
    return html`<section class="card" aria-live="polite">
      <p class="good" role="status">
        ${icon("done")} ${channel.title} is connected${as === undefined ? "" : html`, as ${shown(as)}`}.
      </p>
      ${this.#pairing(pairing)}
    </section>`;
  }

  #pairing({ channel, as, code, person, known }: Pairing) {
    const anew = (label: string) =>
      html`<p>
        <button type="button" class="small" @click=${() => void this.#pair(channel, as, true)}>
          ${label}
        </button>
      </p>`;
    if (person !== undefined)
      return html`<p>Paired with ${shown(person)}. Deputy has written to you there.</p>`;
    if (known !== undefined)
      return html`<p>
          ${shown(known.slice(0, MOST_KNOWN).join(", "))}${known.length > MOST_KNOWN ? " …" : ""}
          ${known.length === 1 ? "is" : "are"} paired already, and can go on there.
        </p>
        ${anew("Pair somebody else")}`;
    if (code === null)
      return html`<p>Nobody has sent the code in time.</p>
        ${anew("New code")}`;
    if (code !== undefined)
      return html`<p>
          Within ten minutes, send this to ${shown(as ?? `Deputy in ${channel.title}`)}, in a chat of your own
          with it:
        </p>
        <p><code class="pair-code">${code}</code></p>`;
    return channel.pairs ? html`<p class="hint">Connecting…</p>` : nothing;
  }

  protected override render() {
    const { channels, chosen, pairing } = this;
    if (channels === undefined)
      return this.message === ""
        ? html`<p class="hint">Loading…</p>`
        : html`<p class="trouble" role="alert">${shown(this.message)}</p>`;
    return html`${pairing === undefined ? nothing : this.#done(pairing)}
      ${chosen === undefined ? nothing : this.#form(chosen)}
      <ul class="list">
        ${channels.map(
          (channel) =>
            html`<li>
              <div>
                <p>
                  ${channel.title}
                  ${channel.isConnected ? html`<span class="status running">connected</span>` : nothing}
                </p>
                ${SAYS[channel.name] === undefined ? nothing : html`<p class="hint">${SAYS[channel.name]}</p>`}
                ${this.#failures(channel)}
              </div>
              ${
                channel.isConnected && channel.pairs
                  ? html`<button
                      type="button"
                      class="small"
                      aria-label=${`Pair somebody: ${channel.title}`}
                      @click=${() => this.#pairAgain(channel)}
                    >
                      Pair
                    </button>`
                  : nothing
              }
              <button
                type="button"
                class="small"
                aria-label=${`${channel.isConnected ? "Connect anew" : "Connect"}: ${channel.title}`}
                @click=${() => this.#choose(channel)}
              >
                ${channel.isConnected ? "Connect anew" : "Connect"}
              </button>
            </li>`,
        )}
      </ul>
      <p class="hint">
        The setting <code>notifications.deliverTo</code> says which of them gets notifications.
      </p>`;
  }
}
customElements.define("channels-section", ChannelsSection);
