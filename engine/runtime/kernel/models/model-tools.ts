/**
 * Tools in model conversations: the available tools, the model's calls, and their results.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';

/** A tool that a model may call. */
export interface ModelTool {
  /** Name in the form that models use: only letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of a map. */
  readonly inputSchema: JsonMap;
}

/** A tool call requested by a model. */
export interface ModelToolCall {
  /** ID that is unique in the conversation. */
  readonly id: string;
  /** Name in the form that models use. The tool may be one that was not offered to the model. */
  readonly name: string;
  /** The model's JSON input, valid or not; text if the input was not JSON. */
  readonly input: JsonValue;
}

/** A tool call's result for the model. */
export interface ModelToolResult {
  readonly role: 'tool';
  readonly content: string;
  /** The call's ID. */
  readonly toolCallId: string;
  /** The tool's name in the call. */
  readonly toolName: string;
  readonly isError?: true;
}
