import { expect, test } from "vitest";
import { isEnglish, isEnglishWord } from "./english.ts";

test.each([
  "Share thesis.docx with Bob, please.",
  "Rent an electric car in Lisbon for 3 days",
  "bob@x.example",
  "Mail Müller und Söhne the invoice for the repair of the roof",
  "SEND IT NOW",
  "Delete Grüne Gabel Löwe Käse",
  " Delete Zxqv",
  "Move zz-top.x to a_b and #zq",
  'Post "Bonjour à tous, je suis en retard" to the channel'.replaceAll(/"[^"]*"/g, '"····"'),
  "",
])("[YP45] %j is recognisably English", (sentence) => {
  expect(isEnglish(sentence)).toBe(true);
});

test.each([
  "Lösche file 2 nicht",
  "Delete file 2 nicht",
  "Send ikke noget til bob@x.example",
  "Ne touche pas à thesis.docx",
  "Laisse thesis.docx tranquille",
  "Nunca mandes nada a bob@x.example",
  "Оставь file 2 в покое",
  "Send it to 鈴木",
  "Jangan hapus file 2",
  "Mai cancellare Green Fork",
  "Send it für",
  "Zrób to jutro",
])("[YP45] %j is not", (sentence) => {
  expect(isEnglish(sentence)).toBe(false);
});

test("[YP45] forms of a word are known with it, and no others", () => {
  const forms =
    "emails tries tried planning planned invited inviting quickly older boxes files files's sending's notes";
  expect(forms.split(" ").filter((word) => !isEnglishWord(word))).toEqual([]);
  expect("zxqvs zing bly zed xes stryker".split(" ").filter(isEnglishWord)).toEqual([]);
});
