import { expect, test } from "vitest";
import { splitWords } from "./split-words.ts";

test.each([
  ["EpicFHIRGetPatient", ["epic", "fhir", "get", "patient"]],
  ["get_patient-v2", ["get", "patient", "v2"]],
  ["v2Beta", ["v2", "beta"]],
  ["pets/{petId}", ["pets", "pet", "id"]],
  ["_.ABC--", ["abc"]],
  ["äÖÜber", ["ä", "ö", "über"]],
  ["", []],
])("[YI1] the words of %j are %j", (identifier, words) => {
  expect(splitWords(identifier)).toEqual(words);
});
