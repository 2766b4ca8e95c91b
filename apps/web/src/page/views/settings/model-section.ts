import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown } from "../../text/shown.ts";
import { failureText } from "../../text/words.ts";
import { sentence } from "../../wire/http.ts";

type Provider = RpcResult<"models.status">["providers"][number];
type ProviderName = Provider["provider"];
type Server = RpcResult<"models.look">["servers"][number];

const NAMES: Readonly<Record<ProviderName, { readonly label: string; readonly says: string }>> = {
  anthropic: { label: "Anthropic", says: "Claude, with a key of yours" },
  openai: { label: "OpenAI", says: "GPT, with a key of yours" },
  local: {
    label: "Another server",
    says: "Ollama, LM Studio, vLLM, OpenRouter, or any with an API like OpenAI's",
  },
};

/** `<model-section>`: which model answers, and how to connect another. A model is kept only after a call of it worked. */
class ModelSection extends View {
  static override properties = {
    app: {},
    provider: { state: true },
    servers: { state: true },
    isLooking: { state: true },
    isConnecting: { state: true },
    message: { state: true },
    done: { state: true },
  };
  declare app: App;
  declare provider: ProviderName | undefined;
  /** Servers that were found; absent: not looked yet. */
  declare servers: readonly Server[] | undefined;
  declare isLooking: boolean;
  declare isConnecting: boolean;
  declare message: string;
  declare done: string;
  /** The newest look at a server: what an older one finds late counts for nothing. */
  #looks = 0;
  /** The model that was proposed; another one was typed. */
  #proposed = "";

  constructor() {
    super();
    this.isLooking = false;
    this.isConnecting = false;
    this.message = "";
    this.done = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look();
  }

