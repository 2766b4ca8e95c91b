import { isRecord } from "@deputy/kit";
import { ToolsError } from "./tools-error.ts";

const APPROVALS: ReadonlySet<unknown> = new Set(["auto", "required"]);
const EFFECTS: ReadonlySet<unknown> = new Set(["read", "write", "egress", "destructive"]);
const KNOWN: ReadonlySet<string> = new Set([
  "description",
  "approval",
  "effect",
  "idempotent",
  "critical",
  "terms",
  "grantable",
  "anyValues",
  "isLocal",
  "circumstances",
  "grounds",
  "boundInPlans",
  "changed",
  "identity",
  "trust",
  "source",
  "quotes",
  "credentials",
  "limits",
  "throws",
  "examples",
  "args",
  "returns",
  "run",
  "formatApproval",
]);

export function isApprovalMode(value: unknown): boolean {
  return APPROVALS.has(value);
}

export function isEffect(value: unknown): boolean {
  return EFFECTS.has(value);
}

/** Throws `invalid_tool`, naming the tool as `name` and everything that is wrong with it. */
export function validateDefinition(definition: unknown, name: string): void {
  const problems = problemsOf(definition);
  if (problems.length === 0) return;
  throw new ToolsError("invalid_tool", `${name} is not valid: ${problems.join("; ")}`);
}

function problemsOf(definition: unknown): readonly string[] {
  if (typeof definition !== "object" || definition === null) return ["its definition is not an object"];
  const field = (name: string): unknown => Reflect.get(definition, name);
  const isAbsentOr = (name: string, fits: (value: unknown) => boolean): boolean =>
    field(name) === undefined || fits(field(name));
  const description = field("description");
  const checks: readonly (readonly [boolean, string])[] = [
    [typeof description === "string" && description.trim() !== "", "description must say what it does"],
    [isApprovalMode(field("approval")), 'approval must be "auto" or "required"'],
    [isAbsentOr("effect", isEffect), `effect must be one of ${[...EFFECTS].join(", ")}`],
    [isAbsentOr("idempotent", (value) => typeof value === "boolean"), "idempotent must be true or false"],
    [isAbsentOr("critical", isListOfNames), "critical must be a list of argument names"],
    [isAbsentOr("terms", (value) => typeof value === "function"), "terms must be a function"],
    [
      isAbsentOr("grantable", (value) => value === "tool" || value === "input"),
      'grantable must be "tool" or "input"',
    ],
    [isAbsentOr("anyValues", (value) => typeof value === "boolean"), "anyValues must be true or false"],
    [isAbsentOr("isLocal", (value) => typeof value === "boolean"), "isLocal must be true or false"],
    [isAbsentOr("trust", isTrust), 'trust must be "trusted", "untrusted" or { values: [paths] }'],
    [isAbsentOr("circumstances", (value) => typeof value === "function"), "circumstances must be a function"],
    [isAbsentOr("grounds", (value) => typeof value === "function"), "grounds must be a function"],
    [isAbsentOr("boundInPlans", (value) => value === "grounds"), 'boundInPlans must be "grounds"'],
    [isAbsentOr("changed", (value) => typeof value === "function"), "changed must be a function"],
    [isAbsentOr("identity", (value) => typeof value === "string"), "identity must be a text"],
    [isAbsentOr("source", (value) => typeof value === "function"), "source must be a function"],
    [isAbsentOr("quotes", (value) => typeof value === "function"), "quotes must be a function"],
    [isAbsentOr("credentials", isNamesWithText), "credentials must say what each named secret is for"],
    [isAbsentOr("limits", isLimits), "limits must hold positive timeoutMs and resultChars, and nothing else"],
    [isAbsentOr("throws", isListOfCodes), "throws must be a list of codes such as not_found"],
    [isAbsentOr("examples", isListOfExamples), "examples must be a list of { input, note? }"],
    [isZodSchema(field("args")), "args must be a zod schema"],
    [isAbsentOr("returns", isZodSchema), "returns must be a zod schema"],
    [typeof field("run") === "function", "run must be a function"],
    [
      isAbsentOr("formatApproval", (value) => typeof value === "function"),
      "formatApproval must be a function",
    ],
    ...Object.keys(definition).map((key) => [KNOWN.has(key), `it has no setting ${key}`] as const),
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

const CODE = /^[A-Za-z][\w-]{0,63}$/;

function isListOfCodes(value: unknown): boolean {
  return isListOfNames(value) && (value as readonly string[]).every((code) => CODE.test(code));
}

const CREDENTIAL = /^[A-Za-z][\w-]{0,63}$/;

function isNamesWithText(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([name, what]) => CREDENTIAL.test(name) && typeof what === "string" && what.trim() !== "",
  );
}

const PATH = /^[^.]+(?:\.[^.]+)*$/;

function isTrust(value: unknown): boolean {
  if (value === "trusted" || value === "untrusted") return true;
  if (typeof value !== "object" || value === null || Object.keys(value).join() !== "values") return false;
  const paths: unknown = Reflect.get(value, "values");
  return Array.isArray(paths) && paths.every((path) => typeof path === "string" && PATH.test(path));
}

const LIMITS: ReadonlySet<string> = new Set(["timeoutMs", "resultChars"]);

function isLimits(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).every(
    ([name, limit]) => LIMITS.has(name) && (limit === undefined || (Number.isInteger(limit) && limit > 0)),
  );
}

function isListOfExamples(value: unknown): boolean {
  const isExample = (example: unknown): boolean =>
    typeof example === "object" &&
    example !== null &&
    "input" in example &&
    (!("note" in example) || typeof example.note === "string");
  return Array.isArray(value) && value.every(isExample);
}

/** Recognised by its mark and not by its class, because a plugin may have its own zod. */
function isZodSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_zod" in value;
}
