import { createValueRedactor, type Redactor } from "@deputy/secrets";
import { ToolsError } from "@deputy/tools";
import type { CallEnd, CallError } from "./receipt.ts";

/**
 * Gives a tool a secret that the user's settings have for it under this name. Rejects with a coded error that says
 * what to set, or whose the secret is; never with the secret in it.
 */
export type CredentialIssuer = (toolPath: string, name: string) => Promise<string>;

/** The secrets of one call. Only the tool has them, and only while it runs. */
export interface CallCredentials {
  /** Rejects as the issuer does, and with `credential_refused` once the call is over. */
  issue(name: string): Promise<string>;
  /** Without the secrets that were issued, also in base64, hex and URL. */
  cleanText(text: string): string;
  /** The same for how it ended; nothing is issued from now on. */
  close(end: CallEnd): CallEnd;
}

export function createCallCredentials(deps: {
  readonly toolPath: string;
  readonly issuer: CredentialIssuer;
  /** Learns what is issued, for everything that is logged and shown. */
  readonly redactor: Pick<Redactor, "learn">;
}): CallCredentials {
  // Redacts these values only: the program may see text in a result that merely looks like a secret.
  const issued = createValueRedactor([]);
  let count = 0;
  let isOver = false;
  return {
    async issue(name) {
      if (isOver)
        throw new ToolsError(
          "credential_refused",
          `The call of ${deps.toolPath} is over: “${name}” is not given`,
        );
      const secret = await deps.issuer(deps.toolPath, name);
      deps.redactor.learn(secret);
      issued.learn(secret);
      count += 1;
      return secret;
    },
    cleanText: (text) => (count === 0 ? text : issued.text(text)),
    close(end) {
      isOver = true;
      if (count === 0) return end;
      const { resultJson, error, ...rest } = end;
      return {
        ...rest,
        ...(resultJson === undefined ? {} : { resultJson: cleanJson(issued, resultJson) }),
        ...(error === undefined ? {} : { error: cleanError(issued, error) }),
      };
    },
  };
}

function cleanError(redactor: Redactor, error: CallError): CallError {
  const { message, bodyJson } = error;
  return {
    ...error,
    message: redactor.text(message),
    ...(bodyJson === undefined ? {} : { bodyJson: cleanJson(redactor, bodyJson) }),
  };
}

function cleanJson(redactor: Redactor, text: string): string {
  return JSON.stringify(redactor.json<unknown>(JSON.parse(text)));
}
