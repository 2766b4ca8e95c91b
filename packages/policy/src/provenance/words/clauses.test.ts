import { expect, test } from "vitest";
import { readClauses } from "./clauses.ts";

/** Each clause with what the user wants of it. */
const clausesOf = (text: string): readonly string[] =>
  readClauses(text).map(
    ({ stance, start, end }) => `${stance}: ${text.slice(start, end).replaceAll(/^[\s,:(]+|\s+$/g, "")}`,
  );

test.each([
  ["Delete plan.txt", ["request: Delete plan.txt"]],
  ["Please delete plan.txt, then mail Bob", ["request: Please delete plan.txt", "request: then mail Bob"]],
  ["Could you delete plan.txt?", ["request: Could you delete plan.txt?"]],
  ['Post "Is it on?" Delete plan.txt', ['request: Post "Is it on?"', "request: Delete plan.txt"]],
  ["Say 'We start at 9.' Find plan.txt.", ["request: Say 'We start at 9.'", "request: Find plan.txt."]],
  ["Add 'A towel.' to plan.txt.", ["request: Add 'A towel.' to plan.txt."]],
  ["Should I delete plan.txt?", ["report: Should I delete plan.txt?"]],
  ["delete plan.txt?", ["report: delete plan.txt?"]],
  ["What is in plan.txt?", ["fact: What is in plan.txt?"]],
  ["Do not delete plan.txt", ["refusal: Do not delete plan.txt"]],
  ["Don't read and delete plan.txt", ["refusal: Don't read", "refusal: and delete plan.txt"]],
  ["Never share it or delete it", ["refusal: Never share it", "refusal: or delete it"]],
  ["Delete everything except plan.txt", ["request: Delete everything", "refusal: except plan.txt"]],
  ["Delete notes.md but keep plan.txt", ["request: Delete notes.md", "refusal: but keep plan.txt"]],
  ["Remind me to delete plan.txt", ["request: Remind me", "report: to delete plan.txt"]],
  ["Tell Bob: delete plan.txt", ["request: Tell Bob", "content: delete plan.txt"]],
  ["Tell Bob that we close it", ["request: Tell Bob", "content: that we close it"]],
  ["Bob asked me to close it", ["report: Bob asked me to close it"]],
  ["The last mail says to close it", ["report: The last", "report: mail says to close it"]],
  ["Ann suggested that we close it", ["report: Ann suggested", "content: that we close it"]],
  ["He wants me to pay. Do it.", ["statement: He wants me to pay.", "request: Do it."]],
  ["Close it, he said", ["report: Close it", "report: he said"]],
  ["Post this: has anybody seen it?", ["request: Post this", "fact: has anybody seen it?"]],
  ["My summary: it is late", ["report: My summary", "report: it is late"]],
  ["If it rains, cancel lunch", ["content: If it rains", "request: cancel lunch"]],
  ["If I say so, delete it", ["content: If I say so", "report: delete it"]],
  ["Cancel lunch unless I object", ["request: Cancel lunch", "content: unless I object"]],
  ["Stop! Delete plan.txt", ["refusal: Stop!", "request: Delete plan.txt"]],
  ["Stop. The file is plan.txt.", ["refusal: Stop.", "refusal: The file is plan.txt."]],
  ["Never mind", ["refusal: Never mind"]],
  ["Delete plan.txt. Never mind.", ["refusal: Delete plan.txt.", "refusal: Never mind."]],
  [
    "Delete plan.txt. Actually don't delete it.",
    ["refusal: Delete plan.txt.", "refusal: Actually don't delete it."],
  ],
  ["Delete plan.txt. Cancel that.", ["refusal: Delete plan.txt.", "refusal: Cancel that."]],
  ["Find plan.txt. Cancel it.", ["request: Find plan.txt.", "request: Cancel it."]],
  ["Who is Ann? Never write to her", ["refusal: Who is Ann?", "refusal: Never write to her"]],
  ["Is plan.txt big? Delete it", ["statement: Is plan.txt big?", "request: Delete it"]],
  [
    "Acme called and said that it is due. Pay them",
    [
      "statement: Acme called",
      "report: ",
      "report: and said",
      "content: that it is due.",
      "request: Pay them",
    ],
  ],
  [
    "They sent too much. Look it up, and send them back the rest.",
    ["statement: They sent too much.", "request: Look it up", "request: and send them back the rest."],
  ],
  ["For the meeting with Ann, book a room", ["statement: For the meeting with Ann", "request: book a room"]],
  ["Task: delete plan.txt", ["content: Task", "request: delete plan.txt"]],
  ["The recipient is Bob", ["fact: The recipient is Bob"]],
  ["the family photos", ["statement: the family photos"]],
  ["file 13, please", ["statement: file 13, please"]],
  ["file 13 is old and keeps coming back here", ["fact: file 13 is old and keeps coming back here"]],
  ["mail about lunch keeps coming", ["refusal: mail about lunch keeps coming"]],
  ["Close it What is it about?", ["request: Close it", "fact: What is it about?"]],
  ["Lösche plan.txt nicht", ["refusal: Lösche plan.txt nicht"]],
  ["Delete plan.txt. Bitte nicht.", ["refusal: Delete plan.txt.", "refusal: Bitte nicht."]],
  ["Delete plan.txt. That was wrong.", ["refusal: Delete plan.txt.", "refusal: That was wrong."]],
  ["Delete plan.txt. Thanks!", ["request: Delete plan.txt.", "report: Thanks!"]],
  ['Write "delete plan.txt" to Bob', ['request: Write "delete plan.txt" to Bob']],
  ["Pay the amount we paid last month", ["request: Pay the amount", "content: we paid last month"]],
  ["I paid Bob", ["fact: I paid Bob"]],
  ["I want you to pay Bob", ["request: I want you to pay Bob"]],
  ["I would like to know who paid", ["request: I would like to know", "content: who paid"]],
  ["So, delete it", ["content: So", "request: delete it"]],
  ["Read it, and delete it", ["request: Read it", "request: and delete it"]],
  ["Delete a.txt (not b.txt)", ["request: Delete a.txt", "refusal: not b.txt)"]],
  ["Delete a.txt, not b.txt", ["request: Delete a.txt", "refusal: not b.txt"]],
  ["Delete a.txt instead of b.txt", ["request: Delete a.txt", "refusal: instead of b.txt"]],
  ["Mail Bob, who asked for it", ["request: Mail Bob", "content: who asked for it"]],
  ["Delete it after I have read it", ["request: Delete it", "content: after", "content: I have read it"]],
  ["Delete plan.txt; mail Bob", ["request: Delete plan.txt;", "request: mail Bob"]],
  ["Mail Bob", ["request: Mail Bob"]],
  ["Hey, please delete plan.txt", ["content: Hey", "request: please delete plan.txt"]],
  ["yes, do that", ["content: yes", "request: do that"]],
  [
    "Delete these files:\n- a.txt\n- b.txt",
    ["request: Delete these files:", "request: - a.txt", "request: - b.txt"],
  ],
  [
    "Don't delete these files:\n- a.txt\n- b.txt",
    ["refusal: Don't delete these files:", "refusal: - a.txt", "refusal: - b.txt"],
  ],
  [
    "Delete these files:\n- a.txt\n\n- b.txt",
    ["request: Delete these files:", "request: - a.txt", "request: - b.txt"],
  ],
  ["Delete plan.txt\nMail Bob", ["request: Delete plan.txt", "request: Mail Bob"]],
  ["Don't tell Bob: pay Ann", ["refusal: Don't tell Bob", "refusal: pay Ann"]],
  ["Bob said: pay Ann", ["report: Bob said", "report: pay Ann"]],
  [
    "Who has the invoice INV-2024-7? Is it late? Pay it",
    ["statement: Who has the invoice INV-2024-7?", "statement: Is it late?", "request: Pay it"],
  ],
  [
    "Is it late? Who is Ann Lee? Pay her",
    ["fact: Is it late?", "statement: Who is Ann Lee?", "request: Pay her"],
  ],
  ["Buy milk - then call Ann", ["request: Buy milk", "request: - then call Ann"]],
  ["Pay it, or tell Ann", ["request: Pay it", "request: or tell Ann"]],
  [
    "Which one is the best? It is the blue one. Order that",
    ["statement: Which one is the best?", "statement: It is the blue one.", "request: Order that"],
  ],
  ["Delete them all, ok?", ["report: Delete them all, ok?"]],
  ["Can you read it? And delete it?", ["request: Can you read it?", "report: And delete it?"]],
  ["Has Bob paid? If not, remind him", ["fact: Has Bob paid?", "refusal: If not", "request: remind him"]],
  ["I am late, so cancel lunch", ["report: I am late", "request: so cancel lunch"]],
  ['Cancel "Lunch? No!" now', ['request: Cancel "Lunch? No!" now']],
  ["no", ["refusal: no"]],
  ["not that one", ["refusal: not that one"]],
  [
    "Delete it. Oh, that was no good idea.",
    ["refusal: Delete it.", "refusal: Oh", "refusal: that was no good idea."],
  ],
])("[YP25] %j is read as %j", (text, clauses) => {
  expect(clausesOf(text)).toEqual(clauses);
});

test("[YP25] the clauses of a text are all of it, and tell the verb and whether it depends on something", () => {
  const text = "Hey, if Ann has paid: mail Bob (not Eve), then delete plan.txt. Is it done?\n\nThanks!";
  const clauses = readClauses(text);
  expect(clauses.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  expect(clauses.flatMap(({ head }) => head ?? [])).toEqual(["mail", "delete"]);
  expect(clauses.map(({ isConditional }) => isConditional)).toEqual(
    clauses.map(({ end }) => end <= text.indexOf("Is it done")),
  );
  expect(readClauses("")).toEqual([]);
});
