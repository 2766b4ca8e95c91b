/**
 * A reader may go away at any time (`| head -1`): what is written after that is dropped, and `onClosed`
 * hears of it. Any other failure of an output is thrown.
 */
export function guardOutput(onClosed: () => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      onClosed();
    });
  }
}
