import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkForm } from "./form-check.ts";

const schema = {
  type: "object",
  properties: {
    mail: { type: "string", format: "email" },
    site: { type: "string", format: "uri" },
    day: { type: "string", format: "date" },
    at: { type: "string", format: "date-time" },
    other: { type: "string", format: "hostname" },
    count: { type: "integer" },
  },
  required: ["mail"],
};

test.each<[Readonly<Record<string, unknown>>, readonly string[]]>([
  [{ mail: "ada@example.org" }, []],
  [{ mail: "ada" }, ["mail: must be a mail address"]],
  [{ mail: "" }, ["mail: must be a mail address"]],
  [{ mail: "Ada <ada@example.org>" }, ["mail: must be a mail address"]],
  [{ mail: 7 }, ["mail: must be string, not number"]],
  [{}, ["mail: is missing"]],
  [{ mail: "a@b", site: "https://example.org/a?b=c#d" }, []],
  [{ mail: "a@b", site: "urn:isbn:1" }, []],
  [{ mail: "a@b", site: "example.org" }, ["site: must be a whole address, such as https://example.org"]],
  [{ mail: "a@b", day: "2028-02-29" }, []],
  [{ mail: "a@b", day: "2026-02-29" }, ["day: must be a date, such as 2026-01-31"]],
  [{ mail: "a@b", day: "tomorrow" }, ["day: must be a date, such as 2026-01-31"]],
  [{ mail: "a@b", at: "2026-01-31T09:00:00Z" }, []],
  [{ mail: "a@b", at: "2026-01-31t09:00:00.25+05:30" }, []],
  [
    { mail: "a@b", at: "2026-01-31T09:00:00" },
    ["at: must be a date and time with its zone, such as 2026-01-31T09:00:00Z"],
  ],
  [
    { mail: "a@b", at: "2026-01-31" },
    ["at: must be a date and time with its zone, such as 2026-01-31T09:00:00Z"],
  ],
  // Formats that no form of MCP's has are left to whoever asked.
  [{ mail: "a@b", other: "not a host" }, []],
  [{ mail: "no", count: "many" }, ["count: must be integer, not string", "mail: must be a mail address"]],
])("[JS3] what a form is filled with has the formats of its fields: %j", (value, problems) => {
  expect(checkForm(schema, value)).toEqual(problems);
});

test("[JS3] no schema and no value makes the check of a form throw", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (any, value) => {
      checkForm(any, value);
      checkForm({ properties: any }, value);
      checkForm({ properties: { a: { format: any } } }, { a: "x" });
    }),
  );
});
