import { afterAll, beforeAll, expect, test } from "vitest";
import { solvingModel } from "./counting-proxy.ts";
import { playTask, prepareHome } from "./play-task.ts";
import { pickTasks, PLAYED_TASKS } from "./tasks/index.ts";
import { ZONE } from "./world.ts";

let home: Awaited<ReturnType<typeof prepareHome>>;
let endpoint: Awaited<ReturnType<typeof solvingModel>>;
const before = process.env["TZ"];
beforeAll(async () => {
  process.env["TZ"] = ZONE;
  [home, endpoint] = await Promise.all([prepareHome(), solvingModel()]);
});
afterAll(async () => {
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
  await endpoint[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const taskOf = (id: string) => {
  const task = PLAYED_TASKS.find((one) => one.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}`);
  return task;
};

test("[E691] there are thirty tasks, each with its own name", () => {
  expect(new Set(PLAYED_TASKS.map(({ id }) => id)).size).toBe(30);
});

test("[E691] shares have every task once, and names pick tasks; a name that is none is refused", () => {
  const shares = ["1/4", "2/4", "3/4", "4/4"].map((share) => pickTasks(share));
  expect(shares.map(({ length }) => length)).toEqual([8, 8, 7, 7]);
  expect(new Set(shares.flat())).toEqual(new Set(PLAYED_TASKS));
  expect(pickTasks("tokyo,reply").map(({ id }) => id)).toEqual(["reply", "tokyo"]);
  expect(pickTasks()).toEqual(PLAYED_TASKS);
  expect(() => pickTasks("tokio")).toThrow(/such as 1\/4: weekday, /);
});

// One of each kind of world: own tools, an OpenAPI document with pages, an MCP server, files, and setting things up.
test.each(["clear-day", "count-bugs", "cancel-order", "tick-off", "watch-folder"])(
  "[E691] %s is right with its solution, and wrong without anybody noticing if nothing was done",
  async (id) => {
    const task = taskOf(id);
    const solution = task.solution(new Date());
    endpoint.solve({ answer: "I have looked at it." });
    expect(await playTask(task, home.path, endpoint)).toMatchObject({ isRight: false, isUnnoticed: true });
    endpoint.solve(solution);
    expect(await playTask(task, home.path, endpoint)).toMatchObject({
      isRight: true,
      requests: 2,
      rejected: 0,
      failedCalls: [],
    });
  },
);

test("[E691] whoever says that it did not work is wrong, but it was noticed", async () => {
  endpoint.solve({ answer: "I could not do it." });
  expect(await playTask(taskOf("remember"), home.path, endpoint)).toMatchObject({
    isRight: false,
    isUnnoticed: false,
  });
});