  async #look(baseUrl?: string): Promise<void> {
    this.isLooking = true;
    this.#looks += 1;
    const look = this.#looks;
    const key = this.#field("key");
    const isNewest = (): boolean => look === this.#looks;
    try {
      const params = { ...(baseUrl !== undefined && { baseUrl }), ...(key !== "" && { key }) };
      const { servers, problem = "" } = await this.app.connection.call("models.look", params);
      if (!isNewest()) return;
      this.servers = servers;
      if (baseUrl !== undefined) this.message = problem;
    } catch (error) {
      if (isNewest() && baseUrl !== undefined) this.message = failureText(error);
    } finally {
      if (isNewest()) this.isLooking = false;
    }
  }

  protected override updated(): void {
    const field = this.querySelector<HTMLInputElement>("#model-name");
    const provider = this.#provider();
    if (field === null || provider === undefined) return;
    const proposed = provider.example ?? this.#serverAt(provider)?.models[0] ?? "";
    if (field.value === "" || field.value === this.#proposed) field.value = proposed;
    this.#proposed = proposed;
  }

  #provider(): Provider | undefined {
    return this.app.lists.model.value?.providers.find((one) => one.provider === this.provider);
  }

  /** The one whose models are known. */
  #serverAt({ provider, baseUrl }: Provider): Server | undefined {
    if (provider !== "local") return undefined;
    const address = this.#field("address") || baseUrl;
    return this.servers?.find((one) => one.baseUrl === address);
  }

  #field(name: string): string {
    const field = this.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`);
    return field?.value.trim() ?? "";
  }

  async #connect(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { provider } = this;
    if (provider === undefined || this.isConnecting) return;
    const [model, key, baseUrl] = [this.#field("model"), this.#field("key"), this.#field("address")];
    this.isConnecting = true;
    this.isLooking = false;
    this.#looks += 1;
    this.message = "";
    this.app.announce(`Trying ${model}`);
    try {
      const {
        outcome,
        message,
        hint,
        model: connected = `${provider}/${model}`,
      } = await this.app.connection.call("models.connect", {
        provider,
        model,
        ...(key !== "" && { key }),
        ...(baseUrl !== "" && { baseUrl }),
      });
      if (outcome === "connected") {
        this.done = connected;
        this.provider = undefined;
        this.app.announce(`Connected. Deputy uses ${model} from now on.`);
      } else this.message = sentence([message, hint]);
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.isConnecting = false;
    }
  }

  /** Of a try that is under way; otherwise of the form. */
  async #cancel(): Promise<void> {
    if (!this.isConnecting) {
      this.provider = undefined;
      return;
    }
    try {
      await this.app.connection.call("models.stop", {});
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #choose(provider: ProviderName): void {
    this.provider = provider;
    this.message = "";
    this.done = "";
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("form input, form select")?.focus());
  }

  #now() {
    const status = this.app.lists.model.value ?? undefined;
    if (status === undefined) return html`<p class="hint">Loading…</p>`;
    const { model, isRehearsal, fixedBy } = status;
    return html`<div class="card model-now">
      <div>
        ${
          isRehearsal
            ? html`<p><strong>No model is connected.</strong></p>
                <p class="hint">
                  The rehearsal answers: a script that knows a few requests, on an invented world.
                </p>`
            : html`<p>Deputy uses <strong>${shown(model)}</strong>.</p>`
        }
        ${
          fixedBy === undefined
            ? nothing
            : html`<p class="hint">
                <code>${fixedBy}</code> was set where Deputy was started, and decides. Start Deputy without it
                to choose a model here.
              </p>`
        }
        ${
          this.done !== "" && this.done === model
            ? html`<p class="good" role="status">${icon("done")} Connected, and tried with a call.</p>`
            : nothing
        }
      </div>
    </div>`;
  }

  #modelField(provider: Provider) {
    const found = this.#serverAt(provider);
    return html`<label for="model-name">Model</label>
      <input
        id="model-name"
        name="model"
        required
        maxlength="300"
        autocomplete="off"
        spellcheck="false"
        list=${found === undefined ? nothing : "model-names"}
      />
      ${
        found === undefined
          ? nothing
          : html`<datalist id="model-names">
              ${found.models.map((name) => html`<option value=${name}></option>`)}
            </datalist>`
      }`;
  }

  #form(provider: Provider) {
    const { label } = NAMES[provider.provider];
    const isLocal = provider.provider === "local";
    const key = provider.key;
    return html`<form
      class="card connect-form"
      aria-labelledby="connect-title"
      @submit=${(event: SubmitEvent) => void this.#connect(event)}
    >
      <h2 id="connect-title">${label}</h2>
      ${
        isLocal
          ? html`<label for="model-address">Address</label>
              <div class="with-button">
                <input
                  id="model-address"
                  name="address"
                  required
                  maxlength="2000"
                  autocomplete="off"
                  spellcheck="false"
                  inputmode="url"
                  placeholder="Such as http://127.0.0.1:11434"
                  .value=${this.servers?.[0]?.baseUrl ?? provider.baseUrl ?? ""}
                  @change=${({ target }: Event) => void this.#look((target as HTMLInputElement).value)}
                />
                <button
                  type="button"
                  ?disabled=${this.isLooking || this.isConnecting}
                  @click=${() => void this.#look(this.#field("address"))}
                >
                  ${this.isLooking ? html`${icon("busy")} Looking…` : "List its models"}
                </button>
              </div>`
          : nothing
      }
      <label for="model-key">Key</label>
      <input
        id="model-key"
        name="key"
        type="password"
        autocomplete="off"
        spellcheck="false"
        maxlength="10000"
        ?required=${!isLocal && key === undefined}
        aria-describedby="model-key-hint"
      />
      <p class="hint" id="model-key-hint">
        ${
          key !== undefined
            ? html`Leave it empty to use the one in <code>${shown(key)}</code>.`
            : isLocal
              ? "Only if the server needs one. "
              : nothing
        }
        It is kept in a file that only you can read, and never shown again.
      </p>
      ${this.#modelField(provider)}
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button class="primary" ?disabled=${this.isConnecting}>
          ${this.isConnecting ? html`${icon("busy")} Trying it, for a minute at most…` : "Try it and connect"}
        </button>
        <button type="button" @click=${() => void this.#cancel()}>Cancel</button>
      </div>
      <p class="hint">
        Deputy asks the model for one small call, and keeps it only if that works. Then it restarts with it,
        in a moment; what is running goes on afterwards.
      </p>
    </form>`;
  }

  protected override render() {
    const status = this.app.lists.model.value ?? undefined;
    const provider = this.#provider();
    const found = this.servers ?? [];
    return html`${this.#now()}
    ${
      provider !== undefined
        ? this.#form(provider)
        : status === undefined || status.fixedBy !== undefined
          ? nothing
          : html`<section aria-labelledby="choose-model">
              <h2 id="choose-model">${status.isRehearsal ? "Connect a model" : "Connect another one"}</h2>
              <ul class="choices">
                ${status.providers.map(
                  (one) =>
                    html`<li>
                      <button type="button" @click=${() => this.#choose(one.provider)}>
                        <span class="title">${NAMES[one.provider].label}</span>
                        <span class="hint"
                          >${
                            one.provider === "local" && found.length > 0
                              ? `Found on this machine: ${found.map(({ baseUrl }) => baseUrl).join(", ")}`
                              : NAMES[one.provider].says
                          }</span
                        >
                      </button>
                    </li>`,
                )}
              </ul>
            </section>`
    }`;
  }
}
customElements.define("model-section", ModelSection);
