import { remembered } from "../remembered.ts";

/** The words of an argument's or a field's name, in lower case: `userEmail`, `user_email`: user, email. */
export const wordsOfName = remembered((name: string): readonly string[] => {
  const words = name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
  return words.filter((word) => word !== "").map((word) => word.toLowerCase());
});
