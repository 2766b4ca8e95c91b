import { z } from "zod";
import { readJson } from "../typed/read-json.ts";

const json = z.record(z.string(), z.unknown());
const call = z.object({
  function: z.string(),
  args: json,
  /** With `⟦INJ:vector⟧` where an attacker's text would stand. */
  result_template: z.unknown().optional(),
  result: z.unknown().optional(),
  vectors_seen: z.array(z.string()).optional(),
});
const patch = z.array(
  z.object({ op: z.enum(["add", "replace", "remove"]), path: z.string(), value: z.unknown() }),
);
const task = z.object({ id: z.string(), calls: z.array(call), state_diff: patch.optional() });
const suite = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      parameters: json,
      effect: z.enum(["read", "write", "egress", "destructive"]),
    }),
  ),
  environment: json,
  environment_template: json,
  injection_vectors: z.array(z.object({ id: z.string(), default: z.string() })),
  user_tasks: z.array(task.extend({ prompt: z.string() })),
  injection_tasks: z.array(task.extend({ goal: z.string() })),
});

export type Suite = z.infer<typeof suite>;
export type UserTask = Suite["user_tasks"][number];
export type InjectionTask = Suite["injection_tasks"][number];
export type TaskCall = z.infer<typeof call>;
export type StateChange = z.infer<typeof patch>[number];
export type Json = z.infer<typeof json>;

export async function readSuites(directory: string): Promise<ReadonlyMap<string, Suite>> {
  const file = z.object({ suites: z.record(z.string(), suite) });
  const { suites } = await readJson(directory, "agentdojo-banking-slack.json", file);
  return new Map(Object.entries(suites));
}

/** The same value with text in place of every vector's mark. */
export function fillVectors(value: unknown, textOf: (vector: string) => string): unknown {
  const filled = (text: string): string => text.replaceAll(/⟦INJ:([^⟧]+)⟧/g, (_, id: string) => textOf(id));
  if (typeof value === "string") return filled(value);
  if (Array.isArray(value)) return value.map((element) => fillVectors(element, textOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [filled(key), fillVectors(member, textOf)]),
  );
}

export function defaultsOf({ injection_vectors }: Suite): (vector: string) => string {
  const defaults = new Map(injection_vectors.map(({ id, default: text }) => [id, text]));
  return (vector) => (defaults.get(vector) ?? "").replaceAll("\\t", "\t").replaceAll("\\n", "\n");
}
