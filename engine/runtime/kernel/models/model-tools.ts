/**
 * Tools in conversations with models: the available tools, the model's calls, and their results.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';

/** A tool that a model may call. */
export interface ModelTool {
  /** Name as used by models: letters, digits, `_` and `-` only. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of a map. */
  readonly inputSchema: JsonMap;
}

/** A tool call requested by a model. */
export interface ModelToolCall {
  /** ID that is unique in its conversation. */
  readonly id: string;
  /** Name as used by models. It may be one that was not offered to the model. */
  readonly name: string;
  /** The model's JSON input, whether or not it is valid; text if the input was not JSON. */
  readonly input: JsonValue;
}

/** The result of a tool call for the model. */
export interface ModelToolResult {
  readonly role: 'tool';
  readonly content: string;
  /** ID of the call. */
  readonly toolCallId: string;
  /** Name of the tool in the call. */
  readonly toolName: string;
  readonly isError?: true;
}
