// What MCP's clients say: the messages of `/mcp`, and the inputs of the tools it has. Apart from the rest: only that door needs it.
export {
  jsonRpcAnswerSchema,
  jsonRpcProblemSchema,
  type McpMessage,
  mcpMessageSchema,
  withJsonRpcError,
  describeToolsInputSchema,
  memorySearchInputSchema,
  runCodeInputSchema,
  searchToolsInputSchema,
  taskResultInputSchema,
} from "./json-rpc.ts";
