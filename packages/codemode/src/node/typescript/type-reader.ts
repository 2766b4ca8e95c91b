import type * as TypeScript from "typescript/unstable/async";
import type { Member, TypeFacts } from "../../checker/compiler-diagnostic.ts";

/** Further ones are counted, not printed. */
const MAX_MEMBERS = 12;
/** A longer enumeration is not searched for the nearest. */
const MAX_LITERALS = 1_000;

/** Describes what the checker knows about a type; every question costs a round trip. */
export interface TypeReader {
  /** Without `members` if they are not printed. */
  read(type: TypeScript.Type, detail: "names" | "members"): Promise<TypeFacts>;
}

export function createTypeReader(typescript: typeof TypeScript, checker: TypeScript.Checker): TypeReader {
  const { TypeFlags, SymbolFlags, NodeBuilderFlags } = typescript;

  /** With its top-level names resolved, so that its structure shows. */
  const print = (type: TypeScript.Type): Promise<string> =>
    checker.typeToString(
      type,
      undefined,
      NodeBuilderFlags.InTypeAlias | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope,
    );

  const kindOf = async (type: TypeScript.Type): Promise<TypeFacts["kind"]> => {
    if (!type.isObjectType() && !type.isIntersectionType()) return "other";
    const [isArray, symbol] = await Promise.all([checker.isArrayLikeType(type), type.getSymbol()]);
    return isArray ? "array" : symbol?.name === "Promise" ? "promise" : "object";
  };

  const propertiesOf = async (type: TypeScript.Type): Promise<readonly TypeScript.Symbol[]> => {
    if ((type.flags & (TypeFlags.Unknown | TypeFlags.Any | TypeFlags.Never)) !== 0) return [];
    const isPlain = type.isObjectType() || type.isIntersectionType() || type.isUnionType();
    const owner = isPlain ? type : ((await checker.getApparentType(type)) ?? type);
    return (await checker.getPropertiesOfType(owner)).filter(({ name }) => isWritten(name));
  };

  const elementOf = async (type: TypeScript.Type): Promise<TypeScript.Type | undefined> => {
    const [element] = type.isTypeReference() ? await checker.getTypeArguments(type) : [];
    return element?.isObjectType() === true ? element : undefined;
  };

  const membersOf = async (all: readonly TypeScript.Symbol[]): Promise<readonly Member[]> => {
    const isRequired = ({ flags }: TypeScript.Symbol): boolean => (flags & SymbolFlags.Optional) === 0;
    const [required, optional] = [all.filter(isRequired), all.filter((symbol) => !isRequired(symbol))];
    const shown = [...required, ...optional].slice(0, MAX_MEMBERS);
    const types = shown.length === 0 ? [] : await checker.getTypeOfSymbol(shown);
    const member = async (symbol: TypeScript.Symbol, type: TypeScript.Type | undefined): Promise<Member> => ({
      name: symbol.name,
      type: type === undefined ? "unknown" : await print(type),
      isRequired: isRequired(symbol),
    });
    return await Promise.all(shown.map((symbol, index) => member(symbol, types[index])));
  };

  const literalsOf = async (type: TypeScript.Type): Promise<readonly string[]> => {
    const parts = type.isUnionType() ? await type.getTypes() : [type];
    if (parts.length > MAX_LITERALS) return [];
    return parts.flatMap((part) =>
      part.isStringLiteralType() || part.isNumberLiteralType() ? [JSON.stringify(part.value)] : [],
    );
  };

  return {
    async read(type, detail) {
      const present = (await checker.getNonNullableType(type)) ?? type;
      const [text, kind, properties, literals] = await Promise.all([
        print(type),
        (type.flags & TypeFlags.Unknown) === 0 ? kindOf(present) : ("unknown" as const),
        propertiesOf(present),
        literalsOf(present),
      ]);
      const element = kind === "array" && detail === "members" ? await elementOf(present) : undefined;
      const printed =
        element === undefined ? (kind === "object" ? properties : []) : await propertiesOf(element);
      return {
        text,
        kind,
        members: detail === "members" ? await membersOf(printed) : [],
        memberNames: properties.map(({ name }) => name),
        literals,
      };
    },
  };
}

/** Not the name of a symbol, nor one of the checker's own. */
function isWritten(name: string): boolean {
  return !name.startsWith("__@") && !name.startsWith("\u00fe");
}
