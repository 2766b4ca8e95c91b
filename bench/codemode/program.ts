/**
 * Runs a program, the body of an async function, in a new context in which `tools.issues.get` is answered at
 * once. Input and result cross as JSON, as they must if the program is not trusted.
 */
export type Run = (code: string) => Promise<unknown>;

export function answerJson(inputJson: string): string {
  return `{"title":"The importer fails","state":"open","asked":${inputJson}}`;
}

/** The program's side of the bridge, for peers that have none. */
export const PEER_PRELUDE = `globalThis.tools = { issues: {
  get: async (input) => JSON.parse(await callHost(JSON.stringify(input))),
} };`;
