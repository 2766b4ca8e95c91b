// A cell: the body of an async function, typechecked against every tool before it runs.
const MAX_AGE_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

const open = await tools.github.issues.list({ owner: "acme", repo: "demo" });
const old = open.filter((issue) => Date.now() - Date.parse(issue.updatedAt) > MAX_AGE_DAYS * DAY_MS);
console.log(`${old.length} of ${open.length} open issues are older than ${MAX_AGE_DAYS} days`);

const closed: number[] = [];
const kept: { number: number; why: string }[] = [];
for (const { number } of old) {
  try {
    const issue = await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: number });
    closed.push(issue.number);
  } catch (error) {
    kept.push({ number, why: error instanceof Error ? error.message : String(error) });
  }
}
return { closed, kept, open: open.length - closed.length };
