/**
 * Converts tool errors to results.
 */
import { cutMessage } from '../../base/cut-text.ts';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { ToolResult } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { ToolErrorCategory } from '../../runtime/kernel/events/tool-event.ts';
import { ToolFailure } from './tool-source.ts';

export type FailedResult = Extract<ToolResult, { readonly status: 'error' }>;

/** A failure before it is converted to a result. */
export interface ToolFailureReason {
  readonly category: ToolErrorCategory;
  readonly message: string;
  readonly isRetryable: boolean;
  /** Code of the thrown `EngineError`. */
  readonly code?: string;
}

/** Categories by the code or code prefix of an `EngineError`; the first match wins. */
const categories: readonly (readonly [start: string, category: ToolErrorCategory])[] = [
  ['tool.unknown', 'not_found'],
  ['mcp.unusable-tool', 'not_found'],
  ['tool.bad-param', 'validation_error'],
  ['files.not-found', 'not_found'],
  ['files.no-folder', 'not_found'],
  ['files.outside', 'auth_error'],
  ['files.not-writable', 'auth_error'],
  ['files.not-readable', 'auth_error'],
  ['files.protected', 'auth_error'],
  ['files.', 'validation_error'],
  ['effect.denied', 'auth_error'],
  ['approval.rejected', 'auth_error'],
  ['secret.', 'auth_error'],
  ['json.', 'validation_error'],
  ['web.bad-', 'validation_error'],
  ['web.too-large', 'validation_error'],
  ['command.not-started', 'not_found'],
  ['agent.not-found', 'not_found'],
  ['pack.not-found', 'not_found'],
  ['flow.not-callable', 'not_found'],
  ['flow.bad-inputs', 'validation_error'],
  ['template.', 'validation_error'],
  ['model.rate-limited', 'rate_limit'],
  ['model.missing-key', 'auth_error'],
  ['node.timeout', 'timeout'],
  ['lua.timeout', 'timeout'],
  ['js.timeout', 'timeout'],
];

/** Codes of temporary failures. */
const passing: ReadonlySet<string> = new Set([
  'web.unreachable',
  'web.broken',
  'model.rate-limited',
  'model.unavailable',
]);

/** Accepts any thrown value. */
export function failureOf(thrown: unknown): ToolFailureReason {
  if (thrown instanceof ToolFailure) {
    const { category, message, isRetryable } = thrown;
    return { category, message: cutMessage(message), isRetryable };
  }
  const { code, message, recoverable } = toErrorRecord(thrown);
  const category = categories.find(([start]) => code.startsWith(start))?.[1] ?? 'server_error';
  return { category, message, isRetryable: recoverable === true || passing.has(code), code };
}

/** @param attempt number of the last attempt; 0 if there was none */
export function failedResult(
  tool: string,
  failure: ToolFailureReason,
  attempt: number,
  more: JsonMap = {},
): FailedResult {
  const { category, message, isRetryable, code } = failure;
  const metadata = { ...more, tool_id: tool, attempt, ...(code === undefined ? {} : { code }) };
  return { status: 'error', error_category: category, message, retryable: isRetryable, metadata };
}

/** Returns a failure that no tool threw. */
export function trouble(category: ToolErrorCategory, message: string, code?: string): ToolFailureReason {
  const isRetryable = new ToolFailure(category, message).isRetryable;
  return { category, message, isRetryable, ...(code === undefined ? {} : { code }) };
}

/** Returned in a dry run instead of calling a tool with effects. */
export function refusedDry(tool: string): ToolFailureReason {
  const message = `${tool} was not called, because a dry run does not change, send or start anything.`;
  return { ...trouble('auth_error', message, 'effect.denied'), isRetryable: false };
}
