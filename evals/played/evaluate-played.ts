import { countingProxy, solvingModel } from "./counting-proxy.ts";
import { handModel } from "./hand-model.ts";
import { type Played, playTask, prepareHome } from "./play-task.ts";
import { pickTasks } from "./tasks/index.ts";
import { ZONE } from "./world.ts";

/**
 * Plays everyday tasks. With `PLAYED_BASE_URL` (an OpenAI-compatible address), `PLAYED_MODEL` and perhaps `PLAYED_KEY`
 * by that model; with `PLAYED_HAND` (a folder) by whoever answers the requests there, with `hand.ts`; otherwise by the
 * known solutions, which shows that each can be done and that its check accepts it. `PLAYED_TASKS` names some of them
 * (`pickTasks`).
 */
export async function evaluatePlayed(): Promise<boolean> {
  const {
    PLAYED_BASE_URL: url,
    PLAYED_MODEL: model = "local/hand",
    PLAYED_KEY: key,
    PLAYED_HAND: folder,
    PLAYED_TASKS: some,
  } = process.env;
  process.env["TZ"] = ZONE;
  const tasks = pickTasks(some);
  await using home = await prepareHome();
  const results: Played[] = [];
  if (folder !== undefined && folder !== "") {
    await using endpoint = await handModel(folder);
    for (const task of tasks) report(await playTask(task, home.path, endpoint), results);
  } else if (url === undefined || url === "") {
    await using endpoint = await solvingModel();
    for (const task of tasks) {
      endpoint.solve(task.solution(new Date()));
      report(await playTask(task, home.path, endpoint), results);
    }
  } else {
    await using endpoint = await countingProxy(url, model, key);
    for (const task of tasks) report(await playTask(task, home.path, endpoint), results);
  }
  return summarise(results);
}

function report(played: Played, results: Played[]): void {
  results.push(played);
  const {
    task,
    isRight,
    isUnnoticed,
    requests,
    rejected,
    failedCalls,
    wasted,
    promptBytes,
    questions,
    answer,
  } = played;
  const verdict = isRight ? "right" : isUnnoticed ? "WRONG, unnoticed" : "wrong";
  console.log(
    `${task.id.padEnd(20)} ${verdict.padEnd(8)} ${requests} requests, ${rejected} rejected, ${failedCalls.length} failed, ${wasted.length} wasted calls, ${promptBytes} bytes, ${questions} questions`,
  );
  if (!isRight) console.log(`  ${answer.slice(0, 400)}`);
  for (const what of wasted) console.log(`  ${what.slice(0, 300)}`);
}

function summarise(results: readonly Played[]): boolean {
  const right = results.filter(({ isRight }) => isRight).length;
  const unnoticed = results.filter(({ isUnnoticed }) => isUnnoticed).length;
  const single = results.filter(({ task }) => task.goals === "single").map(({ requests }) => requests);
  const median = single.toSorted((a, b) => a - b)[Math.floor(single.length / 2)] ?? 0;
  const sum = (count: (played: Played) => number): number =>
    results.reduce((all, one) => all + count(one), 0);
  console.log(
    `played: ${right} of ${results.length} right, ${unnoticed} wrong without anybody noticing; median ${median} requests for a single goal; ${sum(({ rejected }) => rejected)} programs rejected, ${sum(({ failedCalls }) => failedCalls.length)} failed; ${sum(({ wasted }) => wasted.length)} calls wasted; ${sum(({ questions }) => questions)} questions; ${Math.max(...results.map(({ promptBytes }) => promptBytes))} bytes in the largest prompt`,
  );
  const needed = Math.ceil((results.length * 29) / 30);
  return right >= needed && unnoticed === 0;
}
