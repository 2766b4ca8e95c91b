import { z } from "zod";

/** The results of signing in to one server. All of it is secret. */
export const signInSchema = z.object({
  version: z.literal(1),
  /** The server it is for; it is sent to no other. */
  url: z.string(),
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
});
export type SignInRecord = z.infer<typeof signInSchema>;

/** Stores the results of a sign-in. */
export interface SignInStore {
  /** Undefined if there is none, or it cannot be read. */
  read(): SignInRecord | undefined;
  write(record: SignInRecord): void;
}
