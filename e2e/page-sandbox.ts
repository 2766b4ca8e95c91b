import type { BridgeCall, CellSpec, RunningCell, Sandbox } from "@deputy/codemode";
import type { Page } from "playwright-core";
import type { PageSpec, SandboxPage } from "./sandbox-page.ts";

/** Sandboxes that live in a page, as if they were here: so that one suite tests them too. */
export interface PageSandboxes {
  create(limits: "suited" | "as given"): Sandbox;
}

export async function openPageSandboxes(page: Page): Promise<PageSandboxes> {
  const tellers = new Map<number, (call: BridgeCall) => void>();
  await page.exposeFunction("tellCall", (cell: number, call: BridgeCall) => tellers.get(cell)?.(call));
  let sandboxes = 0;
  let cells = 0;

  const ask = <Name extends keyof SandboxPage>(
    name: Name,
    ...args: Parameters<SandboxPage[Name]>
  ): Promise<Awaited<ReturnType<SandboxPage[Name]>>> =>
    page.evaluate(([method, given]) => Reflect.apply(globalThis.sandboxPage[method], undefined, given), [
      name,
      args,
    ] as const);

  const start = (sandbox: number, { onCall, image, ...spec }: CellSpec, signal: AbortSignal): RunningCell => {
    cells += 1;
    const id = cells;
    tellers.set(id, onCall);
    const sent: PageSpec = { ...spec, image: image && [...image] };
    // With the start, since a short cell could end before a second message arrives.
    const started = ask("start", sandbox, id, sent, signal.aborted);
    const stop = (): void => void ask("abort", id);
    signal.addEventListener("abort", stop, { once: true });
    const outcome = started
      .then(() => ask("outcome", id))
      .finally(() => signal.removeEventListener("abort", stop));
    return {
      settle: (call, settlement) => void ask("settle", id, call, settlement),
      async hibernate() {
        const bytes = await ask("hibernate", id);
        return bytes && Uint8Array.from(bytes);
      },
      quiet: () => ask("quiet", id),
      outcome,
    };
  };

  return {
    create(limits) {
      sandboxes += 1;
      const id = sandboxes;
      void ask("open", id, limits);
      return {
        start: (spec, signal) => start(id, spec, signal),
        [Symbol.asyncDispose]: () => ask("dispose", id),
      };
    },
  };
}
