/** What the module can be called as: the tools of `c/tools.def`, sorted. */
export const toolNames: readonly string[] = [
  "cat",
  "cut",
  "false",
  "grep",
  "head",
  "paste",
  "rev",
  "sort",
  "tac",
  "tail",
  "tee",
  "tr",
  "true",
  "uniq",
  "wc",
  "yes",
];
