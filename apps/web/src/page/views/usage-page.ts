import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { nameOf, plotOf, type PlotRow } from "../parts/plot.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { money } from "../text/money.ts";
import { shown } from "../text/shown.ts";
import { readersZone } from "../text/times.ts";
import { count, failureText } from "../text/words.ts";
import { titleOf } from "./conversation-menu.ts";

type Table = RpcResult<"usage.table">;
type Row = Table["days"][number];

const DAY_MS = 86_400_000;
const SPANS = { "1": "Today", "7": "Last 7 days", "30": "Last 30 days", "365": "Last year" } as const;
const PARTS = ["Fresh input", "Cached input", "Output"];
const MORE = ["Turns", "Cost"];

/** `<usage-page>`: what models took, by day, model, conversation and task. Money only where the price is known. */
class UsagePage extends View {
  static override properties = {
    app: {},
    table: { state: true },
    days: { state: true },
    budget: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare table: Table | undefined;
  declare days: keyof typeof SPANS;
  /** What one turn may take at most. */
  declare budget: Budget;
  declare message: string;

  constructor() {
    super();
    this.days = "30";
    this.budget = {};
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    const since = new Date(startOfToday() - (Number(this.days) - 1) * DAY_MS).toISOString();
    try {
      this.table = await this.app.connection.call("usage.table", { since, zone: readersZone() });
      this.message = "";
      const { value } = await this.app.connection.call("config.get", { key: "agent.budget" });
      this.budget = readBudget(value);
    } catch (error) {
      if (this.table === undefined) this.message = failureText(error);
    }
  }

  #rows(rows: readonly Row[], name: (row: Row) => unknown, label = ({ name: own }: Row): string => own) {
    return rows.map((row): PlotRow => ({
      name: name(row),
      label: label(row),
      values: [row.fresh, row.cached, row.output],
      more: [row.turns.toLocaleString(), costOf(row)],
    }));
  }

