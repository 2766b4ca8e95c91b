/** The words of an identifier, in lower case: `EpicFHIRGetPatient`, `get_patient-v2` and `pets/{petId}` alike. */
export function splitWords(identifier: string): readonly string[] {
  return identifier
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}
