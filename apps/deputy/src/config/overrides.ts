/** Environment variables that override a setting. */
const OVERRIDES: readonly (readonly [
  setting: string,
  variable: "DEPUTY_HOST" | "DEPUTY_PORT" | "DEPUTY_MODEL",
])[] = [
  ["gateway.host", "DEPUTY_HOST"],
  ["gateway.port", "DEPUTY_PORT"],
  ["model", "DEPUTY_MODEL"],
  ["agent.model", "DEPUTY_MODEL"],
];

export interface Override {
  readonly variable: string;
  readonly value: string | number;
}

/** The value that the environment gives for a setting, if any. */
export function overrideOf(path: readonly string[], env: NodeJS.ProcessEnv): Override | undefined {
  const [, variable] = OVERRIDES.find(([setting]) => setting === path.join(".")) ?? [];
  const given = variable === undefined ? undefined : env[variable];
  if (variable === undefined || given === undefined || given === "") return undefined;
  return { variable, value: variable === "DEPUTY_PORT" && /^\d+$/.test(given) ? Number(given) : given };
}
