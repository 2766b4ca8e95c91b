import { plainText } from "@deputy/channels";
import { createElement } from "react";
import { expect, test } from "vitest";
import { MessageView } from "./message-view.ts";
import { renderComponents } from "./render-components.ts";

test("[DC10] a message with buttons is a card, whose ids follow from what the buttons do", () => {
  const buttons = [
    { label: "Approve", data: "yes 1", kind: "yes" as const },
    { label: "Deny", data: "no 1", kind: "no" as const },
    { label: "Details", data: "all 1", kind: "more" as const },
  ];
  const draw = () =>
    renderComponents(createElement(MessageView, { message: { runs: plainText("may I?"), buttons }, id: 7 }));
  expect(draw()).toEqual([
    {
      type: 17,
      accent_color: 0xe8a33d,
      components: [
        { type: 10, id: 7, content: "may I?" },
        {
          type: 1,
          components: [
            { type: 2, style: 3, label: "Approve", custom_id: "!yes 1" },
            { type: 2, style: 4, label: "Deny", custom_id: "?no 1" },
            { type: 2, style: 2, label: "Details", custom_id: "!all 1" },
          ],
        },
      ],
    },
  ]);
  expect(draw()).toEqual(draw());
});

test("[DC10] what a view throws is thrown, and the next is drawn all the same", () => {
  const Broken = (): never => {
    throw new Error("broken");
  };
  expect(() => renderComponents(createElement(Broken))).toThrow("broken");
  expect(() => renderComponents(createElement("d-text", {}, createElement("p")))).not.toThrow("broken");
  expect(() => renderComponents(createElement("p"))).toThrow("Discord has no component for p");
  expect(renderComponents(createElement("d-text", {}, "a", "b"))).toEqual([{ type: 10, content: "ab" }]);
});
