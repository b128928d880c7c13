/**
 * Defines what a tool of `millrace mcp` is, and the arguments that several tools have.
 */
import { z } from 'zod';
import type { JsonMap } from '../../isomorphic.ts';

/** A tool as shown to a client, and its implementation. */
export interface McpServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonMap;
  readonly isReading: boolean;
  /** @throws EngineError; ZodError for invalid arguments */
  call(args: unknown, signal: AbortSignal): Promise<JsonMap>;
}

/** Names a file. */
export const fileArgument = z.string().min(1).max(4_096).describe('Path of a file, relative to the workspace.');
/** Names a run. */
export const runArgument = z.string().min(1).max(200).describe('Number or ID of a run.');
/** Names a proposal. */
export const proposalArgument = z.string().min(1).max(100).describe('ID of a proposal, as returned by propose_edit.');

interface ToolSpec<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly isReading: boolean;
  act(args: z.output<Schema>, signal: AbortSignal): Promise<JsonMap>;
}

/** Creates a tool. A schema checks its arguments. */
export function toolOf<Schema extends z.ZodType>({ schema, act, ...said }: ToolSpec<Schema>): McpServedTool {
  return {
    ...said,
    inputSchema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonMap,
    call: async (args, signal) => await act(schema.parse(args ?? {}), signal),
  };
}
