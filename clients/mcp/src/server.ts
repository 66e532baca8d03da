import { apiVersion, EventApiConnectionError, EventApiError } from '@event-api/client';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Api, Tool } from './tool.ts';
import { readTools } from './tools/read.ts';
import { saleTools } from './tools/sale.ts';
import { seatTools } from './tools/seats.ts';
import { writeTools } from './tools/write.ts';

const instructions = `Tools for one business unit of the Event Developer API. Begin with list_events, and read a guide for a task that no
tool does. Amounts are integers in the minor unit of the currency, times are in UTC. A tool that changes something only
describes the change, until it is called with confirm: true. Show that description to the person first.`;

/**
 * A server with the tools for the records of a key. Tools that change something exist only with
 * `allowWrites`, and each of them changes something only with `confirm: true`.
 */
export function createServer(api: Api, { allowWrites }: { allowWrites: boolean }): McpServer {
  const info = { name: 'event-api', title: 'Event Developer API', version: apiVersion };
  const server = new McpServer(info, { instructions, capabilities: { tools: {} } });
  const writes = [...writeTools, ...saleTools, ...seatTools];
  for (const tool of [...readTools, ...(allowWrites ? writes : [])]) register(server, api, tool);
  return server;
}

const confirm = z
  .boolean()
  .default(false)
  .describe('Without it, nothing changes and the result describes what would change.');

const preview = {
  nothingChanged: z.literal(true).optional(),
  wouldChange: z.record(z.string(), z.unknown()).optional(),
  toDoIt: z.string().optional(),
};

function register(server: McpServer, api: Api, tool: Tool): void {
  const isRead = tool.kind === 'read';
  const { title, description } = tool;
  const annotations = {
    readOnlyHint: isRead,
    destructiveHint: !isRead && tool.isDestructive,
    openWorldHint: false,
  };
  // A misspelt filter that is ignored would return everything.
  const inputSchema = (isRead ? tool.input : tool.input.extend({ confirm })).strict();
  const outputSchema: z.ZodObject = isRead ? tool.output : tool.output.partial().extend(preview);
  const config = { title, description, inputSchema, outputSchema, annotations };
  server.registerTool(tool.name, config, async (input) =>
    resultOf(outputSchema, async () => {
      if (isRead) return tool.run(api, input);
      const { confirm: isConfirmed, ...rest } = input;
      if (isConfirmed) return tool.run(api, rest);
      const wouldChange = await tool.preview(api, rest);
      const { toDoIt = 'call the tool with confirm: true' } = tool;
      return { nothingChanged: true, wouldChange, toDoIt };
    }),
  );
}

/**
 * The result with the fields of its schema, as JSON and as text. What the API rejects is a result,
 * too, so that the assistant can correct it.
 */
async function resultOf(schema: z.ZodObject, run: () => Promise<object>): Promise<CallToolResult> {
  try {
    const structuredContent = schema.parse(await run());
    return { content: [textOf(structuredContent)], structuredContent };
  } catch (error) {
    const rejection = describe(error);
    if (rejection === null) throw error;
    return { content: [textOf(rejection)], isError: true };
  }
}

const textOf = (result: object) => ({
  type: 'text' as const,
  text: JSON.stringify(result, null, 1),
});

function describe(error: unknown): object | null {
  if (error instanceof EventApiConnectionError) return { message: error.message };
  if (!(error instanceof EventApiError)) return null;
  const { message, httpStatus, status, reason, details, requestId } = error;
  const hint = httpStatus === 403 ? 'the key is restricted and may not do this' : undefined;
  return { message, httpStatus, status, reason, details, requestId, hint };
}
