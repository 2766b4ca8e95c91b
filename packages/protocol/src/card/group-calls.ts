import type { AskedCall } from "./asked-call.ts";

/** Calls of one tool that are alike: where most calls have one of a few values, these have the same. */
export interface AlikeCalls {
  readonly calls: readonly AskedCall[];
  readonly mark: "destroys" | "sends" | "differs" | undefined;
}

const RANKS = ["destroys", "sends", "differs", undefined] as const;
/** A value is rare that has no more than this part of the calls that the most frequent one has. */
const RARE_PART = 4;
/** More values than these are no kinds of calls. */
const MOST_KINDS = 4;
/** If there were more groups than these, only what is rare is a group of its own. */
const MOST_GROUPS = 6;

/** The groups of a card: what destroys, sends or differs comes first, and of these what is rare. */
export function groupCalls(calls: readonly AskedCall[]): readonly AlikeCalls[] {
  const byTool = Map.groupBy(calls, ({ asked }) => asked.toolPath);
  return [...byTool.values()]
    .flatMap(groupTool)
    .sort(
      (a, b) =>
        RANKS.indexOf(a.mark) - RANKS.indexOf(b.mark) ||
        a.calls.length - b.calls.length ||
        numberOf(a) - numberOf(b),
    );
}

function groupTool(calls: readonly AskedCall[]): readonly AlikeCalls[] {
  const places = kindPlaces(calls);
  const isRare = (call: AskedCall): boolean =>
    [...places].some(([place, common]) => !common.has(valueAt(call, place)));
  /** Calls with different arguments, or of different reach, never share a group. */
  const signature = (call: AskedCall, of: Iterable<string>): string =>
    JSON.stringify([
      call.asked.preview.effect,
      valueAt(call, ARGUMENTS),
      ...[...of].map((place) => valueAt(call, place)),
    ]);
  const [rare, usual] = [calls.filter(isRare), calls.filter((call) => !isRare(call))];
  const split = Map.groupBy(usual, (call) => signature(call, places.keys()));
  const alike = split.size <= MOST_GROUPS ? split : Map.groupBy(usual, (call) => signature(call, []));
  const odd = Map.groupBy(rare, (call) => signature(call, places.keys()));
  const toGroup = (differs: "differs" | undefined) => (group: readonly AskedCall[]) => ({
    calls: group,
    mark: markOf(group) ?? differs,
  });
  return [...[...odd.values()].map(toGroup("differs")), ...[...alike.values()].map(toGroup(undefined))];
}

/** Stands for which arguments a call has. No path of an input is like it. */
const ARGUMENTS = "\0arguments";

function valueAt({ raw }: AskedCall, place: string): string | undefined {
  return place === ARGUMENTS ? JSON.stringify([...raw.keys()].toSorted()) : raw.get(place);
}

/** The places where more than half of the calls have one of a few values, each with these values. */
function kindPlaces(calls: readonly AskedCall[]): ReadonlyMap<string, ReadonlySet<string | undefined>> {
  const places = new Set([ARGUMENTS, ...calls.flatMap(({ raw }) => [...raw.keys()])]);
  const kinds = new Map<string, ReadonlySet<string | undefined>>();
  for (const place of places) {
    const counts = new Map<string | undefined, number>();
    for (const call of calls) counts.set(valueAt(call, place), (counts.get(valueAt(call, place)) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const common = [...counts].filter(([, count]) => count > 1 && count * RARE_PART > most);
    const covered = common.reduce((sum, [, count]) => sum + count, 0);
    if (covered * 2 > calls.length && common.length <= MOST_KINDS)
      kinds.set(place, new Set(common.map(([value]) => value)));
  }
  return kinds;
}

/** What is not known to be harmless counts as something that sends. */
function markOf([first]: readonly AskedCall[]): "destroys" | "sends" | undefined {
  switch (first?.asked.preview.effect) {
    case "destructive":
      return "destroys";
    case "egress":
      return "sends";
    default:
      return undefined;
  }
}

function numberOf({ calls }: AlikeCalls): number {
  return calls[0]?.number ?? 0;
}
