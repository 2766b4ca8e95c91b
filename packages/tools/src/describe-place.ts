/** A place inside a JSON Schema in the words of whoever reads its values: `args.pairs[][0].since`. */
export function describePlace(part: string, path: readonly (string | number)[]): string {
  let place = part;
  for (let index = 0; index < path.length; index++) {
    const keyword = path[index];
    switch (keyword) {
      case "properties":
        place += `.${path[++index] ?? ""}`;
        break;
      case "items":
        place += "[]";
        break;
      case "prefixItems":
        place += `[${path[++index] ?? ""}]`;
        break;
      case "additionalProperties":
        place += ".*";
        break;
      case "patternProperties":
        place += ".*";
        index++;
        break;
      case "propertyNames":
        place += " (its keys)";
        break;
      // Alternatives stand at the same place: `anyOf`, and the number after it.
      default:
    }
  }
  return place;
}
