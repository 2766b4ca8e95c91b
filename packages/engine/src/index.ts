// The engine: turn, gate, cells, approvals, tasks and conversations, put together from ports. Portable.
// What does not belong here: anything that opens a file, a socket or a process.
export { assembleEngine } from "./assemble-engine.ts";
export type {
  EngineAgents,
  EnginePorts,
  Notifications,
  PluginPort,
  ToolSets,
  TurnPorts,
  TurnServices,
} from "./engine-ports.ts";
export type { Engine } from "./engine.ts";
