import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findFencedCode } from "./rehearsal-model.ts";

test("[M2] finds the first closed fence of the right kind", () => {
  const text = "Look:\n```json\n{}\n```\nand\n```ts\nreturn 1;\n```\n```ts\nreturn 2;\n```";
  expect(findFencedCode(text)).toBe("return 1;");
});

test("[M2] a longer fence can contain a shorter one", () => {
  expect(findFencedCode("````typescript\nconst s = `\n```\n`;\n````")).toBe("const s = `\n```\n`;");
});

test.each(["return 1;", "```\nreturn 1;\n```", "```ts\nreturn 1;", "```tsx\n1\n```", "~~~ts\n1\n```"])(
  "[M2] finds no code in %j",
  (text) => {
    expect(findFencedCode(text)).toBeUndefined();
  },
);

test("[M2] extracts the code unchanged from any surrounding text", () => {
  const line = fc.stringMatching(/^[^`~\r\n]*$/);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), line, (code, around) => {
      const source = code.join("\n");
      expect(findFencedCode(`${around}\n\`\`\`ts\n${source}\n\`\`\`\n${around}`)).toBe(source);
    }),
  );
});