  #totals(days: readonly Row[]) {
    const sum = (part: "fresh" | "cached" | "output" | "turns" | "unpriced"): number =>
      days.reduce((all, row) => all + row[part], 0);
    const cost = days.reduce((all, row) => all + (row.cost?.amount ?? 0), 0);
    const currency = days.find((row) => row.cost !== undefined)?.cost?.currency;
    const facts = [
      ["Turns", sum("turns").toLocaleString()],
      ["Fresh input", sum("fresh").toLocaleString()],
      ["Cached input", sum("cached").toLocaleString()],
      ["Output", sum("output").toLocaleString()],
      ...(currency === undefined ? [] : [["Cost", money({ amount: cost, currency })] as const]),
    ] as const;
    return html`<dl class="totals">
        ${facts.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${
        sum("unpriced") > 0 && currency !== undefined
          ? html`<p class="hint">
              ${sum("unpriced") === 1 ? "One turn has no known price and is" : `${sum("unpriced").toLocaleString()} turns have no known price and are`}
              not in the cost.
            </p>`
          : nothing
      }`;
  }

  #plots({ days: used, models, sessions, tasks }: Table) {
    const days = everyDay(used, Number(this.days));
    const known = this.app.lists.sessions.value ?? [];
    const ofTask = this.app.lists.tasks.value ?? [];
    const conversation = ({ name }: Row): unknown =>
      html`<a href=${linkTo({ page: "conversation", id: name })}
        >${shown(titleOf(known.find(({ id }) => id === name)))}</a
      >`;
    const task = ({ name }: Row): unknown => {
      const found = ofTask.find(({ stream }) => (stream as string) === name);
      if (found === undefined) return conversation({ name } as Row);
      return html`<a href=${linkTo({ page: "task", id: found.id })}>${shown(found.prompt)}</a>`;
    };
    const isUsed = ({ values }: PlotRow): boolean => values.some((value) => value > 0);
    const by = (title: string, what: string, all: readonly PlotRow[], how: "columns" | "rows") => {
      // A day without use is a gap in a week; a conversation without any is no row.
      const rows = how === "columns" ? all : all.filter(isUsed);
      return rows.length === 0 ? nothing : plotOf({ title, what, parts: PARTS, rows }, MORE, how);
    };
    return html`${by(
      "By day",
      "Day",
      this.#rows(
        days,
        ({ name }) => dayText(name),
        ({ name }) => dayText(name),
      ),
      "columns",
    )}
    ${this.#turns(days)}
    ${by(
      "By model",
      "Model",
      this.#rows(models, ({ name }) => nameOf(name)),
      "rows",
    )}
    ${by("By conversation", "Conversation", this.#rows(sessions, conversation), "rows")}
    ${by("By task", "Task", this.#rows(tasks, task), "rows")}`;
  }

  /** The largest turn of each day beside what a turn may take, where that is limited. */
  #turns(days: readonly Row[]) {
    const { tokens, money: mostMoney } = this.budget;
    const rows = (value: (row: Row) => number): readonly PlotRow[] =>
      days.map((row) => ({
        name: dayText(row.name),
        label: dayText(row.name),
        values: [value(row)],
        more: [row.turns.toLocaleString()],
      }));
    const plot = (
      title: string,
      part: string,
      limit: { readonly value: number; readonly words: string },
      value: (row: Row) => number,
      write?: (value: number) => string,
    ) =>
      plotOf(
        {
          title,
          what: "Day",
          parts: [part],
          rows: rows(value),
          limit: { value: limit.value, words: `A turn stops at ${limit.words}` },
          ...(write !== undefined && { write }),
        },
        ["Turns"],
        "columns",
      );
    const isPriced = days.some(({ dearest }) => dearest !== undefined);
    return html`${tokens === undefined ? nothing : plot("Largest turn of each day", "Tokens", { value: tokens, words: count(tokens, "token") }, ({ largest }) => largest)}
    ${mostMoney === undefined || !isPriced ? nothing : plot("Most expensive turn of each day", "Cost", { value: mostMoney, words: dollars(mostMoney) }, ({ dearest }) => dearest?.amount ?? 0, dollars)}`;
  }

  protected override render() {
    const { table } = this;
    return html`<div class="page">
      <header class="page-head">
        <h1>Usage</h1>
        <label class="span"
          ><span class="for-screen-readers">Time</span>
          <select
            @change=${({ target }: Event) => {
              this.days = (target as HTMLSelectElement).value as keyof typeof SPANS;
              void this.#load();
            }}
          >
            ${Object.entries(SPANS).map(
              ([days, title]) =>
                html`<option value=${days} ?selected=${days === this.days}>${title}</option>`,
            )}
          </select>
        </label>
      </header>
      <div class="page-body">
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${
          table === undefined
            ? this.message === ""
              ? html`<p class="hint">Loading…</p>`
              : nothing
            : table.days.length === 0
              ? html`<div class="empty">
                  ${icon("usage")}
                  <div>
                    <p>
                      Nothing was used in this time. What each day, model, conversation and task takes will be
                      listed here.
                    </p>
                    <a class="button" href=${linkTo({ page: "new" })}>${icon("new")} New conversation</a>
                  </div>
                </div>`
              : html`${this.#totals(table.days)}
                ${
                  table.days.every(({ fresh, cached, output }) => fresh + cached + output === 0)
                    ? html`<div class="empty">
                        ${icon("usage")}
                        <div>
                          <p>
                            No tokens were used: the rehearsal is a script. What a model takes, by day, model,
                            conversation and task, will be listed here.
                          </p>
                          <a class="button" href=${linkTo({ page: "settings", section: "model" })}
                            >Connect a model</a
                          >
                        </div>
                      </div>`
                    : this.#plots(table)
                }`
        }
        ${wordsOfBudget(this.budget) === "" ? nothing : html`<p class="line">${wordsOfBudget(this.budget)}</p>`}
        <p class="hint">
          Counted in tokens, the units in which models read and write text. A cost is shown only where the
          price of the model is known.
        </p>
      </div>
    </div>`;
  }
}
customElements.define("usage-page", UsagePage);

function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}

/** Also those on which nothing was used: a week with one busy day looks like one. */
function everyDay(used: readonly Row[], days: number): readonly Row[] {
  const nothingUsed = { turns: 0, fresh: 0, cached: 0, output: 0, unpriced: 0, largest: 0 };
  return Array.from({ length: days }, (_, at) => {
    const day = new Date();
    day.setDate(day.getDate() - (days - 1 - at));
    const name = DAY_NAME.format(day);
    return used.find((row) => row.name === name) ?? { ...nothingUsed, name };
  });
}

/** As the daemon names days: 2026-11-18. */
const DAY_NAME = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const dayText = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

function costOf({ cost }: Row): string {
  return cost === undefined ? "–" : money(cost);
}

const dollars = (amount: number): string => money({ amount, currency: "USD" });

interface Budget {
  readonly tokens?: number;
  readonly money?: number;
  readonly calls?: number;
  readonly minutes?: number;
}

function readBudget(value: unknown): Budget {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, most]) => typeof most === "number"));
}

function wordsOfBudget(budget: Budget): string {
  const limits = Object.entries(budget).map(([what, most]: [string, number]) =>
    what === "money" ? dollars(most) : count(most, UNITS[what] ?? what),
  );
  return limits.length === 0 ? "" : `A turn stops at ${LIST.format(limits)}.`;
}

const UNITS: Readonly<Record<string, string>> = {
  tokens: "token",
  calls: "call",
  minutes: "minute",
};
const LIST = new Intl.ListFormat("en", { type: "disjunction" });
