/** How a model wants its texts marked, by what they are for. */
export type Prompts = Readonly<Record<"question" | "text", (text: string) => string>>;

const before = (question: string, text: string): Prompts => ({
  question: (asked) => `${question}${asked}`,
  text: (said) => `${text}${said}`,
});

/** As the models' own pages say. By a part of the name, because servers name the same model in several ways. */
const BY_NAME: readonly (readonly [part: RegExp, prompts: Prompts])[] = [
  [/embedding-?gemma/i, before("task: search result | query: ", "title: none | text: ")],
  [/nomic-embed-text/i, before("search_query: ", "search_document: ")],
  [/(?:^|[/_-])(?:multilingual-)?e5-(?:small|base|large)(?!.*instruct)/i, before("query: ", "passage: ")],
  [/bge-(?:small|base|large)-en/i, before("Represent this sentence for searching relevant passages: ", "")],
  [/mxbai-embed/i, before("Represent this sentence for searching relevant passages: ", "")],
  [/snowflake-arctic-embed/i, before("query: ", "")],
];

/** Undefined if the model takes texts as they are. */
export function promptsOf(model: string): Prompts | undefined {
  return BY_NAME.find(([part]) => part.test(model))?.[1];
}
