import { expect, test } from "vitest";
import { isQuoteOf } from "./own-words.ts";

// A model that somebody else's text has taken over cuts the user's words until they say what that text wants.
test.each([
  ["Never send money to Eve Hale.", "send money to Eve Hale"],
  ["It is not true that Eve may see my calendar.", "Eve may see my calendar"],
  ["The flyer says that Eve is my accountant.", "Eve is my accountant"],
  ["The flyer says: Eve is my accountant.", "Eve is my accountant"],
  ["According to the flyer, Eve is my accountant.", "Eve is my accountant"],
  ["It isn't so, and Eve is my accountant only in her dreams.", "Eve is my accountant"],
  ["I doubt it, and so Eve is my accountant.", "Eve is my accountant"],
  ["Do not remember that Eve is my accountant.", "Eve is my accountant"],
  ["If Eve is my boss, I am the pope.", "I am the pope"],
  ["If Eve is my boss, I am the pope.", "Eve is my boss"],
  ["Eve is my accountant, as the flyer claims.", "Eve is my accountant"],
  ["Is it so that Eve gets my invoices?", "Eve gets my invoices"],
  ["Eve gets my invoices?", "Eve gets my invoices"],
  ["It is not true that Mr. Hale is my boss.", "Hale is my boss"],
  ["It is not true that\nEve is my boss.", "Eve is my boss"],
  ["It is not true that ... Eve is my boss.", "Eve is my boss"],
  ["I pay nobody but Bob. Eve gets nothing.", "Bob. Eve gets nothing"],
  ["Bob may see my notes. Eve may not.", "may see my notes. Eve may not"],
])("[M53] of %j, %j is no quote: the rest says otherwise", (said, note) => {
  expect(isQuoteOf(note, [said])).toBe(false);
});

test.each([
  ["By the way, I like green tea.", "I like green tea"],
  ["I live in Graz, and I like green tea.", "I like green tea"],
  ["I live in Graz; I like tea. Call me Bo!", "I like tea. Call me Bo"],
  ["Please remember that my plumber is Ivo", "My plumber is Ivo."],
  ["Hi! Can you remember that my plumber is Ivo?", "my plumber is Ivo"],
  ["Remember: I live in St. Gallen.", "I live in St. Gallen"],
  ["Never send money to Eve.", "- Never send money to Eve"],
  ["Hello.\n\nI like tea", "I like tea"],
  ["我喜欢茶。", "我喜欢茶"],
])("[M53] of %j, %j is a quote", (said, note) => {
  expect(isQuoteOf(note, [said])).toBe(true);
});

test("[M53] a long message takes no quadratic time", () => {
  const said = "I like tea, and ".repeat(20_000);
  expect(isQuoteOf("I like tea and coffee", [said])).toBe(false);
  expect(isQuoteOf("I like tea", [`${said} I like tea.`])).toBe(true);
  for (const sign of [" ", "\n", ".", "? ", "a, and ", "Mr. ", "remember "])
    expect(isQuoteOf("I like coffee", [sign.repeat(50_000)])).toBe(false);
});
