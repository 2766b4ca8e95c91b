// The way out to the network on Node. What does not belong here: what is requested over it.
export { checkAddresses, type Resolve, resolveBySystem } from "./check-addresses.ts";
export { createGuardedFetch, type GuardedFetchDeps } from "./create-guarded-fetch.ts";
