// After `npm ci`: builds the page. Where that cannot be done (no development packages, an older Node), the daemon
// says what is missing.
try {
  const { buildPage } = await import("./build-page.ts");
  await buildPage();
} catch (error) {
  process.stdout.write(
    `The page could not be built: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}
