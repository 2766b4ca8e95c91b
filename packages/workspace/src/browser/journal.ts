import type { SyncHandle } from "./opfs.ts";

/** What happened to a workspace, in the order in which it did. */
export type Note =
  /** A file of the tree. With `sha256`, its bytes belong to the base, too. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly executable: boolean;
      readonly sha256?: string;
    }
  | { readonly kind: "gone" | "folder" | "no_folder"; readonly path: string }
  | { readonly kind: "content"; readonly sha256: string }
  | { readonly kind: "base" | "snapshots" };

export interface Entry {
  readonly note: Note;
  /** Where the record begins. */
  readonly at: number;
  readonly bytes: { readonly at: number; readonly length: number };
}

/** A file of records, which only grows. A record that a crash cut off is as if it had not been written. */
export interface Journal {
  /** What was added since the last call, by whomever. */
  readNew(): readonly Entry[];
  /** Adds a record and gives its entry. Only after `readNew`, and by one at a time. */
  append(note: Note, bytes: Uint8Array): Entry;
  read(place: Entry["bytes"]): Uint8Array;
  /** Where the next record will begin. */
  end(): number;
  /** What was appended survives the end of the machine, too. */
  flush(): void;
  close(): void;
}

const MAGIC = 0x4450_574a;
/** Magic, length of the note, length of the bytes, sum of both. */
const HEAD = 16;

export function openJournal(handle: SyncHandle): Journal {
  let end = 0;

  const take = (at: number, length: number): Uint8Array => {
    const into = new Uint8Array(length);
    return into.subarray(0, handle.read(into, { at }));
  };
  const readOne = (
    at: number,
    size: number,
  ): { readonly entry: Entry; readonly next: number } | undefined => {
    if (at + HEAD > size) return undefined;
    const head = new DataView(take(at, HEAD).buffer);
    const [magic, noteLength, length, sum] = [0, 4, 8, 12].map((place) => head.getUint32(place)) as [
      number,
      number,
      number,
      number,
    ];
    const next = at + HEAD + noteLength + length;
    if (magic !== MAGIC || next > size) return undefined;
    const body = take(at + HEAD, noteLength + length);
    if (body.length !== noteLength + length || sumOf(body) !== sum) return undefined;
    const note = JSON.parse(new TextDecoder().decode(body.subarray(0, noteLength))) as Note;
    return { entry: { note, at, bytes: { at: at + HEAD + noteLength, length } }, next };
  };

  return {
    readNew() {
      const size = handle.getSize();
      const entries: Entry[] = [];
      for (let found = readOne(end, size); found !== undefined; found = readOne(end, size)) {
        entries.push(found.entry);
        end = found.next;
      }
      return entries;
    },
    append(note, bytes) {
      const text = new TextEncoder().encode(JSON.stringify(note));
      const record = new Uint8Array(HEAD + text.length + bytes.length);
      record.set(text, HEAD);
      record.set(bytes, HEAD + text.length);
      const head = new DataView(record.buffer);
      head.setUint32(0, MAGIC);
      head.setUint32(4, text.length);
      head.setUint32(8, bytes.length);
      head.setUint32(12, sumOf(record.subarray(HEAD)));
      // What a crash left half written.
      if (handle.getSize() > end) handle.truncate(end);
      const at = end;
      if (handle.write(record, { at }) !== record.length) {
        handle.truncate(at);
        throw new Error("A record could not be written whole.");
      }
      end += record.length;
      return { note, at, bytes: { at: at + HEAD + text.length, length: bytes.length } };
    },
    read: ({ at, length }) => take(at, length),
    end: () => end,
    flush: () => handle.flush(),
    close: () => handle.close(),
  };
}

const SUMS = Uint32Array.from({ length: 256 }, (_, n) => {
  let sum = n;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ 0xedb8_8320;
  return sum;
});

/** CRC-32. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) sum = (SUMS[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffff_ffff) >>> 0;
}
