import { expect, test } from "vitest";
import type { PolicyTool } from "../../policy.ts";
import { judgeOrigins } from "../judge-origins.ts";
import { createOriginIndex } from "../origin-index.ts";

// A word that names a thing of one kind explains no argument of another kind.
const renew: PolicyTool = {
  path: "practice.renewPrescription",
  approval: "auto",
  effect: "egress",
  critical: ["prescriptionId", "pharmacy"],
  inputSchema: {
    type: "object",
    properties: { prescriptionId: { type: "string" }, pharmacy: { type: "string" } },
    required: ["prescriptionId"],
  },
};
const DRUGS = [
  { prescriptionId: "R12", drug: "Metformin", note: "With meals." },
  { prescriptionId: "R13", drug: "Snow Drops", note: "Mornings." },
];

interface Listing {
  readonly tool?: PolicyTool;
  readonly rows?: readonly object[];
  readonly values?: readonly string[];
}

function found(
  said: string,
  input: unknown,
  { tool = renew, rows = DRUGS, values = ["*.prescriptionId", "*.drug"] }: Listing = {},
): readonly string[] {
  const index = createOriginIndex();
  index.addUser(said, "2026-05-15");
  index.addResult({ source: "practice.listPrescriptions", trust: { values } }, rows);
  return judgeOrigins({ tool, input, origins: index.origins() }).map(({ path }) => path);
}

test.each([
  ["Renew the metformin", "Metformin"],
  ["Renew the Metformin", "Metformin"],
  ["Renew the prescription called Metformin", "Metformin"],
  ["Renew the Snow Drops", "Snow Drops"],
  ["Please renew Snow Drops for 3 months", "Snow Drops"],
])("[YP124] what names a medicine is no pharmacy: %s", (said, drug) => {
  const prescriptionId = drug === "Metformin" ? "R12" : "R13";
  expect(found(said, { prescriptionId })).toEqual([]);
  expect(found(said, { prescriptionId, pharmacy: drug })).toEqual(["pharmacy"]);
});

test.each([
  ["Renew the metformin at the pharmacy Metformin", "Metformin"],
  ["Renew the metformin at Metformin", "Metformin"],
  ["Renew the metformin at Boots", "Boots"],
  ["Renew prescription R12 at Snow Drops", "Snow Drops"],
])("[YP124] it is where it stands beside the word for one, or behind a preposition: %s", (said, pharmacy) => {
  expect(found(said, { prescriptionId: "R12", pharmacy })).toEqual([]);
});

test("[YP124] nor where no source vouches for what the word names: it explains one of two arguments", () => {
  const rows = [{ prescriptionId: "R12", title: "Metformin" }];
  const values = ["*.prescriptionId", "*.title"];
  expect(
    found("Renew the metformin", { prescriptionId: "R12", pharmacy: "Metformin" }, { rows, values }),
  ).toEqual(["pharmacy"]);
});

const book: PolicyTool = {
  path: "travel.book",
  approval: "auto",
  effect: "egress",
  critical: ["hotel", "city"],
  inputSchema: {
    type: "object",
    properties: { hotel: { type: "string" }, city: { type: "string" } },
    required: ["hotel"],
  },
};

test("[YP124] one word is not two things, whatever any source knows: the required argument has it", () => {
  const rows = [{ review: "Nice." }];
  const options = { tool: book, rows, values: [] };
  expect(found("Book the Aurora", { hotel: "Aurora" }, options)).toEqual([]);
  expect(found("Book the Aurora", { hotel: "Aurora", city: "Aurora" }, options)).toEqual(["city"]);
  expect(
    found("Book the Aurora in the city of Aurora", { hotel: "Aurora", city: "Aurora" }, options),
  ).toEqual([]);
});

const forward: PolicyTool = {
  path: "practice.forward",
  approval: "auto",
  effect: "egress",
  critical: ["prescriptionId", "to", "title"],
};

test("[YP124] somebody is who gets something, too, and a title says what it is about", () => {
  const rows = [{ prescriptionId: "R12", patient: "Lotte Brandt" }];
  const options = { tool: forward, rows, values: ["*.prescriptionId", "*.patient"] };
  const input = { prescriptionId: "R12", to: "Lotte Brandt" };
  expect(found("Forward Lotte Brandt her prescription", input, options)).toEqual([]);
  expect(
    found(
      "Forward the metformin to Lotte Brandt, titled Metformin",
      {
        prescriptionId: "R12",
        title: "Metformin",
        to: "Lotte Brandt",
      },
      { tool: forward, rows: DRUGS, values: ["*.prescriptionId", "*.drug"] },
    ),
  ).toEqual([]);
});
