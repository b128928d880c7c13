/**
 * What is told of tools: what a model asked for, each attempt of a call, and what the call gave.
 */
import type { JsonValue } from '../flowspec/json-value.ts';

/** Why a call of a tool has failed. */
export type ToolErrorCategory =
  | 'validation_error'
  | 'auth_error'
  | 'not_found'
  | 'rate_limit'
  | 'timeout'
  | 'server_error';

interface ToolFields {
  /** Names the call in its attempt or input: what came of it is taken from the log when the work is done again. */
  readonly callKey: string;
  /** As people write it, for example `core.file_read`. */
  readonly tool: string;
}

/** What passes between a model and whoever calls tools for it. */
export type AgentToolEvent =
  /** A model has asked for a tool; `toolName` as people write it. */
  | {
      readonly type: 'agent:tool:start';
      readonly callKey: string;
      readonly toolName: string;
      readonly input: JsonValue;
    }
  /** What the model is told of it, which may be a refusal. */
  | {
      readonly type: 'agent:tool:complete';
      readonly callKey: string;
      readonly toolName: string;
      readonly result: JsonValue;
      readonly isError: boolean;
    };

export type ToolEvent =
  | AgentToolEvent
  /** Durable before the tool acts: one that is not `idempotent` and has no result was cut, and is not called again without asking. */
  | ({
      readonly type: 'tool:attempt';
      /** From 1. */
      readonly attempt: number;
      readonly params: JsonValue;
      readonly effects: 'idempotent' | 'external';
    } & ToolFields)
  | ({
      readonly type: 'tool:retry';
      /** The next one. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: { readonly code: ToolErrorCategory; readonly message: string };
    } & ToolFields)
  | ({
      readonly type: 'tool:result';
      /** How many were made; 0 = it was refused, or came from the cache. */
      readonly attempts: number;
      readonly result: JsonValue;
      /** Of `result`, which may be stored elsewhere. */
      readonly isError: boolean;
      /** Milliseconds, from the first attempt on. */
      readonly durationMs: number;
      /** What ran it: `core`, `http`, `command`, `lua`, `js`, `mcp`, `agent`, `flow`. */
      readonly backend: string;
      /** It was replayed, so that nothing acted. */
      readonly fromCassette?: true;
    } & ToolFields);
