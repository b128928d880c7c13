/**
 * What models and the engine say to each other about tools: which there are, which the model calls, and what they gave.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

/** A tool that a model may call. */
export interface ModelTool {
  /** As models know it: letters, digits, `_` and `-` only. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of a map. */
  readonly inputSchema: JsonMap;
}

/** A model wants a tool to be called. */
export interface ModelToolCall {
  /** Unique in its conversation. */
  readonly id: string;
  /** As models know it. It may be none that the model was given. */
  readonly name: string;
  /** What the model gave as JSON, whether or not it fits; as a text, what it gave instead of JSON. */
  readonly input: JsonValue;
}

/** What a call of a tool gave, as the model is told. */
export interface ModelToolResult {
  readonly role: 'tool';
  readonly content: string;
  /** That of the call. */
  readonly toolCallId: string;
  /** That of the call. */
  readonly toolName: string;
  readonly isError?: true;
}
