import type { OutputItem } from "@deputy/protocol";

/**
 * The calls that brought nothing, in words: one that failed, the same one again, and a search for tools of which none
 * was used afterwards.
 */
export function wastedCalls(output: readonly OutputItem[]): readonly string[] {
  const used = new Set<string>();
  for (const item of output)
    if (item.type === "script_execution_output") for (const { fn } of item.operations) used.add(fn);
  const made = new Set<string>();
  const wasted: string[] = [];
  const make = (call: string): void => {
    if (made.has(call)) wasted.push(`again: ${call}`);
    made.add(call);
  };
  for (const item of output) {
    if (item.type === "function_call" && item.name !== "approval")
      make(`${item.name}(${JSON.stringify(item.arguments)})`);
    if (item.type === "function_call_output" && item.status === "failed")
      wasted.push(`failed: ${item.output}`);
    if (item.type === "script_execution_output") {
      for (const { fn, args } of item.operations) make(`${fn}(${JSON.stringify(args)})`);
      if (item.error !== null) wasted.push(`failed: ${item.error.message}`);
    }
    if (item.type === "function_call" && item.name === "search_tools") {
      const answer = output.find(
        (one) => one.type === "function_call_output" && one.call_id === item.call_id,
      );
      const found = answer?.type === "function_call_output" ? answer.output : "";
      if (![...used].some((path) => found.includes(path)))
        wasted.push(`found nothing of use: ${JSON.stringify(item.arguments)}`);
    }
  }
  return wasted;
}
