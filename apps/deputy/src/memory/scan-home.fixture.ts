import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/**
 * Where a text still is in any file of a home, in any way that a program might write it: the bytes of each file, every
 * value of each database, and what is compressed in either. Each place is given with what follows the text there.
 */
export function scanHome(directory: string, text: string): readonly string[] {
  for (;;)
    try {
      return scanOnce(directory, text);
    } catch (error) {
      // A draft got its lasting name meanwhile, under which it may not have been looked at: all over again.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
}

function scanOnce(directory: string, text: string): readonly string[] {
  const needles = needlesOf(text);
  const found = new Set<string>();
  const look = (where: string, bytes: Uint8Array): void => {
    for (const each of [bytes, ...unpacked(bytes)]) {
      const folded = Buffer.from(each).toString("latin1").toLowerCase();
      for (const needle of needles)
        for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + 1))
          found.add(`${where}: ${JSON.stringify(folded.slice(at, at + needle.length + 16))}`);
    }
  };
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const where = file.slice(directory.length + 1);
    const bytes = readFileSync(file);
    look(where, bytes);
    if (bytes.subarray(0, 15).toString("latin1") === "SQLite format 3")
      for (const [name, value] of valuesOf(file)) look(`${where} ${name}`, value);
  }
  return [...found].toSorted();
}

/** As UTF-8 and UTF-16, in JSON, as hexadecimal, and in base64, wherever in a longer text it begins. */
function needlesOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const inBase64 = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    // The first and the last characters also depend on what is around it.
    return shifted.slice(Math.ceil((shift * 8) / 6) + 1, Math.floor(((shift + bytes.length) * 8) / 6) - 1);
  });
  const written = [
    bytes,
    Buffer.from(text, "utf16le"),
    Buffer.from(text, "utf16le").swap16(),
    Buffer.from(JSON.stringify(text).slice(1, -1)),
    Buffer.from(bytes.toString("hex")),
    ...inBase64.map((each) => Buffer.from(each)),
  ];
  return [...new Set(written.map((each) => each.toString("latin1").toLowerCase()))];
}

/** Each kind of compression, and whether bytes can be of it at all: most are not, and failing costs more than looking. */
const PACKED: readonly (readonly [(bytes: Uint8Array) => Uint8Array, (bytes: Uint8Array) => boolean])[] = [
  [gunzipSync, (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b],
  [inflateSync, ([method = 0, flags = 0]) => (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0],
  [zstdDecompressSync, (bytes) => bytes[0] === 0x28 && bytes[1] === 0xb5],
  // Its beginning can be anything; what is shorter than this holds no text that anybody looks for.
  [brotliDecompressSync, (bytes) => bytes.length > 8],
];

function unpacked(bytes: Uint8Array): readonly Uint8Array[] {
  return PACKED.flatMap(([unpack, canBe]) => {
    if (!canBe(bytes)) return [];
    try {
      return [unpack(bytes)];
    } catch {
      return [];
    }
  });
}

function* valuesOf(file: string): Iterable<[string, Uint8Array]> {
  using db = new DatabaseSync(file, { readOnly: true });
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
    try {
      for (const row of db.prepare(`SELECT * FROM "${String(name)}"`).iterate())
        for (const [column, value] of Object.entries(row)) {
          if (value === null) continue;
          const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
          yield [`${String(name)}.${column}`, bytes];
        }
    } catch {
      // A virtual table without content: its shadow tables are looked at by themselves.
    }
}
