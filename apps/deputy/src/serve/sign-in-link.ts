/** The part after `#` never leaves the browser: no server, log or other page sees the code. */
export function signInLink(url: string, code: string): string {
  return `${url}/#sign-in=${code}`;
}
