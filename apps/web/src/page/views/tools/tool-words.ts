/** What a tool does to the world, and when it asks, in words. */
export const EFFECTS: Readonly<Record<string, string>> = {
  read: "reads",
  write: "changes",
  egress: "sends",
  destructive: "can destroy",
};

export const APPROVALS: Readonly<Record<string, string>> = {
  auto: "asks when it must",
  ask: "asks each time",
  "ask-once": "asks once in a conversation",
  required: "asks each time",
  never: "never asks",
};

/** “1 can destroy, 3 make changes, 8 only read”: what counts most comes first. */
export function effectCounts(tools: readonly { readonly effect: string }[]): readonly {
  readonly effect: string;
  readonly text: string;
}[] {
  const words: Readonly<Record<string, readonly [one: string, many: string]>> = {
    destructive: ["can destroy", "can destroy"],
    egress: ["can send", "can send"],
    write: ["makes changes", "make changes"],
    read: ["only reads", "only read"],
  };
  return Object.entries(words).flatMap(([effect, [one, many]]) => {
    const count = tools.filter((tool) => tool.effect === effect).length;
    return count === 0 ? [] : [{ effect, text: `${count.toLocaleString()} ${count === 1 ? one : many}` }];
  });
}
