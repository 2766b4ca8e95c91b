import { html, nothing } from "lit";
import { ask } from "../parts/ask.ts";
import { icon } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { codeBlock } from "../markdown/code-block.ts";
import "../markdown/markdown-text.ts";
import type { App } from "../stores/app.ts";
import type { ConversationStore } from "../stores/conversation.ts";
import { saidInTurn } from "../stores/said-in-turn.ts";
import type { AnswerRow, EndRow, FiringRow, QuestionRow, Row, SaidRow } from "../stores/transcript-rows.ts";
import { type SaidPart, saidParts } from "../text/said-parts.ts";
import { shown, shownProse } from "../text/shown.ts";
import { clockTime, exactTime } from "../text/times.ts";
import { failureText, nameOfModel, wordsOfScope } from "../text/words.ts";
import "./activity-fold.ts";
import "./approval-card.ts";
import "./attachment-list.ts";
import "./recalled-fold.ts";

/** One row of a conversation. */
export function renderRow(row: Row, app: App, store: ConversationStore): unknown {
  switch (row.kind) {
    case "said":
      return said(row, app, store);
    case "answer":
      return answer(row, app, store);
    case "activity":
      return html`<activity-fold .app=${app} .row=${row}></activity-fold>`;
    case "question":
      return question(row, app);
    case "quoted":
      return html`<details class="quoted">
        <summary>${shown(row.source)} <span class="hint">sent along; not your own words</span></summary>
        <pre tabindex="0">${shown(row.text)}</pre>
      </details>`;
    case "note":
      return html`<div class="note">
        <p class="meta">${shown(row.from)} · ${timeText(row.at, app.nowMs.peek())}</p>
        <markdown-text .text=${row.text}></markdown-text>
      </div>`;
    case "recalled":
      return html`<recalled-fold .app=${app} .row=${row}></recalled-fold>`;
    case "end":
      return end(row, app, store);
    case "model":
      return html`<p class="firing meta">
        ${icon("again")}
        ${row.instead !== undefined && row.model !== null ? html`${shown(nameOfModel(row.model))} answers, because ${shown(nameOfModel(row.instead))} failed` : row.model === null ? "From here on the agent’s own model answers" : html`From here on ${shown(nameOfModel(row.model))} answers`}
      </p>`;
    default:
      return firing(row, app);
  }
}

function said(row: SaidRow, app: App, store: ConversationStore): unknown {
  const { seq } = row;
  if (row.isAgain === true)
    return html`<p class="firing meta">
        ${icon("again")} You asked again · ${timeText(row.at, app.nowMs.peek())}
      </p>
      ${row.sending === undefined || seq === undefined ? sendingState(row, app) : nothing}`;
  return html`<div class="said">
      <h2 class="for-screen-readers">You</h2>
      <div class="bubble">${saidParts(row.text).map(saidPart)}</div>
      <attachment-list .app=${app} .attachments=${row.attachments}></attachment-list>
    </div>
    ${row.sending === undefined || seq === undefined ? sendingState(row, app) : nothing}
    <div class="row-actions">
      <time datetime=${row.at} title=${exactTime(row.at)}>${clockTime(row.at)}</time>
      ${
        seq === undefined
          ? nothing
          : html`<button
              type="button"
              class="quiet small"
              @click=${() => void editAndResend(row, app, store)}
            >
              ${icon("edit")} Edit
            </button>`
      }
    </div>`;
}

function saidPart({ kind, text, language }: SaidPart): unknown {
  return kind === "code" ? codeBlock(text, language) : html`<p dir="auto">${shownProse(text)}</p>`;
}

function sendingState(row: SaidRow, app: App): unknown {
  switch (row.sending?.kind) {
    case "sending":
      return html`<p class="sending hint">${icon("busy")} Sending…</p>`;
    case "queued":
      return html`<p class="sending hint">
        ${icon("clock")} Queued: not sent yet. It is sent by itself when there is a connection.
        <button type="button" class="small" @click=${() => app.outbox.discard(row.key)}>Discard</button>
      </p>`;
    case "uncertain":
      return html`<p class="sending hint">
        ${icon("alert")} Uncertain: sent, but the connection was lost before Deputy confirmed it. The page
        asks again by itself, and it is said only once.
      </p>`;
    case "failed":
      return html`<p class="sending trouble">
        ${icon("alert")} Not sent: ${shown(row.sending.why)}
        <button type="button" class="small" @click=${() => app.outbox.retry(row.key)}>Try again</button>
        <button type="button" class="small" @click=${() => app.outbox.discard(row.key)}>Discard</button>
      </p>`;
    default:
      return nothing;
  }
}

async function editAndResend(row: SaidRow, app: App, store: ConversationStore): Promise<void> {
  const turn = saidInTurn(store.state.peek().rows, row);
  if (turn === undefined) return;
  // What was typed stays until there is a copy: without a connection there is none.
  for (let value = turn.text; ;) {
    const text = await ask({
      title: "Say it differently",
      text: "This begins a copy of the conversation from before this message. The original stays as it is.",
      button: "Send",
      value,
      label: "Message",
      isLong: true,
    });
    if (text === undefined || text.trim() === "") return;
    value = text;
    try {
      return await app.actions.resend(store.id, turn.seq, text.trim(), turn.attachments);
    } catch (error) {
      app.tell(failureText(error));
    }
  }
}

