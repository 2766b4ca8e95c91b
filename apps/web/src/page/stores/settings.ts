import type { SettingRow } from "@deputy/protocol/rpc";
import { batch, type ReadonlySignal, signal } from "@preact/signals-core";
import { failureText } from "../text/words.ts";
import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { type FormKind, formOf, meantBy, textOf } from "@deputy/json-schema/form-fields";

/** What somebody has typed and not saved, or what was refused. */
export interface Draft {
  readonly text: string;
  /** Why it was not saved; empty: nobody has tried. */
  readonly why: string;
  readonly isBusy: boolean;
  /** It was typed before the page was left or loaded again. */
  readonly isKept?: boolean;
}

/** Where what is typed and not saved outlives a look elsewhere and a reload: texts by the name of the setting. */
export interface KeptSettings {
  load(): Promise<Readonly<Record<string, string>>>;
  save(texts: Readonly<Record<string, string>>): void;
}

/** The settings, and what is being changed in them. */
export interface SettingsStore {
  readonly rows: ReadonlySignal<readonly SettingRow[] | undefined>;
  readonly file: ReadonlySignal<string>;
  readonly problems: ReadonlySignal<readonly string[]>;
  /** Why they could not be loaded. */
  readonly message: ReadonlySignal<string>;
  /** By the dotted name of the setting. */
  readonly drafts: ReadonlySignal<ReadonlyMap<string, Draft>>;
  load(): Promise<void>;
  /** Whoever comes back is told what they left. */
  comeBack(): void;
  /** True if something was typed that is kept nowhere. */
  wouldLose(): boolean;
  edit(row: SettingRow, text: string): void;
  discard(row: SettingRow): void;
  /** Saves the draft; one that is refused stays, with the reason. Never rejects. */
  save(row: SettingRow, text?: string): Promise<"saved" | "refused">;
  /** Takes it out of the file. Never rejects. */
  reset(row: SettingRow): Promise<"saved" | "refused">;
}

export const nameOfSetting = ({ path }: Pick<SettingRow, "path">): string => path.join(".");

/** What its control shows of what counts. */
export const textNow = (row: SettingRow): string => textOf(formOf(row.schema), row.value ?? row.default);

/** Controls whose text is saved by a button. */
export const TYPED: ReadonlySet<FormKind["kind"]> = new Set(["text", "number", "lines", "several", "raw"]);

/** Somebody may have typed a secret itself there, and not where it is. */
const mayHoldSecrets = ({ isSecret, path: [first = ""] }: SettingRow): boolean =>
  isSecret ||
  ["mcpServers", "toolSources", "credentials", "adapters", "servers", "providers"].includes(first);

export function createSettingsStore(connection: Pick<Connection, "call">, kept: KeptSettings): SettingsStore {
  const rows = signal<readonly SettingRow[] | undefined>(undefined);
  const file = signal("");
  const problems = signal<readonly string[]>([]);
  const message = signal("");
  const drafts = signal<ReadonlyMap<string, Draft>>(new Map());
  let hash = "";
  let isRestored = false;

  const setDraft = (name: string, draft: Draft | undefined): void => {
    const next = new Map(drafts.peek());
    if (draft === undefined) next.delete(name);
    else next.set(name, draft);
    drafts.value = next;
    if (isRestored)
      kept.save(
        Object.fromEntries(
          [...next].filter(([one]) => isKeepable(one)).map(([one, { text }]) => [one, text]),
        ),
      );
  };
  const isKeepable = (name: string): boolean => {
    const row = rows.peek()?.find((one) => nameOfSetting(one) === name);
    return row !== undefined && !mayHoldSecrets(row) && TYPED.has(formOf(row.schema).kind);
  };
  /** What was typed before, unless it says what counts by now. */
  const restore = (texts: Readonly<Record<string, string>>): void => {
    const next = new Map(drafts.peek());
    for (const row of rows.peek() ?? []) {
      const name = nameOfSetting(row);
      const text = texts[name];
      if (text === undefined || next.has(name) || !isKeepable(name) || text === textNow(row)) continue;
      next.set(name, { text, why: "", isBusy: false, isKept: true });
    }
    isRestored = true;
    drafts.value = next;
  };
  const load = async (): Promise<void> => {
    try {
      const [answer, texts] = await Promise.all([
        connection.call("settings.list", {}),
        isRestored ? undefined : kept.load(),
      ]);
      batch(() => {
        hash = answer.hash;
        rows.value = answer.settings;
        file.value = answer.file;
        problems.value = answer.problems;
        message.value = "";
        if (texts !== undefined && !isRestored) restore(texts);
      });
    } catch (error) {
      message.value = failureText(error);
    }
  };
  const change = async (
    row: SettingRow,
    text: string,
    send: () => Promise<{ hash: string; setting: SettingRow }>,
  ): Promise<"saved" | "refused"> => {
    const name = nameOfSetting(row);
    if (drafts.peek().get(name)?.isBusy === true) return "refused";
    setDraft(name, { text, why: "", isBusy: true });
    try {
      const answer = await send();
      batch(() => {
        hash = answer.hash;
        rows.value = (rows.peek() ?? []).map((one) => (nameOfSetting(one) === name ? answer.setting : one));
        setDraft(name, undefined);
      });
      return "saved";
    } catch (error) {
      const isStale = error instanceof RequestFailed && error.code === "changed_meanwhile";
      if (isStale) await load();
      setDraft(name, { text, why: isStale ? staleText(name) : failureText(error), isBusy: false });
      return "refused";
    }
  };
  /** What the file says now, so that nobody replaces it unseen. */
  const staleText = (name: string): string => {
    const row = rows.peek()?.find((one) => nameOfSetting(one) === name);
    const now =
      row === undefined || row.value === null ? "says nothing about it" : `has ${JSON.stringify(row.value)}`;
    return `The file was changed meanwhile, and nothing was written. It ${now} now. Save again to replace that.`;
  };

  return {
    rows,
    file,
    problems,
    message,
    drafts,
    load,
    comeBack() {
      drafts.value = new Map([...drafts.peek()].map(([name, draft]) => [name, { ...draft, isKept: true }]));
    },
    wouldLose: () => [...drafts.peek().keys()].some((name) => !isKeepable(name)),
    edit(row, text) {
      const isAsBefore = text === textNow(row);
      setDraft(nameOfSetting(row), isAsBefore ? undefined : { text, why: "", isBusy: false });
    },
    discard: (row) => setDraft(nameOfSetting(row), undefined),
    async save(row, given) {
      const name = nameOfSetting(row);
      const text = given ?? drafts.peek().get(name)?.text;
      if (text === undefined) return "saved";
      const meant = meantBy(formOf(row.schema), text);
      if (meant.kind === "unreadable") {
        setDraft(name, { text, why: meant.why, isBusy: false });
        return "refused";
      }
      return await change(row, text, () =>
        meant.kind === "nothing"
          ? connection.call("settings.unset", { path: row.path, baseHash: hash })
          : connection.call("settings.set", { path: row.path, value: meant.value, baseHash: hash }),
      );
    },
    reset: (row) =>
      change(row, textOf(formOf(row.schema), row.default), () =>
        connection.call("settings.unset", { path: row.path, baseHash: hash }),
      ),
  };
}
