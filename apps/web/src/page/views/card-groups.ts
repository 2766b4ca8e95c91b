import type { CardCall, CardGroup, CardPart } from "@deputy/protocol";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { shownOnCard, spoken } from "../text/shown.ts";

const MARKS = { destroys: "Can destroy", sends: "Sends", differs: "Differs" } as const;

/** Ticks of the calls of a plan; a question about one call has none. */
export interface Ticks {
  isTicked(callId: string): boolean;
  setTicked(callIds: readonly string[], isTicked: boolean): void;
}

/** The calls of a card in their groups, as the card orders them: what destroys, sends or differs stands first and is never folded. */
export function showGroups(groups: readonly CardGroup[], ticks: Ticks): readonly TemplateResult[] {
  const isOfMany = groups.length > 1 || (groups[0]?.count ?? 0) > 1;
  return groups.map((group) => showGroup(group, isOfMany, ticks));
}

function showGroup(group: CardGroup, isOfMany: boolean, ticks: Ticks): TemplateResult {
  const { toolPath, count, mark, same, listed, calls, folded } = group;
  return html`<div class="group ${mark ?? ""}">
    <p class="tool">
      ${mark === undefined ? nothing : html`<span class="mark ${mark}">${icon("warning")} ${MARKS[mark]}</span>`}
      <code>${shownOnCard(toolPath)}</code
      >${isOfMany && count > 1 ? html` <span class="times">× ${count}</span>` : nothing}
    </p>
    ${showCalls(
      calls.map((call) => inOneLine(call, toolPath)),
      isOfMany,
      ticks,
    )}
    ${folded === undefined ? nothing : showFolded(folded, isOfMany, ticks)}
    ${same.length === 0 && listed === undefined ? nothing : showSame(same, listed ?? [])}
  </div>`;
}

/** The tool is named above: a call that has no other title is told by its first value, if that is short. */
function inOneLine(call: CardCall, toolPath: string): CardCall {
  const [first, ...rest] = call.parts;
  const isShort =
    first?.kind === "value" &&
    first.row === undefined &&
    first.whole === undefined &&
    !first.text.includes("\n");
  if (call.callId === undefined || call.title !== toolPath || !isShort) return call;
  return { ...call, title: `${first.name ?? ""}: ${first.text}`, parts: rest };
}

/** The text names every value by which these differ from those above, so it stands there unfolded. */
function showFolded(
  folded: NonNullable<CardGroup["folded"]>,
  isOfMany: boolean,
  ticks: Ticks,
): TemplateResult {
  const ids = folded.calls.flatMap(({ callId }) => callId ?? []);
  const ticked = ids.filter((id) => ticks.isTicked(id)).length;
  return html`<details class="folded">
    <summary>
      ${
        ids.length === 0
          ? nothing
          : html`<input
              type="checkbox"
              .checked=${ticked === ids.length}
              .indeterminate=${ticked > 0 && ticked < ids.length}
              aria-label="All ${ids.length} more"
              @click=${(event: Event) => event.stopPropagation()}
              @change=${({ target }: Event) => ticks.setTicked(ids, (target as HTMLInputElement).checked)}
            />`
      }
      <span
        >${folded.calls.length} more, all alike: <span class="values">${shownOnCard(folded.text)}</span></span
      >
    </summary>
    ${showCalls(folded.calls, isOfMany, ticks)}
  </details>`;
}

function showSame(same: readonly CardPart[], listed: readonly string[]): TemplateResult {
  return html`<div class="same">
    <span class="name">All of them:</span>
    ${same.map(showPart)}
    ${listed.length === 0 ? nothing : html`<p class="value listed"><span class="name">each line shows</span> ${shownOnCard(listed.join(", "))}</p>`}
  </div>`;
}

function showCalls(calls: readonly CardCall[], isOfMany: boolean, ticks: Ticks): TemplateResult {
  return html`<ul class="calls">
    ${calls.map((call) => showCall(call, isOfMany, ticks))}
  </ul>`;
}

function showCall({ callId, title, parts }: CardCall, isOfMany: boolean, ticks: Ticks): TemplateResult {
  if (callId === undefined)
    return html`<li>${isOfMany ? shownOnCard(title) : nothing}${parts.map(showPart)}</li>`;
  return html`<li>
    <label>
      <input
        type="checkbox"
        .checked=${ticks.isTicked(callId)}
        @change=${({ target }: Event) => ticks.setTicked([callId], (target as HTMLInputElement).checked)}
      />
      <span>${shownOnCard(title)}</span>
    </label>
    ${parts.map(showPart)}
  </li>`;
}

/** Values of one line beside their names, longer ones as text of their own. */
function showPart(part: CardPart): TemplateResult {
  const { kind, name = "", text, row } = part;
  if (kind === "words") return html`<div class="words">${shownOnCard(text)}${showWhole(part)}</div>`;
  const stands =
    row === undefined
      ? nothing
      : html`<span class="stands">↳ in ${shownOnCard(`${row.source}: ${row.text}`)}</span>`;
  const label = html`<span class="name">${shownOnCard(kind === "contents" ? `runs ${name}` : name)}</span>`;
  if (kind === "value" && !text.includes("\n"))
    return html`<p class="value">${label} <span>${shownOnCard(text)}</span> ${stands}${showWhole(part)}</p>`;
  return html`<div class="value long">${label} ${stands}${showText(part, text)}${showWhole(part)}</div>`;
}

/** All of a text, where the card shows only its two ends. */
function showWhole(part: CardPart): TemplateResult | typeof nothing {
  if (part.whole === undefined) return nothing;
  return html`<details class="all">
    <summary>Show all of it</summary>
    ${showText(part, part.whole)}
  </details>`;
}

function showText({ kind, name }: CardPart, text: string): TemplateResult {
  return html`<pre tabindex="0" class=${kind} aria-label=${spoken(name ?? "Text")}>
${kind === "diff" ? showDiff(text) : shownOnCard(text)}</pre>`;
}

/** A unified diff, line by line. Its head, and where a part begins, is neither added nor removed. */
export function showDiff(
  text: string,
  show: (line: string) => unknown = shownOnCard,
): readonly TemplateResult[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  return lines.map((line, at) => {
    const style = at < first || line.startsWith("@@") ? "hunk" : styleOf(line);
    return html`<span class="line-of-diff ${style}">${show(line)} </span>`;
  });
}

function styleOf(line: string): string {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}
