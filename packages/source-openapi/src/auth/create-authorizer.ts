import type { AuthSettings, Authorizer, Credentials } from "./credentials.ts";
import { encodeBasic } from "./encode-basic.ts";
import { createTokenSource, type TokenDeps } from "./oauth-token.ts";

/** Credentials of each kind; none without settings. */
export function createAuthorizer(auth: AuthSettings | undefined, deps: TokenDeps): Authorizer {
  if (auth === undefined) return { credentials: () => Promise.resolve([]), refused: () => false };
  if (auth.type === "oauth2") {
    const tokens = createTokenSource(auth, deps);
    return {
      credentials: async (signal) => [bearer(await tokens.token(signal))],
      refused: tokens.forget,
    };
  }
  return { credentials: async () => [await Promise.resolve(fixed(auth))], refused: () => false };
}

function fixed(auth: Exclude<AuthSettings, { type: "oauth2" }>): Credentials {
  switch (auth.type) {
    case "bearer":
      return bearer(auth.token());
    case "basic": {
      const plain = auth.credentials();
      const encoded = encodeBasic(plain);
      const password = plain.slice(plain.indexOf(":") + 1);
      return { ...authorization(`Basic ${encoded}`), secrets: [plain, encoded, password] };
    }
    default: {
      const key = auth.key();
      return { place: auth.in, name: auth.name, value: key, secrets: [key] };
    }
  }
}

function bearer(token: string): Credentials {
  return { ...authorization(`Bearer ${token}`), secrets: [token] };
}

function authorization(value: string): Pick<Credentials, "place" | "name" | "value"> {
  return { place: "header", name: "authorization", value };
}
