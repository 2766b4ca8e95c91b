/** Files that somebody drops on the page, wherever that is. */
export function takeDrops(
  take: {
    readonly onFiles: (files: readonly File[]) => void;
    /** They are held over the page, or not any more. */
    readonly onOver: (isOver: boolean) => void;
  },
  signal: AbortSignal,
): void {
  const listen = (name: "dragover" | "dragleave" | "drop", listener: (event: DragEvent) => void): void =>
    document.addEventListener(name, listener, { signal });
  listen("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    take.onOver(true);
  });
  // Without a place that it leads to, it leads out of the window.
  listen("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) take.onOver(false);
  });
  listen("drop", (event) => {
    take.onOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    take.onFiles([...(event.dataTransfer?.files ?? [])]);
  });
}

/** A browser leaves the page to show a file that nobody takes. */
export function refuseDrops(signal: AbortSignal): void {
  for (const name of ["dragover", "drop"] as const)
    window.addEventListener(
      name,
      (event) => {
        if (event.defaultPrevented || !hasFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "none";
      },
      { signal },
    );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;
