import { z } from "zod";
import { timestampSchema } from "../events/shared.ts";

/** Body of `POST /api/sign-in`: the code of a link. */
export const signInSchema = z.strictObject({ code: z.string().min(1).max(100) });

/** Body of the answer to `POST /api/sign-in/codes`. */
export const signInCodeSchema = z.object({ code: z.string(), expiresAt: timestampSchema });

/** What a browser keeps and presents in place of the token. */
export const signedInSchema = z.object({ session: z.string(), expiresAt: timestampSchema });
