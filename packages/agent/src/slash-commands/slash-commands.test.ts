import { createMemoryTextFolder } from "@deputy/testing";
import { expect, test } from "vitest";
import { createSlashCommands } from "./read-slash-commands.ts";
import { expandSlashCommand, parseSlashCommand } from "./read-slash-commands.ts";

const live = new AbortController().signal;

test("[A142] a command is a Markdown file; its head is optional", async () => {
  expect(
    await parseSlashCommand(
      "---\ndescription: Looks at a pull request\nargument-hint: NUMBER\nallowed-tools: [a, b]\n---\nReview #$1.",
    ),
  ).toEqual({
    kind: "ok",
    command: { description: "Looks at a pull request", argumentHint: "NUMBER", prompt: "Review #$1." },
  });
  expect(await parseSlashCommand("# Tidy up\r\nSort my notes.")).toEqual({
    kind: "ok",
    command: { description: "Tidy up", argumentHint: "", prompt: "# Tidy up\nSort my notes." },
  });
  expect((await parseSlashCommand("---\ndescription: x\n---\n")).kind).toBe("bad");
  expect((await parseSlashCommand("---\ndescription: [x]\n---\ny")).kind).toBe("bad");
});

test.each([
  ["Review $1 for $2.", '"a b" c', "Review a b for c."],
  ["Say: $ARGUMENTS!", " it all ", "Say: it all!"],
  ["Sum up.", "the last week", "Sum up.\n\nthe last week"],
  ["Sum up.", "", "Sum up."],
  ["Of $1 and $2.", "one", "Of one and ."],
  ["It costs $10 and $ARGUMENTSX.", "", "It costs $10 and $ARGUMENTSX."],
  ["Take $1.", "$2 $ARGUMENTS", "Take $2."],
])("[A142] %j with %j is %j", (prompt, args, expanded) => {
  expect(expandSlashCommand(prompt, args)).toBe(expanded);
});

test("[A142] what is hidden in a file is made visible, and what is no command is not there", async () => {
  const commands = createSlashCommands(
    createMemoryTextFolder({
      "review.md": "Review \u202e$1",
      "Big-Name.md": "no",
      "notes.txt": "no",
      "empty.md": "",
      "long.md": "x".repeat(50_001),
      "deep/inner.md": "no",
    }),
  );
  expect((await commands.list(live)).map(({ name }) => name)).toEqual(["review"]);
  const review = await commands.expand("review", "12", live);
  expect(review).toContain("12");
  expect(review).not.toContain("\u202e");
  for (const name of ["Big-Name", "notes.txt", "empty", "long", "deep/inner", "../review", "none"])
    expect(await commands.expand(name, "", live)).toBeUndefined();
});
