import { expect, test } from "vitest";
import { descriptionEffect } from "./description-effect.ts";

test.each([
  ["", "unknown"],
  ["Frobnicates pets", "unknown"],
  ["Gets a pet", "read"],
  ["This tool can be used to list pets", "read"],
  ["Please, list pets", "read"],
  ["\n\n Lists pets", "read"],
  ["Return the pets", "read"],
  ["Returns the pets", "read"],
  ["Returning pets", "write"],
])("[YI2] %j: %s", (description, kind) => {
  expect(descriptionEffect(description)).toBe(kind);
});

test.each([
  ["Lists pets. Deletes, then mails them", "read"],
  ["Lists pets! And deletes them", "read"],
  ["Lists pets\n \nand deletes them", "read"],
  ["Lists pets\n\nand deletes them", "read"],
  ["Lists pets\nand deletes them", "destructive"],
  ["Lists v1.2 pets and deletes them", "destructive"],
])("[YI2] only the first sentence counts, in %j: %s", (description, kind) => {
  expect(descriptionEffect(description)).toBe(kind);
});

test.each(["allow", "allows", "let", "lets", "enable", "enables", "help", "helps"])(
  "[YI2] who is helped to do it does not matter: %s",
  (helper) => {
    for (const helped of ["you to", "your", "the", "user", "users", "agent", "agents", "us", "one", "to", ""])
      expect(descriptionEffect(`${helper} ${helped} list pets`), helped).toBe("read");
  },
);

test.each(["Allow", "Allows", "Enable", "Enables"])("[YI2] %s alone is an act", (verb) => {
  expect(descriptionEffect(`${verb} guests`)).toBe("write");
});

test.each("perform performs performing conduct conducts do does carry carries".split(" "))(
  "[YI1] what %s says is in the thing, and within reach",
  (verb) => {
    expect(descriptionEffect(`${verb} a reverse phone lookup`)).toBe("read");
    expect(descriptionEffect(`${verb} a big new old web query`)).toBe("read");
    expect(descriptionEffect(`${verb} a big new old red web query`)).toBe("unknown");
    expect(descriptionEffect(`${verb} a backup`)).toBe("unknown");
  },
);

test.each(["run", "runs", "execute", "executes"])(
  "[YI2] %s a search looks; a query may do anything",
  (verb) => {
    expect(descriptionEffect(`${verb} a search`)).toBe("read");
    expect(descriptionEffect(`${verb} a query`)).toBe("destructive");
  },
);

test.each([
  ["View, update, or cancel pets", "destructive"],
  ["View or send mail", "egress"],
  ["View then send mail", "egress"],
  ["View/send mail", "egress"],
  ["View & send mail", "egress"],
  ["View and, send mail", "egress"],
  ["List orders, sorted", "read"],
  ["List pets and orders", "read"],
  ["Lists pets and mails them", "egress"],
  ["Lists pets and cats, them", "read"],
  ["To use and call the service, list pets", "read"],
])("[YI2] joined acts count, joined things do not: %j is %s", (description, kind) => {
  expect(descriptionEffect(description)).toBe(kind);
});
