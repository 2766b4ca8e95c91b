/** Where spans go; the first that is set holds. */
export const ENDPOINTS: readonly string[] = [
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/**
 * True if the environment says where spans go, in the words of OpenTelemetry. It is asked at every start, so what
 * exports them is elsewhere and loads only then.
 */
export function wantsTracing(env: NodeJS.ProcessEnv): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  const exporter = env["OTEL_TRACES_EXPORTER"] ?? "";
  if (exporter !== "") return exporter !== "none";
  return ENDPOINTS.some((name) => (env[name] ?? "") !== "");
}
