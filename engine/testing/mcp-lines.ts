/**
 * Lines that a client sends to an MCP server over stdin.
 */

const about = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** The lines with which a client connects. */
export const mcpGreeting =
  lineOf({ id: 0, method: 'initialize', params: about }) + lineOf({ method: 'notifications/initialized' });

/** Returns a call of a tool. @param id of the response */
export function mcpCall(id: number, name: string, args: Readonly<Record<string, unknown>>): string {
  return lineOf({ id, method: 'tools/call', params: { name, arguments: args } });
}

function lineOf(message: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
