// Commands that a shell has because its host does something for them. What the host allows is decided elsewhere.
export { createCurl } from "./curl/run-curl.ts";
export type { HostAnswer, HostNetwork, HostRequest } from "./host-network.ts";
export { createGit } from "./git/run-git.ts";
export { GIT_FOLDER } from "./git/git-files.ts";
