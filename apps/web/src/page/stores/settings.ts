import type { SettingRow } from "@deputy/protocol/rpc";
import { batch, type ReadonlySignal, signal } from "@preact/signals-core";
import { failureText } from "../text/words.ts";
import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { formOf, meantBy, textOf } from "./setting-form.ts";

/** What somebody has typed and not saved, or what was refused. */
export interface Draft {
  readonly text: string;
  /** Why it was not saved; empty: nobody has tried. */
  readonly why: string;
  readonly isBusy: boolean;
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
  edit(row: SettingRow, text: string): void;
  discard(row: SettingRow): void;
  /** Saves the draft; one that is refused stays, with the reason. Never rejects. */
  save(row: SettingRow, text?: string): Promise<"saved" | "refused">;
  /** Takes it out of the file. Never rejects. */
  reset(row: SettingRow): Promise<"saved" | "refused">;
}

export const nameOfSetting = ({ path }: Pick<SettingRow, "path">): string => path.join(".");

export function createSettingsStore(connection: Pick<Connection, "call">): SettingsStore {
  const rows = signal<readonly SettingRow[] | undefined>(undefined);
  const file = signal("");
  const problems = signal<readonly string[]>([]);
  const message = signal("");
  const drafts = signal<ReadonlyMap<string, Draft>>(new Map());
  let hash = "";

  const setDraft = (name: string, draft: Draft | undefined): void => {
    const next = new Map(drafts.peek());
    if (draft === undefined) next.delete(name);
    else next.set(name, draft);
    drafts.value = next;
  };
  const load = async (): Promise<void> => {
    try {
      const answer = await connection.call("settings.list", {});
      batch(() => {
        hash = answer.hash;
        rows.value = answer.settings;
        file.value = answer.file;
        problems.value = answer.problems;
        message.value = "";
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
    edit(row, text) {
      const isAsBefore = text === textOf(formOf(row.schema), row.value ?? row.default);
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
