// A cell over an MCP server: listing just runs, lending waits for your approval.
const { books } = await tools.shelf.list_books();
const free = books.find((book) => book.lentTo === null);
if (free === undefined) return "Everything is lent.";
const { text } = await tools.shelf.lend_book({ title: free.title, to: "Ada" });
return text;
