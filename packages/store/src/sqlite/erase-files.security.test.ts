import { readdirSync } from "node:fs";
import type { EventId } from "@deputy/kit";
import { expect, test } from "vitest";
import { type Home, message, setUpHome } from "./store.fixture.ts";

function filesHolding(home: Home, text: string): string[] {
  return readdirSync(home.directory).filter((name) => home.bytes(name).includes(text));
}

test("[S19] no file contains an erased payload, small or large, old or new", async () => {
  const home = setUpHome();
  const { log } = await home.open();
  const events = new Map<string, EventId>();
  for (let n = 0; n < 200; n++) {
    const secret = `secret-${n}-`;
    const texts = [secret.repeat(1 + (n % 7) * 20), "noise ".repeat(n % 11)];
    const [stored] = await log.append("system", texts.map(message));
    if (stored !== undefined) events.set(secret, stored.id);
  }
  const secrets = [...events.keys()];
  expect(filesHolding(home, "secret-0-")).not.toEqual([]);
  // In an order that empties pages, merges neighbours and leaves gaps.
  for (const keep of [2, 3, 5, 1]) {
    for (const [n, secret] of secrets.entries()) {
      const id = events.get(secret);
      if (n % keep !== 0 || id === undefined) continue;
      await log.erase(id, "ann");
      events.delete(secret);
    }
    for (const secret of secrets.filter((one) => !events.has(one))) {
      expect(filesHolding(home, secret), secret).toEqual([]);
    }
  }
  expect(await log.verify()).toMatchObject({ erased: 200, damage: [] });
});
