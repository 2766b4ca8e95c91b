import { remembered } from "../remembered.ts";

/** The words of an identifier, in lower case: `EpicFHIRGetPatient`, `get_patient-v2` and `pets/{petId}` alike. */
export const splitWords = remembered((identifier: string): readonly string[] => {
  // What most names are.
  if (/^[a-z]+$/.test(identifier)) return [identifier];
  return identifier
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
});
