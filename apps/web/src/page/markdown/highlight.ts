import { html, type TemplateResult } from "lit";
import { asyncReplace } from "lit/directives/async-replace.js";
import { guard } from "lit/directives/guard.js";
import { ownScript } from "../parts/own-script.ts";
import { shown } from "../text/shown.ts";
import { type CodeSpan, linesOf } from "./code-spans.ts";
import type { HighlightAnswer } from "./highlight-worker.ts";
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker.
import workerAddress from "./highlight-worker.ts?worker&url";

/** Longer code stays plain: colours do not help there. */
const LONGEST_CHARS = 20_000;
const MOST_KEPT = 200;
/** So much of a long code gets its colours in one frame. */
const SPANS_AT_ONCE = 250;

const ALIASES: Readonly<Record<string, string>> = {
  cs: "csharp",
  "c++": "cpp",
  golang: "go",
  html: "xml",
  js: "javascript",
  jsonc: "json",
  jsx: "javascript",
  md: "markdown",
  patch: "diff",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
  zsh: "bash",
};
const KNOWN = new Set(
  "bash c cpp csharp css diff go java javascript json markdown python ruby rust sql typescript xml yaml".split(
    " ",
  ),
);

/** Codes that were highlighted; drawn again, they do not flash. */
const kept = new Map<string, TemplateResult | undefined>();
const waiting = new Map<number, (spans: readonly CodeSpan[] | undefined) => void>();
let worker: Worker | undefined;
let ids = 0;

/** Code with colours, once the worker has them; until then, and where it knows no language, as it is. */
export function highlighted(code: string, said: string): unknown {
  const name = said.toLowerCase();
  const language = ALIASES[name] ?? name;
  if (!KNOWN.has(language) || code.length > LONGEST_CHARS) return shown(code);
  const key = `${language} ${code}`;
  if (kept.has(key)) return kept.get(key) ?? shown(code);
  return asyncReplace(colour(code, language, key));
}

type Lines = readonly (readonly CodeSpan[])[];

/** Programs that are shown line by line. */
const programs = new Map<string, { readonly asked: Promise<Lines | undefined>; lines?: Lines | undefined }>();
const MOST_PROGRAMS = 40;

/** One line of a program, counted from 1, with its colours once the worker has them. */
export function highlightedLine(program: string, line: number, text: string): unknown {
  if (program.length > LONGEST_CHARS) return shown(text);
  const known = programs.get(program)?.lines?.[line - 1];
  return known === undefined ? asyncReplace(colourLine(program, line, text)) : draw(known);
}

async function* colourLine(program: string, line: number, text: string): AsyncGenerator {
  yield shown(text);
  let entry = programs.get(program);
  if (entry === undefined) {
    entry = { asked: ask(program, "typescript").then((spans) => spans && linesOf(spans)) };
    programs.set(program, entry);
    forgetOldest(programs, MOST_PROGRAMS);
  }
  entry.lines = await entry.asked;
  const spans = entry.lines?.[line - 1];
  if (spans !== undefined) yield draw(spans);
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** As it is, and then with ever more colours, a part in each frame. */
async function* colour(code: string, language: string, key: string): AsyncGenerator {
  yield shown(code);
  const spans = await ask(code, language);
  const parts: (readonly CodeSpan[])[] = [];
  for (let at = 0; at < (spans?.length ?? 0); at += SPANS_AT_ONCE)
    parts.push(spans?.slice(at, at + SPANS_AT_ONCE) ?? []);
  kept.set(key, spans === undefined ? undefined : html`${parts.map(draw)}`);
  forgetOldest(kept, MOST_KEPT);
  let left = code;
  for (let count = 1; count <= parts.length; count += 1) {
    left = left.slice((parts[count - 1] ?? []).reduce((sum, { text }) => sum + text.length, 0));
    const drawn = parts.slice(0, count).map((part) => guard([part], () => draw(part)));
    yield html`${drawn}${shown(left)}`;
    if (count < parts.length) await new Promise((next) => requestAnimationFrame(next));
  }
}

function draw(spans: readonly CodeSpan[]): TemplateResult {
  return html`${spans.map(({ text, scope }) => (scope === undefined ? shown(text) : html`<span class="hl-${scope}">${shown(text)}</span>`))}`;
}

function ask(code: string, language: string): Promise<readonly CodeSpan[] | undefined> {
  worker ??= start();
  const id = (ids += 1);
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker?.postMessage({ id, code, language });
  });
}

function start(): Worker {
  const started = new Worker(ownScript(workerAddress), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.spans);
    waiting.delete(data.id);
  });
  // It could not be loaded: code stays plain.
  started.addEventListener("error", () => {
    for (const give of waiting.values()) give(undefined);
    waiting.clear();
  });
  return started;
}
