import { signInSchema, type SignInStore } from "../oauth/sign-in-store.ts";
import { readPrivate, writePrivate } from "@deputy/tools/node/private-file";

/** The results of signing in to one server, in a file that only the user can read. */
export function createSignInFile(file: string): SignInStore {
  return {
    read() {
      try {
        return signInSchema.safeParse(JSON.parse(readPrivate(file) ?? "null")).data;
      } catch {
        return undefined;
      }
    },
    write: (record) => writePrivate(file, JSON.stringify(record)),
  };
}
