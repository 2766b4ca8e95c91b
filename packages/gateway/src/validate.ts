import { GatewayError } from "./gateway-error.ts";

/** The part of a zod schema that is used here. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: Issue[] } };
}

interface Issue {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** The body as the schema reads it. Throws `invalid_request`, naming the first invalid field. */
export function validate<T>(schema: Schema<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? "body" : issue.path.map(String).join(".");
  throw new GatewayError("invalid_request", `${field}: ${issue?.message ?? "does not fit"}`, { field });
}
