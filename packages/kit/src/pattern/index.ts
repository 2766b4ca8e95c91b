// Patterns that take time in proportion to the text, whatever they are: of lines, and of paths.
export { compileGlob } from "./glob-pattern.ts";
export { compilePattern, type LinePattern } from "./line-pattern.ts";
