import { createPolicy, type OriginIndex, type PolicyTool } from "@deputy/policy";
import { createOriginIndex } from "@deputy/policy/provenance";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(7, 1);
const ROUND_MS = sized(120, 5);
const WARM_UP = sized(1_000, 5);
/** Adding a megabyte need not be done a thousand times. */
const WARM_UP_MS = 1_000;
const DECISION_LIMIT_US = 200;
const SIZES_KB = sized([1, 10, 100, 1_000], [1]);

const input = {
  to: "GB29NWBK60161331926819",
  amount: 98.7,
  subject: "The bill of December, as agreed with the landlord",
  date: "2024-05-17",
  note: "See www.example.org/bills/12 for details, and write to billing@example.org if anything is wrong.",
};

interface Call {
  readonly tool: PolicyTool;
  readonly input: unknown;
}

/** The hardest case to judge: many values, a deletion by id, an open place, a list, a longer one. */
const CALLS: Readonly<Record<string, Call>> = {
  payment: {
    tool: { path: "bank.send", approval: "auto", effect: "egress", critical: ["to", "amount"] },
    input,
  },
  deletion: {
    tool: { path: "bank.delete_payment", approval: "auto", effect: "destructive", critical: "all" },
    input: { id: 17 },
  },
  "open place": {
    tool: { path: "bank.notify", approval: "auto", effect: "egress", critical: ["recipient"] },
    input: { recipient: "GB29NWBK60161331926819", text: "the rent of December is late" },
  },
  list: {
    tool: { path: "bank.update_payments", approval: "auto", effect: "write", critical: "all" },
    input: { ids: [1, 2, 3] },
  },
  "list of ten": {
    tool: { path: "bank.update_payments", approval: "auto", effect: "write", critical: "all" },
    input: { ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  },
  "list of thirty": {
    tool: { path: "bank.update_payments", approval: "auto", effect: "write", critical: "all" },
    input: { ids: Array.from({ length: 30 }, (_, at) => at + 1) },
  },
  "ten recipients": {
    tool: { path: "bank.notify", approval: "auto", effect: "egress", critical: ["recipients"] },
    input: {
      recipients: Array.from({ length: 10 }, (_, at) => `GB29NWBK601613319268${at}`),
      text: "the rent of December is late",
    },
  },
};

/** CPU time of one decision after reading this much, and of adding that; compared with a scan of the same text. */
export async function benchPolicy(): Promise<void> {
  const policy = createPolicy();
  let smallestUs: number | undefined;
  for (const kb of SIZES_KB) {
    const text = sampleText(kb * 1_024);
    const index = indexOf(text);
    const costs = Object.entries(CALLS).map(([name, call]) => {
      const request = { ...call, inputHash: "", labels: [], origins: index.origins(), grants: [], nowMs: 0 };
      const us = cpuUs(() => policy.decide(request).reasons.length);
      reportLimit(`decision (${name}), ${kb} KB read before`, us, "µs", DECISION_LIMIT_US);
      return us;
    });
    const us = Math.max(...costs);
    const scanUs = cpuUs(() => scan(text));
    console.log(`  a scan for the values: ${scanUs.toFixed(1)} µs, ratio ${(us / scanUs).toFixed(2)}`);
    smallestUs ??= us;
    if (us > smallestUs) console.log(`  ${(us / smallestUs).toFixed(2)} × the decision at ${SIZES_KB[0]} KB`);
    const addUs = cpuUs(() => {
      const added = createOriginIndex();
      added.addResult({ source: "mail.read", trust: "untrusted" }, text);
      return added.origins().untrusted.length;
    });
    console.log(`  adding it: ${(addUs / kb).toFixed(0)} µs per KB`);
  }
}

function indexOf(text: string): OriginIndex {
  const index = createOriginIndex();
  index.addUser("Please pay the bill of 98.70 for me, and delete the payment 'Rent 17'.");
  index.addUser("Tell whoever paid the most this message: the rent of December is late");
  index.addConfiguration("You are a careful assistant. The landlord is Erika Mustermann.");
  const half = text.length >> 1;
  index.addUser(text.slice(0, half));
  index.addResult({ source: "mail.read", trust: "untrusted" }, text.slice(half));
  const ids = Array.from({ length: 50 }, (_, id) => ({
    id,
    subject: `Rent ${id}`,
    recipient: `GB29NWBK601613319268${id}`,
    amount: id * 3,
  }));
  const trust = { values: ["*.id", "*.subject", "*.recipient", "*.amount"] };
  // Like a conversation that looks at it repeatedly.
  for (let times = 0; times < 20; times += 1) index.addResult({ source: "bank.payments", trust }, ids);
  return index;
}

/** What a plain `includes` for every value costs, without any of the forms that they may have. */
function scan(text: string): number {
  const lower = text.toLowerCase();
  return Object.values(input).filter((value) => lower.includes(String(value).toLowerCase())).length;
}

function sampleText(length: number): string {
  const words = [
    "meeting",
    "the",
    "of",
    "invoice",
    "12.50",
    "alice@example.org",
    "on",
    "May 13,",
    "see",
    "www.site.org",
  ];
  const parts: string[] = [];
  for (let size = 0, at = 0; size < length; at += 1) {
    const word = at % 7 === 0 ? `word${at}` : (words[(at * at) % words.length] ?? "");
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(" ").slice(0, length);
}

/** The CPU time of the best round, since others may use the machine; `work` returns a number so that nothing is optimised away. */
function cpuUs(work: () => number): number {
  let sink = 0;
  const warmUntil = performance.now() + WARM_UP_MS;
  for (let warmUp = 0; warmUp < WARM_UP && performance.now() < warmUntil; warmUp += 1) sink += work();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    const until = performance.now() + ROUND_MS;
    let done = 0;
    while (performance.now() < until) {
      sink += work();
      done += 1;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / done;
  });
  if (sink < 0) throw new Error("unreachable");
  return Math.min(...rounds);
}

if (import.meta.main) await benchPolicy();
