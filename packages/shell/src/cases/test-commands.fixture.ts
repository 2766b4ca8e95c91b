import { BrokenPipe } from "../io/channel.ts";
import type { CommandRun, CommandTable, ExternalCommand } from "../command-table.ts";
import { decodeBytes, encodeText } from "../text/bytes.ts";
import { readInput } from "./read-input.fixture.ts";

/** A few real commands, so that scripts have something to pipe through. */
const commands: Readonly<Record<string, (run: CommandRun) => Promise<number>>> = {
  async cat(run) {
    const files = run.argv.slice(1);
    for (const file of files.length === 0 ? ["-"] : files) {
      const special = /^\/dev\/fd\/(\d+)$/.exec(file);
      const source =
        file === "-" ? run.stdin : special === null ? undefined : run.descriptors.get(Number(special[1]));
      if (source === undefined) {
        await run.stdout.write(run.fileSystem.readFile(file.startsWith("/") ? file : `${run.cwd}/${file}`));
        continue;
      }
      for await (const chunk of readInput(source)) await run.stdout.write(chunk);
    }
    return 0;
  },
  async yes(run) {
    const line = encodeText(`${run.argv[1] ?? "y"}\n`);
    for (;;) {
      run.signal.throwIfAborted();
      await run.stdout.write(line);
    }
  },
  async head(run) {
    let left = Number(run.argv[2] ?? 10);
    for await (const chunk of readInput(run.stdin)) {
      for (const line of decodeBytes(chunk).split(/(?<=\n)/)) {
        if (left === 0) return 0;
        await run.stdout.write(encodeText(line));
        left -= 1;
      }
      if (left === 0) return 0;
    }
    return 0;
  },
  async sort(run) {
    const lines = (await allText(run)).split("\n").slice(0, -1).sort();
    const text = (run.argv[1] === "-r" ? lines.toReversed() : lines).map((line) => `${line}\n`).join("");
    await run.stdout.write(encodeText(text));
    return 0;
  },
  async wc(run) {
    await run.stdout.write(encodeText(`${String((await allText(run)).split("\n").length - 1)}\n`));
    return 0;
  },
  async hang(run) {
    await new Promise((_, reject) => {
      run.signal.addEventListener("abort", () => reject(run.signal.reason as Error), { once: true });
    });
    return 0;
  },
};

async function allText(run: CommandRun): Promise<string> {
  let text = "";
  for await (const chunk of readInput(run.stdin)) text += decodeBytes(chunk);
  return text;
}

export const testCommands: CommandTable = {
  find(name): ExternalCommand | undefined {
    const own = name.replace(/^\/bin\//, "");
    const command = own.includes("/") || !Object.hasOwn(commands, own) ? undefined : commands[own];
    if (command === undefined) return undefined;
    return {
      path: `/bin/${own}`,
      async run(run) {
        try {
          return await command(run);
        } catch (error) {
          if (error instanceof BrokenPipe) return 141;
          throw error;
        }
      },
    };
  },
  names: () => Object.keys(commands),
};
