/** `http://127.0.0.1:1234` means its API, which all such servers have below `/v1`. */
export function withVersion(url: string): string {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.pathname === "/" ? new URL("/v1", parsed).href : url;
}
