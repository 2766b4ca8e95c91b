// The server that the conformance suite expects, as a process that speaks over stdio.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildEverythingServer } from "./everything-server.ts";

serveStdio(buildEverythingServer as never);
