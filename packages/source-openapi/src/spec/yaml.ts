// Loaded with the first document in YAML. A bundle gives whoever imports the package itself at run time its default
// export and nothing else, because it is CommonJS.
export { parse } from "yaml";
