import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown } from "../text/shown.ts";
import { failureText } from "../text/words.ts";

type Usage = RpcResult<"usage.get">;

const DAY_MS = 86_400_000;
const SPANS = [
  { title: "Today", since: () => startOfToday() },
  { title: "Last 7 days", since: () => startOfToday() - 6 * DAY_MS },
  { title: "Last 30 days", since: () => startOfToday() - 29 * DAY_MS },
  { title: "Ever", since: () => undefined },
] as const;

/** `<usage-page>`: what models took. Money only where the price is known. */
class UsagePage extends View {
  static override properties = { app: {}, spans: { state: true }, message: { state: true } };
  declare app: App;
  declare spans: readonly { readonly title: string; readonly usage: Usage }[] | undefined;
  declare message: string;

  constructor() {
    super();
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    try {
      this.spans = await Promise.all(
        SPANS.map(async ({ title, since }) => {
          const from = since();
          const params = from === undefined ? {} : { since: new Date(from).toISOString() };
          return { title, usage: await this.app.connection.call("usage.get", params) };
        }),
      );
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #row({ title, usage: { usage, turns, cost } }: { readonly title: string; readonly usage: Usage }) {
    const cached = usage.cacheReadTokens ?? 0;
    const number = (value: number) => value.toLocaleString();
    return html`<tr>
      <th scope="row">${title}</th>
      <td>${number(turns)}</td>
      <td>${number(Math.max(0, usage.inputTokens - cached))}</td>
      <td>${number(cached)}</td>
      <td>${number(usage.outputTokens)}</td>
      <td>${cost === undefined ? "–" : `${cost.amount.toFixed(2)} ${cost.currency}`}</td>
    </tr>`;
  }

  protected override render() {
    return html`<div class="page">
      <header class="page-head"><h1>Usage</h1></header>
      <div class="page-body">
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${
          this.spans === undefined
            ? this.message === ""
              ? html`<p class="hint">Loading…</p>`
              : nothing
            : html`<div class="table" tabindex="0" role="region" aria-label="Usage">
                  <table class="numbers">
                    <thead>
                      <tr>
                        <th scope="col">When</th>
                        <th scope="col">Turns</th>
                        <th scope="col">Fresh input</th>
                        <th scope="col">Cached input</th>
                        <th scope="col">Output</th>
                        <th scope="col">Cost</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${this.spans.map((span) => this.#row(span))}
                    </tbody>
                  </table>
                </div>
                <p class="hint">
                  In tokens, the units in which models count text. A cost stands only where the price of the
                  model is known.
                </p>`
        }
      </div>
    </div>`;
  }
}
customElements.define("usage-page", UsagePage);

function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}
