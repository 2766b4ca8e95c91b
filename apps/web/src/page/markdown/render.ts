import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Token, Tokens } from "marked";
import { shownProse } from "../text/shown.ts";
import { saysPlace } from "../text/says-place.ts";
import { codeBlock } from "./code-block.ts";

/** The end of a fence: nothing is written into it any more. */
const CLOSED = /\n {0,3}(?:`{3,}|~{3,})\s*$/;

/** Tokens of Markdown as templates. There is no HTML string anywhere: what models write stays text. */
export function renderBlock(token: Token): unknown {
  switch (token.type) {
    case "heading":
      return heading(token as Tokens.Heading);
    case "paragraph":
      return html`<p dir="auto">${inline((token as Tokens.Paragraph).tokens)}</p>`;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? shownProse(text) : inline(tokens);
    }
    case "code": {
      const { text, lang = "", raw } = token as Tokens.Code;
      return codeBlock(text, lang.split(/\s/, 1)[0] ?? "", CLOSED.test(raw) ? "whole" : "open");
    }
    case "blockquote":
      return html`<blockquote dir="auto">${blocks((token as Tokens.Blockquote).tokens)}</blockquote>`;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return html`<hr />`;
    case "space":
    case "def":
      return nothing;
    default:
      // Markup of the model's own, among others: it is shown as it was written.
      return html`<p dir="auto">${shownProse(token.raw.trimEnd())}</p>`;
  }
}

function blocks(tokens: readonly Token[]): unknown {
  return inGroups(tokens, renderBlock);
}

/** So many are looked at as one while nothing of them changes. */
const GROUP = 32;

/** What has not changed since the last piece is not drawn again, and a long part of it is passed over in one step. */
function inGroups<T>(things: readonly T[], draw: (thing: T) => unknown): unknown {
  const groups = [];
  for (let at = 0; at < things.length; at += GROUP) {
    const group = things.slice(at, at + GROUP);
    groups.push(guard(group, () => group.map((thing) => guard([thing], () => draw(thing)))));
  }
  return groups;
}

/** One level for all, below the page's own two: models skip levels, and whoever hears the page must not miss any. */
function heading({ depth, tokens }: Tokens.Heading): TemplateResult {
  return html`<h3 class="depth-${Math.min(depth, 4)}" dir="auto">${inline(tokens)}</h3>`;
}

function list({ ordered, start, items, loose }: Tokens.List): TemplateResult {
  const rows = inGroups(items, (item) => listItem(item, loose));
  return ordered
    ? html`<ol start=${Number(start) || 1}>
        ${rows}
      </ol>`
    : html`<ul>
        ${rows}
      </ul>`;
}

function listItem(item: Tokens.ListItem, loose: boolean): TemplateResult {
  return html`<li dir="auto" class=${item.task ? "task-item" : nothing}>
    ${
      item.task
        ? html`<input
            type="checkbox"
            disabled
            .checked=${item.checked === true}
            aria-label=${item.checked === true ? "done" : "to do"}
          />`
        : nothing
    }${itemContent(item, loose)}
  </li>`;
}

function itemContent({ tokens }: Tokens.ListItem, loose: boolean): unknown {
  return tokens
    .filter(({ type }) => type !== "checkbox")
    .map((token) =>
      loose || token.type !== "paragraph" ? renderBlock(token) : inline((token as Tokens.Paragraph).tokens),
    );
}

/** Such as a date, a number, a state: it stands in one line. */
const SHORT_CELL = 16;

function table({ header, rows, align }: Tokens.Table): TemplateResult {
  const side = (at: number): string => {
    const to = align[at];
    return to === null || to === undefined ? "" : `align-${to}`;
  };
  const kind = ({ text }: Tokens.TableCell, at: number): string | typeof nothing =>
    [side(at), text.length <= SHORT_CELL ? "short" : ""].filter(Boolean).join(" ") || nothing;
  return html`<div class="table" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${header.map((cell, at) => html`<th scope="col" class=${kind(cell, at)} dir="auto">${inline(cell.tokens)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${inGroups(
          rows,
          (row) =>
            html`<tr>
              ${row.map((cell, at) => html`<td class=${kind(cell, at)} dir="auto">${inline(cell.tokens)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function inline(tokens: readonly Token[] | undefined): unknown {
  return (tokens ?? []).map(renderInline);
}

function renderInline(token: Token): unknown {
  switch (token.type) {
    case "strong":
      return html`<strong>${inline((token as Tokens.Strong).tokens)}</strong>`;
    case "em":
      return html`<em>${inline((token as Tokens.Em).tokens)}</em>`;
    case "del":
      return html`<del>${inline((token as Tokens.Del).tokens)}</del>`;
    case "codespan":
      return html`<code>${shownProse((token as Tokens.Codespan).text)}</code>`;
    case "br":
      return html`<br />`;
    case "link":
      return link(token as Tokens.Link);
    case "image": {
      // A picture from elsewhere would tell its server that it was looked at.
      const { href, text } = token as Tokens.Image;
      return html`<span class="picture">[picture: ${shownProse(text === "" ? href : text)}]</span>`;
    }
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      // In an element of its own: the browser is slow to change a long paragraph that has thousands of nodes.
      return tokens === undefined
        ? shownProse(text)
        : html`<span>${guard([token], () => inline(tokens))}</span>`;
    }
    case "checkbox":
      return nothing;
    case "escape":
      return shownProse((token as Tokens.Escape).text);
    default:
      return shownProse(token.raw);
  }
}

const LINKED = new Set(["http:", "https:", "mailto:"]);

/** A link shows where it leads, unless its own text does. Other schemes stay text. */
function link({ href, tokens, text }: Tokens.Link): unknown {
  const url = URL.parse(href);
  if (url === null || !LINKED.has(url.protocol))
    return html`${inline(tokens)} <span class="leads-to">(${shownProse(href)})</span>`;
  const place = url.protocol === "mailto:" ? url.pathname : url.host;
  const says = saysPlace(text, place) ? nothing : html` <span class="leads-to">(${shownProse(place)})</span>`;
  return html`<a href=${url.href} target="_blank" rel="noopener noreferrer">${inline(tokens)}</a>${says}`;
}
