// The program a model would write for “throw away my old notes”, over the API in examples/openapi.
const old = await tools.notebook.notes.list({ tag: ["old"], maxPages: 10 });
console.log(`${old.length} old notes`);
for (const { id } of old) await tools.notebook.notes.remove({ id });
const added = await tools.notebook.notes.add({
  body: { text: `Tidied up: ${old.map(({ text }) => text).join(", ")}` },
});
try {
  await tools.notebook.notes.remove({ id: 4711 });
} catch (thrown) {
  const error = thrown as ToolErrors["notebook.notes.remove"];
  if (error.status !== 404) throw error;
  console.log(`Number 4711: ${error.code}, ${error.body?.message}`);
}
return { added: added.id, left: (await tools.notebook.notes.list({ maxPages: 10 })).map(({ text }) => text) };