function answer(row: AnswerRow, app: App, store: ConversationStore): unknown {
  const { turnEndSeq } = row;
  return html`<h2 class="for-screen-readers">Deputy</h2>
    <markdown-text .text=${row.text} .isStreaming=${row.isStreaming}></markdown-text>
    ${
      row.isStreaming
        ? nothing
        : html`<div class="row-actions">
            <button
              type="button"
              class="quiet small"
              @click=${(event: Event) => void copyText(row.text, event, app)}
            >
              Copy
            </button>
            ${
              turnEndSeq === undefined
                ? nothing
                : html`<button
                      type="button"
                      class="quiet small"
                      aria-label="Continue in a copy"
                      @click=${() => void app.actions.fork(store.id, turnEndSeq).catch((error: unknown) => app.tell(failureText(error)))}
                    >
                      ${icon("fork")} <span class="no-phone">Continue in a copy</span>
                    </button>
                    <button
                      type="button"
                      class="quiet small"
                      title="Asks the same once more, in a copy; this answer stays"
                      @click=${() => void askAgain(row, app, store)}
                    >
                      ${icon("again")} Ask again
                    </button>`
            }
            <time datetime=${row.at} title=${exactTime(row.at)}>${clockTime(row.at)}</time>
          </div>`
    }`;
}

/** Another answer to the same message, in a copy of what came before it. */
async function askAgain(row: AnswerRow, app: App, store: ConversationStore): Promise<void> {
  const rows = store.state.peek().rows;
  const at = rows.findIndex(({ key }) => key === row.key);
  const asked = rows.slice(0, at).findLast((one) => one.kind === "said");
  const turn = asked === undefined ? undefined : saidInTurn(rows, asked);
  if (turn === undefined) return;
  await app.actions
    .resend(store.id, turn.seq, turn.text, turn.attachments)
    .catch((error: unknown) => app.tell(failureText(error)));
}

/** How long a button says what it has done. */
const SAID_MS = 1_500;

async function copyText(text: string, { currentTarget }: Event, app: App): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.announce("Copied");
    if (!(currentTarget instanceof HTMLElement)) return;
    currentTarget.textContent = "Copied";
    setTimeout(() => (currentTarget.textContent = "Copy"), SAID_MS);
  } catch {
    app.tell("This browser gives no clipboard here. Select the text and copy it.");
  }
}

function question(row: QuestionRow, app: App): unknown {
  const { answer: given } = row;
  if (given === undefined) {
    const pending = app.lists.approvals.value?.find(({ id }) => id === row.id);
    if (pending !== undefined) return html`<approval-card .app=${app} .approval=${pending}></approval-card>`;
    return html`<p class="decided">${icon("clock")} ${shown(row.title)}: no longer asked.</p>`;
  }
  return html`<p class="decided ${given.decision}">
    ${icon(given.decision === "approved" ? "done" : "failed")}
    <span
      >${describeAnswer(row, given)}:
      ${shown(row.title)}${given.reason === undefined ? nothing : html` — “${shown(given.reason)}”`}</span
    >
    <time datetime=${given.at} title=${exactTime(given.at)}>${clockTime(given.at)}</time>
  </p>`;
}

/** “You approved 17 of 18”, “You denied”. */
function describeAnswer({ calls, tools }: QuestionRow, given: NonNullable<QuestionRow["answer"]>): string {
  if (given.isExpired) return "Nobody answered in time";
  const who = given.by === "owner" ? "You" : given.by;
  if (given.decision === "denied") return `${who} denied`;
  const which = calls < 2 ? "" : ` ${given.approved ?? calls} of ${calls}`;
  const reach =
    given.scope === "once" || given.scope === "plan" ? "" : ` (${wordsOfScope(given.scope, false, tools)})`;
  return `${who} approved${which}${reach}`;
}

function end(row: EndRow, app: App, store: ConversationStore): unknown {
  const rows = store.state.peek().rows;
  const asked = rows
    .slice(
      0,
      rows.findIndex(({ key }) => key === row.key),
    )
    .findLast((one) => one.kind === "said");
  const isLast = rows.at(-1)?.key === row.key;
  return html`<p class="line ${row.how === "aborted" ? "stopped-line" : "trouble-line"}">
    ${icon(row.how === "aborted" ? "stop" : "alert")}
    <span>${row.how === "aborted" ? nothing : html`<strong>It failed.</strong> `}${shown(row.text)}</span>
    ${
      isLast && asked?.kind === "said"
        ? html`<button
            type="button"
            class="small"
            @click=${() => app.outbox.send(store.id, asked.text, asked.attachments)}
          >
            ${icon("again")} Try again
          </button>`
        : nothing
    }
  </p>`;
}

function firing(row: FiringRow, app: App): unknown {
  const words = { ran: "Ran", skipped: "Did not run", ended: "Ended" }[row.how];
  return html`<p class="firing meta">
    ${icon("clock")} ${words} ${timeText(row.dueAt, app.dueMs.peek())}: ${shown(row.text)}
  </p>`;
}
