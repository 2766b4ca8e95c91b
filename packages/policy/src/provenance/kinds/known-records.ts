import type { ResultRecord } from "../result-leaves.ts";

/** Keeps one of records that are alike: a list that is read again has the same ones in it. */
export interface KnownRecords {
  /** The first record that was like this one. */
  firstAlike(record: ResultRecord): ResultRecord;
}

/** Longer ones are texts, and hardly ever the same; more would be kept for nothing. */
const LONGEST_RECORD = 2_000;
const MOST_RECORDS = 50_000;

/** Takes time linear in the records. */
export function createKnownRecords(): KnownRecords {
  const byText = new Map<string, ResultRecord>();
  const first = new WeakMap<ResultRecord, ResultRecord>();
  const look = (record: ResultRecord): ResultRecord => {
    const length = record.fields.reduce((sum, { value }) => sum + String(value).length, 0);
    if (length > LONGEST_RECORD) return record;
    const text = JSON.stringify(record);
    const known = byText.get(text);
    if (known === undefined && byText.size < MOST_RECORDS) byText.set(text, record);
    return known ?? record;
  };
  return {
    firstAlike(record) {
      const known = first.get(record) ?? look(record);
      first.set(record, known);
      return known;
    },
  };
}
