type Step = () => unknown;

export interface CollectedTest {
  readonly name: string;
  readonly run: Step;
  readonly group: TestGroup;
}

export interface TestGroup {
  readonly name: string;
  readonly parent: TestGroup | undefined;
  readonly tests: CollectedTest[];
  readonly groups: TestGroup[];
  readonly beforeAll: Step[];
  readonly afterAll: Step[];
}

/** Outlives the versions of this module: every load of the tests has its own copy of it. */
interface Collection {
  group: TestGroup;
  /** What the test that runs wants done after it. */
  readonly finishing: Step[];
}

declare global {
  var __collectedTests: Collection | undefined;
}

function newGroup(name: string, parent?: TestGroup): TestGroup {
  return { name, parent, tests: [], groups: [], beforeAll: [], afterAll: [] };
}

export function collection(): Collection {
  return (globalThis.__collectedTests ??= { group: newGroup(""), finishing: [] });
}

/** Gathers what `collect` declares, under this name. */
export async function collectTests(name: string, collect: () => Promise<unknown>): Promise<TestGroup> {
  const group = newGroup(name);
  collection().group = group;
  await collect();
  return group;
}

export function addTest(name: string, run: Step): void {
  const { group } = collection();
  group.tests.push({ name: fullName(group, name), run, group });
}

export function addGroup(name: string, declare: Step): void {
  const around = collection().group;
  const group = newGroup(name, around);
  around.groups.push(group);
  collection().group = group;
  declare();
  collection().group = around;
}

/** Unique where vitest's own need not be: the number of a row is part of it. */
function fullName(group: TestGroup | undefined, name: string): string {
  return group === undefined ? name : fullName(group.parent, `${group.name} ${name}`);
}
