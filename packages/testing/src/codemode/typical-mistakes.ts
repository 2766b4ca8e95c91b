/** A mistake, and the whole message about it: `line:column code message`. */
export interface Mistake {
  readonly what: string;
  readonly code: string;
  readonly said: string;
}

/** What models get wrong. */
export const TYPICAL_MISTAKES: readonly Mistake[] = [
  {
    what: "a tool's name misspelt",
    code: `const open = await tools.issues.lst({ state: "open" });`,
    said: `1:33 TS2551 There is no tool tools.issues.lst. Did you mean tools.issues.list?
  1 | const open = await tools.issues.lst({ state: "open" });
    |                                 ^^^
tools.issues has: list, create, close`,
  },
  {
    what: "a group's name misspelt",
    code: `await tools.email.send({ to: [], subject: "Hi", body: "" });`,
    said: `1:13 TS2551 There is no tool tools.email.send. Did you mean tools.mail.send?
  1 | await tools.email.send({ to: [], subject: "Hi", body: "" });
    |             ^^^^^
tools has: issues, mail, metrics`,
  },
  {
    what: "a tool looked for in the wrong place",
    code: `await tools.close({ id: 1 });`,
    said: `1:13 TS2339 There is no tool tools.close. Did you mean tools.issues.close?
  1 | await tools.close({ id: 1 });
    |             ^^^^^
tools has: issues, mail, metrics`,
  },
  {
    what: "a tool that is nowhere",
    code: `await tools.weather.today();`,
    said: `1:13 TS2339 There is no tool tools.weather.today.
  1 | await tools.weather.today();
    |             ^^^^^^^
tools has: issues, mail, metrics`,
  },
  {
    what: "a tool called by another convention",
    code: `await closeIssue({ id: 1 });`,
    said: `1:7 TS2304 Cannot find name 'closeIssue'. Did you mean tools.issues.close?
  1 | await closeIssue({ id: 1 });
    |       ^^^^^^^^^^`,
  },
  {
    what: "a tool without `tools`",
    code: `await issues.list();`,
    said: `1:7 TS2304 Cannot find name 'issues'. Did you mean tools.issues.list?
  1 | await issues.list();
    |       ^^^^^^`,
  },
  {
    what: "a group called as a tool",
    code: `await tools.issues({ state: "open" });`,
    said: `1:13 TS2349 tools.issues is a group of tools, not a tool.
  1 | await tools.issues({ state: "open" });
    |             ^^^^^^
tools.issues has: list, create, close
Hint: Call one of its tools.`,
  },
  {
    what: "a property of the input misspelt",
    code: `await tools.issues.list({ limits: 3 });`,
    said: `1:27 TS2561 Unknown property 'limits'. Did you mean limit?
  1 | await tools.issues.list({ limits: 3 });
    |                           ^^^^^^
Declared: tools.issues.list(input?: { state?: "all" | "closed" | "open"; label?: string; limit?: number })`,
  },
  {
    what: "a property of the input by another name",
    code: `await tools.issues.list({ status: "open" });`,
    said: `1:27 TS2353 Unknown property 'status'. Did you mean state?
  1 | await tools.issues.list({ status: "open" });
    |                           ^^^^^^
Declared: tools.issues.list(input?: { state?: "all" | "closed" | "open"; label?: string; limit?: number })`,
  },
  {
    what: "a property of a nested object misspelt",
    code: `await tools.mail.send({ to: [{ adress: "a@b.c" }], subject: "Hi", body: "" });`,
    said: `1:32 TS2561 Unknown property 'adress'. Did you mean address?
  1 | await tools.mail.send({ to: [{ adress: "a@b.c" }], subject: "Hi", body: "" });
    |                                ^^^^^^
Expected: { address: string; name?: string }
Declared: tools.mail.send(input: { to: { address: string; name?: string }[]; subject: string; body: string })`,
  },
  {
    what: "a value that is not in the enumeration",
    code: `await tools.issues.list({ state: "opened" });`,
    said: `1:27 TS2820 Type '"opened"' is not assignable to type '"all" | "closed" | "open" | undefined'. Did you mean "open"?
  1 | await tools.issues.list({ state: "opened" });
    |                           ^^^^^
Declared: tools.issues.list(input?: { state?: "all" | "closed" | "open"; label?: string; limit?: number })`,
  },
  {
    what: "a value that is not in a large enumeration",
    code: `await tools.metrics.query({ name: "metric_x", from: "", to: "" });`,
    said: `1:29 TS2820 "metric_x" is none of the 300 allowed values. Did you mean "metric_0", "metric_1" or "metric_2"?
  1 | await tools.metrics.query({ name: "metric_x", from: "", to: "" });
    |                             ^^^^
Allowed: "metric_0", "metric_1", "metric_10", "metric_100", "metric_101", "metric_102", "metric_103", "metric_104", "metric_105", "metric_106", "metric_107", "metric_108", "metric_109", "metric_11", … 286 more
Declared: tools.metrics.query(input: { name: "metric_0" | "metric_1" | "metric_10" | "metric_100" | "metric_101" | … 295 more; from: string; to: string })`,
  },
  {
    what: "an enumeration's value in a variable",
    code: `const label = ["bug"];
await tools.issues.create({ title: "a", body: "b", labels: label });`,
    said: `2:52 TS2322 Type 'string[]' is not assignable to type '("bug" | "feature" | "question")[]'.
  Type 'string' is not assignable to type '"bug" | "feature" | "question"'.
  2 | await tools.issues.create({ title: "a", body: "b", labels: label });
    |                                                    ^^^^^^
Declared: tools.issues.create(input: { title: string; body: string; labels?: ("bug" | "feature" | "question")[]; priority?: "high" | "low" | "medium" })
Hint: The text in a variable is any string: write \`as const\` after it, or put it into the call itself.`,
  },
  {
    what: "a comparison that can never hold",
    code: `const all = await tools.issues.list();
return all.filter((issue) => issue.state === "opened");`,
    said: `2:30 TS2367 This comparison appears to be unintentional because the types '"closed" | "open"' and '"opened"' have no overlap. Did you mean "open"?
  2 | return all.filter((issue) => issue.state === "opened");
    |                              ^^^^^^^^^^^^^^^^^^^^^^^^`,
  },
  {
    what: "a required property left out",
    code: `await tools.issues.create({ title: "Bug" });`,
    said: `1:27 TS2741 Missing required property: body: string.
  1 | await tools.issues.create({ title: "Bug" });
    |                           ^^^^^^^^^^^^^^^^
Declared: tools.issues.create(input: { title: string; body: string; labels?: ("bug" | "feature" | "question")[]; priority?: "high" | "low" | "medium" })`,
  },
  {
    what: "all required properties left out",
    code: `await tools.mail.send({});`,
    said: `1:23 TS2739 Missing required properties: to: { address: string; name?: string }[]; subject: string; body: string.
  1 | await tools.mail.send({});
    |                       ^^
Declared: tools.mail.send(input: { to: { address: string; name?: string }[]; subject: string; body: string })`,
  },
  {
    what: "no input at all",
    code: `await tools.issues.close();`,
    said: `1:20 TS2554 Expected 1 arguments, but got 0.
  1 | await tools.issues.close();
    |                    ^^^^^
Declared: tools.issues.close(input: { id: number; reason?: string })
Hint: A tool takes one object, with everything in it.`,
  },
  {
    what: "a value instead of an object",
    code: `await tools.issues.close(5);`,
    said: `1:26 TS2345 Argument of type 'number' is not assignable to parameter of type '{ id: number; reason?: string }'.
  1 | await tools.issues.close(5);
    |                          ^
Declared: tools.issues.close(input: { id: number; reason?: string })`,
  },
  {
    what: "positional arguments",
    code: `await tools.issues.close(5, "done");`,
    said: `1:29 TS2554 Expected 1 arguments, but got 2.
  1 | await tools.issues.close(5, "done");
    |                             ^^^^^^
Declared: tools.issues.close(input: { id: number; reason?: string })
Hint: A tool takes one object, with everything in it.`,
  },
  {
    what: "a value of the wrong type",
    code: `await tools.issues.close({ id: "5" });`,
    said: `1:28 TS2322 Type 'string' is not assignable to type 'number'.
  1 | await tools.issues.close({ id: "5" });
    |                            ^^
Declared: tools.issues.close(input: { id: number; reason?: string })`,
  },
  {
    what: "text instead of an object",
    code: `await tools.mail.send({ to: ["a@b.c"], subject: "Hi", body: "" });`,
    said: `1:30 TS2322 Type 'string' is not assignable to type '{ address: string; name?: string }'.
  1 | await tools.mail.send({ to: ["a@b.c"], subject: "Hi", body: "" });
    |                              ^^^^^^^
Declared: tools.mail.send(input: { to: { address: string; name?: string }[]; subject: string; body: string })`,
  },
  {
    what: "await forgotten before a property",
    code: `const all = tools.issues.list();
return all.length;`,
    said: `2:12 TS2339 Property 'length' does not exist on type 'Promise<Issue[]>'.
  2 | return all.length;
    |            ^^^^^^
Hint: all is a Promise: await it first, as in (await all).length`,
  },
  {
    what: "await forgotten before a method",
    code: `return await tools.issues.list({ state: "open" }).filter((issue) => issue.id);`,
    said: `1:51 TS2339 Property 'filter' does not exist on type 'Promise<Issue[]>'.
  1 | return await tools.issues.list({ state: "open" }).filter((issue) => issue.id);
    |                                                   ^^^^^^
Hint: tools.issues.list({ state: "open" }) is a Promise: await it first, as in (await tools.issues.list({ state: "open" })).filter`,
  },
  {
    what: "await forgotten in a loop",
    code: `for (const issue of tools.issues.list()) console.log(issue.title);`,
    said: `1:21 TS2488 Type 'Promise<Issue[]>' must have a '[Symbol.iterator]()' method that returns an iterator.
  1 | for (const issue of tools.issues.list()) console.log(issue.title);
    |                     ^^^^^^^^^^^^^^^^^^^
Hint: This is a Promise: put await before it.`,
  },
  {
    what: "await forgotten before an argument",
    code: `const closed = tools.issues.close({ id: 1 });
await tools.issues.close(closed);`,
    said: `2:26 TS2741 Property 'id' is missing in type 'Promise<{ id: number }>' but required in type '{ id: number; reason?: string }'.
  2 | await tools.issues.close(closed);
    |                          ^^^^^^
Declared: tools.issues.close(input: { id: number; reason?: string })
Hint: This is a Promise: put await before it.`,
  },
  {
    what: "await in a function that is not async",
    code: `const close = (id: number) => await tools.issues.close({ id });
return close(1);`,
    said: `1:31 TS1308 'await' expressions are only allowed within async functions and at the top levels of modules.
  1 | const close = (id: number) => await tools.issues.close({ id });
    |                               ^^^^^
Hint: Mark the function around it async, and await its calls.`,
  },
  {
    what: "a result without a declared type",
    code: `const found = await tools.mail.search({ query: "x" });
return found.messages;`,
    said: `2:8 TS18046 'found' is of type 'unknown'.
  2 | return found.messages;
    |        ^^^^^
Hint: The result of tools.mail.search has no declared type. Return it once to see what it is, or say what you expect: value as { items: { id: number }[] }`,
  },
  {
    what: "a result without a declared type taken apart",
    code: `const { messages } = await tools.mail.search({ query: "x" });
return messages;`,
    said: `1:9 TS2339 Property 'messages' does not exist on type 'unknown'.
  1 | const { messages } = await tools.mail.search({ query: "x" });
    |         ^^^^^^^^
Hint: The result of tools.mail.search has no declared type. Return it once to see what it is, or say what you expect: value as { items: { id: number }[] }`,
  },
  {
    what: "a caught error used as it is",
    code: `try {
  await tools.issues.close({ id: 1 });
} catch (error) {
  return error.message;
}`,
    said: `4:10 TS18046 'error' is of type 'unknown'.
  4 |   return error.message;
    |          ^^^^^
Hint: What is caught has no type: use (error as ToolError).code and .message, or error instanceof Error.`,
  },
  {
    what: "an array taken for an object",
    code: `const { items } = await tools.issues.list();
return items;`,
    said: `1:9 TS2339 Property 'items' does not exist on type 'Issue[]'.
  1 | const { items } = await tools.issues.list();
    |         ^^^^^
await tools.issues.list() is an array; each element is { id: number; title: string; state: "closed" | "open"; labels: string[]; assignee: { login: string; name?: string } | null }`,
  },
  {
    what: "a property of the result misspelt",
    code: `const all = await tools.issues.list();
return all.map((issue) => issue.titel);`,
    said: `2:33 TS2551 Property 'titel' does not exist on type 'Issue'. Did you mean title?
  2 | return all.map((issue) => issue.titel);
    |                                 ^^^^^
issue has: id, title, state, labels, assignee`,
  },
  {
    what: "something that may be null",
    code: `const [first] = await tools.issues.list();
return first?.assignee.login;`,
    said: `2:8 TS18047 'first.assignee' is possibly 'null'.
  2 | return first?.assignee.login;
    |        ^^^^^^^^^^^^^^^
Hint: Check it first (if, ??), or use ?. to go on only when it is there.`,
  },
  {
    what: "something that may be missing",
    code: `const { next } = await tools.metrics.query({ name: "metric_1", from: "", to: "" });
return await tools.metrics.query({ name: "metric_1", from: next, to: "" });`,
    said: `2:54 TS2322 Type 'string | undefined' is not assignable to type 'string'.
  Type 'undefined' is not assignable to type 'string'.
  2 | return await tools.metrics.query({ name: "metric_1", from: next, to: "" });
    |                                                      ^^^^
Declared: tools.metrics.query(input: { name: "metric_0" | "metric_1" | "metric_10" | "metric_100" | "metric_101" | … 295 more; from: string; to: string })
Hint: It may be missing: check it first, or say what else to use with ??`,
  },
  {
    what: "a parameter without a type",
    code: `const twice = (n) => n * 2;
return twice(2);`,
    said: `1:16 TS7006 Parameter 'n' implicitly has an 'any' type.
  1 | const twice = (n) => n * 2;
    |                ^
Hint: Give it a type, as in (item: { id: number }) => …`,
  },
  {
    what: "an import",
    code: `import { readFile } from "node:fs/promises";
return await readFile("a");`,
    said: `1:1 TS1232 A cell cannot import or export. A cell has only tools, console and the language itself (JSON, Math, Date, …); return the result instead of exporting it.
  1 | import { readFile } from "node:fs/promises";
    | ^^^^^^
Also at 1:26.`,
  },
  {
    what: "an API of another world",
    code: `const reply = await fetch("https://a.b");`,
    said: `1:21 TS2304 'fetch' does not exist here. A cell has only tools, console and the language itself (JSON, Math, Date, …); use a tool for everything else.
  1 | const reply = await fetch("https://a.b");
    |                     ^^^^^`,
  },
  {
    what: "a formatter",
    code: `return new Intl.NumberFormat("en").format(1);`,
    said: `1:12 TS2708 'Intl' does not exist here. A cell has only tools, console and the language itself (JSON, Math, Date, …); format numbers by hand (toFixed, padStart), and dates with tools.time.format or .convert if you have them; Date itself knows UTC only.
  1 | return new Intl.NumberFormat("en").format(1);
    |            ^^^^`,
  },
  {
    what: "a locale",
    code: `return (1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" });`,
    said: `1:32 TS2554 Locales and their options have no effect in a cell, which has no Intl: format numbers by hand (toFixed, padStart), and dates with tools.time.format or .convert if you have them; Date itself knows UTC only.
  1 | return (1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" });
    |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^`,
  },
  {
    what: "a timer",
    code: `await new Promise((done) => setTimeout(done, 10));`,
    said: `1:29 TS2304 'setTimeout' does not exist here. A cell has only tools, console and the language itself (JSON, Math, Date, …); there is nothing to wait for but a tool's call.
  1 | await new Promise((done) => setTimeout(done, 10));
    |                             ^^^^^^^^^^`,
  },
  {
    what: "code from text",
    code: `return eval("1 + 1");`,
    said: `1:8 TS2304 'eval' does not exist here. A cell has only tools, console and the language itself (JSON, Math, Date, …); text never becomes code: write the code itself.
  1 | return eval("1 + 1");
    |        ^^^^`,
  },
  {
    what: "a bracket forgotten",
    code: `const all = await tools.issues.list();
return all.map((issue) => issue.id`,
    said: `2:35 TS1005 ',' expected.
  2 | return all.map((issue) => issue.id
    |                                   ^`,
  },
  {
    what: "the same mistake again and again",
    code: `const all = await tools.issues.list();
const a = all.map((i) => i.titel);
const b = all.map((i) => i.titel);
return [a, b, all.map((i) => i.titel)];`,
    said: `2:28 TS2551 Property 'titel' does not exist on type 'Issue'. Did you mean title?
  2 | const a = all.map((i) => i.titel);
    |                            ^^^^^
Also at 3:28, 4:32.
i has: id, title, state, labels, assignee`,
  },
];
