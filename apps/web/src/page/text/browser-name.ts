/** “Firefox on Linux”, as far as it says so. */
export function browserName(client: string): string {
  const browser = /(Edg|Firefox|Chrome|Safari)[/ ]/.exec(client)?.[1]?.replace("Edg", "Edge");
  const system = /(Android|iPhone|iPad|Windows|Mac OS|Linux)/.exec(client)?.[1];
  if (browser === undefined) return client === "" ? "A browser" : client.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
