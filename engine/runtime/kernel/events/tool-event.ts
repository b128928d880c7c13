/**
 * Tool events: a model's request, each attempt of a call, and the result.
 */
import type { JsonValue } from '../../../language/json/json-value.ts';

/** The reasons why tool calls fail. */
export const toolErrorCategories = [
  ...(['validation_error', 'auth_error', 'not_found', 'rate_limit', 'timeout', 'server_error'] as const),
] as const;

/** Why a tool call failed. */
export type ToolErrorCategory = (typeof toolErrorCategories)[number];

interface ToolFields {
  /** Identifies the call in its attempt or input. When the work runs again, the result is taken from the log. */
  readonly callKey: string;
  /** Name as people write it, for example `core.file_read`. */
  readonly tool: string;
}

/** Messages between a model and the code that calls tools for it. */
export type AgentToolEvent =
  /** A model requested a tool call. `toolName` is the name as people write it. */
  | {
      readonly type: 'agent:tool:start';
      readonly callKey: string;
      readonly toolName: string;
      readonly input: JsonValue;
    }
  /** The result that the model receives, which may be a refusal. */
  | {
      readonly type: 'agent:tool:complete';
      readonly callKey: string;
      readonly toolName: string;
      readonly result: JsonValue;
      readonly isError: boolean;
    };

export type ToolEvent =
  | AgentToolEvent
  /**
   * Written durably before the tool acts. A tool that is not `idempotent` and has no result was interrupted, and is not
   * called again without approval.
   */
  | ({
      readonly type: 'tool:attempt';
      /** Attempt number, from 1. */
      readonly attempt: number;
      readonly params: JsonValue;
      readonly effects: 'idempotent' | 'external';
    } & ToolFields)
  | ({
      readonly type: 'tool:retry';
      /** Number of the next attempt. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: { readonly code: ToolErrorCategory; readonly message: string };
    } & ToolFields)
  | ({
      readonly type: 'tool:result';
      /** Number of attempts; 0 if the call was refused or its result came from the cache. */
      readonly attempts: number;
      readonly result: JsonValue;
      /** Whether `result`, which may be stored elsewhere, is an error. */
      readonly isError: boolean;
      /** Milliseconds since the first attempt started. */
      readonly durationMs: number;
      /** The tool's kind: `core`, `http`, `command`, `lua`, `js`, `mcp`, `agent` or `flow`. */
      readonly backend: string;
      /** The result was replayed; the tool did not act. */
      readonly fromCassette?: true;
    } & ToolFields);
