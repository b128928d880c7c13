/**
 * Defines what a tool of `millrace mcp` is, and the arguments that several tools have.
 */
import { z } from 'zod';
import type { JsonMap } from '../../isomorphic.ts';
import type { AskingRun } from './mcp-questions.ts';

/** A client's call of a tool. */
export interface McpCall {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** The client's name for itself, if it is known. */
  readonly client?: string;
  /** Reports progress; absent if the client did not ask for it. */
  readonly report?: (progress: { readonly progress: number; readonly message: string }) => void;
}

/** What a client receives. */
export interface McpAnswer {
  readonly value: JsonMap;
  /** The work failed. */
  readonly isError?: boolean;
  /** The run waits, and its flow lets the client answer. */
  readonly asks?: AskingRun;
}

/** A tool as shown to a client, and its implementation. */
export interface McpServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonMap;
  readonly isReading: boolean;
  /** @throws EngineError; ZodError for invalid arguments */
  call(args: unknown, call: McpCall): Promise<McpAnswer>;
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
  act(args: z.output<Schema>, call: McpCall): Promise<JsonMap>;
}

/** Creates a tool that only returns a value. A schema checks its arguments. */

export function toolOf<Schema extends z.ZodType>({ act, ...spec }: ToolSpec<Schema>): McpServedTool {
  return answeringTool({ ...spec, act: async (args, call) => ({ value: await act(args, call) }) });
}

type AnsweringSpec<Schema extends z.ZodType> = Omit<ToolSpec<Schema>, 'act'> & {
  act(args: z.output<Schema>, call: McpCall): Promise<McpAnswer>;
};

/** Creates a tool that can also report a failure together with its value. */
export function answeringTool<Schema extends z.ZodType>({
  schema,
  act,
  ...said
}: AnsweringSpec<Schema>): McpServedTool {
  return {
    ...said,
    inputSchema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonMap,
    call: async (args, call) => await act(schema.parse(args ?? {}), call),
  };
}
