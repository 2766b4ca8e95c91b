/** Returns the current value of a secret; may throw a coded error that names its place. */
export type SecretSource = () => string;

/** How a source proves its identity. Secrets are looked up again for every call. */
export type AuthSettings =
  | { readonly type: "bearer"; readonly token: SecretSource }
  /** `credentials` gives `user:password`. */
  | { readonly type: "basic"; readonly credentials: SecretSource }
  | {
      readonly type: "apiKey";
      readonly key: SecretSource;
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
    }
  | {
      readonly type: "oauth2";
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: SecretSource;
      readonly scopes: readonly string[];
      readonly clientAuth: "basic" | "body";
    };

/** What is added to one request. */
export interface Credentials {
  readonly place: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
  /** Every form of the secret that is in it. */
  readonly secrets: readonly string[];
}

export interface Authorizer {
  /** Rejects with `auth_failed`, what a secret's source throws, or the signal's reason. */
  credentials(signal: AbortSignal): Promise<readonly Credentials[]>;
  /** Call this if the server refused them. True if new ones can be obtained. */
  refused(): boolean;
}
