import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import { createIdSource, type IdKind, idPrefixes, idTimeMs, parseId } from "./id.ts";

const kinds = Object.keys(idPrefixes) as IdKind[];
const LAST_ULID_MS = 2 ** 48 - 1;

function setup(options: { readonly fillRandom?: (bytes: Uint8Array) => void } = {}) {
  const time = { ms: 1_700_000_000_000 };
  const clock: Clock = { now: () => time.ms, monotonicMs: () => time.ms, sleep: async () => {} };
  return { time, ids: createIdSource({ clock, ...options }) };
}

test("[K7] an id is a prefix and a ULID", () => {
  const { ids } = setup();
  for (const kind of kinds)
    expect(ids.next(kind)).toMatch(new RegExp(`^${idPrefixes[kind]}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`));
});

test("[K7] prefixes are distinct and have the same length", () => {
  const prefixes = Object.values(idPrefixes);
  expect(new Set(prefixes).size).toBe(prefixes.length);
  expect(new Set(prefixes.map((prefix) => prefix.length))).toEqual(new Set([3]));
});

test("[K7] two sources do not make the same ids", () => {
  const [a, b] = [setup().ids, setup().ids];
  const made = Array.from({ length: 500 }, () => [a.next("event"), b.next("event")]).flat();
  expect(new Set(made).size).toBe(1_000);
});

test("[K8] ids sort in the order of creation, even if the clock goes back", () => {
  const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(steps, (deltas) => {
      const { time, ids } = setup();
      const made = deltas.flatMap((delta) => {
        time.ms += delta;
        return [ids.next("event"), ids.next("event")];
      });
      expect(made).toEqual(made.toSorted());
      expect(new Set(made).size).toBe(made.length);
    }),
  );
});

test("[K8] accepts fractions of a millisecond and times before 1970", () => {
  const { time, ids } = setup();
  time.ms = -3;
  const first = ids.next("call");
  time.ms = 0.75;
  const second = ids.next("call");
  time.ms = 1.5;
  const third = ids.next("call");
  expect([first, second, third].map((id) => parseId("call", id))).toEqual([first, second, third].toSorted());
  expect([idTimeMs(first), idTimeMs(third)]).toEqual([0, 1]);
});

test("[K8] borrows the next millisecond when the random part overflows", () => {
  const { time, ids } = setup({ fillRandom: (bytes) => void bytes.fill(255) });
  const first = ids.next("event");
  const second = ids.next("event");
  expect(first.endsWith("Z".repeat(16))).toBe(true);
  expect(second.endsWith("0".repeat(16))).toBe(true);
  expect(idTimeMs(second)).toBe(time.ms + 1);
  time.ms += 1;
  expect(second < ids.next("event")).toBe(true);
});

test("[K9] reads the time back from an id", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_ULID_MS }), fc.constantFrom(...kinds), (ms, kind) => {
      const { time, ids } = setup();
      time.ms = ms;
      const id = ids.next(kind);
      expect(idTimeMs(id)).toBe(ms);
      expect(parseId(kind, id)).toBe(id);
    }),
  );
});

test("[K9] parseId refuses everything that is not an id of the kind", () => {
  const id = setup().ids.next("turn");
  for (const kind of kinds) expect(parseId(kind, id)).toBe(kind === "turn" ? id : undefined);
  const wrong = [
    "",
    "trn_",
    id.toLowerCase(),
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id}`,
    id.replace("_", "-"),
    `trn_8${id.slice(5)}`,
    `trn_${"U".repeat(26)}`,
  ];
  for (const text of wrong) expect(parseId("turn", text), text).toBeUndefined();
});
