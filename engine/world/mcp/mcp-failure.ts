/**
 * Explains, to people and models, why a server failed.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { seenText } from '../../language/json/shown-text.ts';
import type { ToolErrorCategory } from '../../runtime/kernel/events/tool-event.ts';
import { ToolFailure } from '../tools/tool-source.ts';
import { mcpConfigFile } from './mcp-config.ts';

/** Why a call failed, insofar as callers need to distinguish. */
export type McpCallFailureKind =
  | 'session-lost'
  | 'ended'
  | 'timeout'
  | 'refused'
  | 'no-such-tool'
  | 'bad-params'
  | 'other';

interface CallFailure {
  readonly server: string;
  /** Original error message, without secrets. */
  readonly why: string;
  /** Known information about how the server's program ended. */
  readonly end: string | undefined;
  readonly cause: unknown;
}

const categories: Readonly<Record<McpCallFailureKind, ToolErrorCategory>> = {
  'session-lost': 'server_error',
  ended: 'server_error',
  timeout: 'timeout',
  refused: 'auth_error',
  'no-such-tool': 'not_found',
  'bad-params': 'validation_error',
  other: 'server_error',
};

/** Returns the failure for a call. */
export function callFailure(trouble: McpCallFailureKind, { server, why, end, cause }: CallFailure): ToolFailure {
  const sentences: Readonly<Record<McpCallFailureKind, string>> = {
    'session-lost': `has lost the session: ${why}. The call was not repeated, because it may already have had an effect.`,
    ended: `ended before it responded. ${end ?? why}`,
    timeout: 'did not respond in time.',
    refused: `refused the request: ${why}. Check its headers in .mcp.json and the secrets that they use.`,
    'no-such-tool': `does not know the tool: ${why}.`,
    'bad-params': `does not accept these parameters: ${why}.`,
    other: `returned no result: ${why}.`,
  };
  return new ToolFailure(categories[trouble], `The MCP server ${server} ${sentences[trouble]}`, { cause });
}

/** Returns the system's or SDK's message, with its cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof z.ZodError) return `its response has an unexpected shape (${shapeOf(error)})`;
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT')
    return 'the program or its folder (cwd) does not exist; install the program, or write its path';
  if (code === 'EACCES') return 'the system does not allow it to run';
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  // The SDK stores the HTTP status in `code`; the message does not contain it.
  const status = typeof code === 'number' && code >= 400 && code < 600 ? ` (HTTP ${code})` : '';
  const { message: said } = error;
  return `${said.endsWith('.') ? said.slice(0, -1) : said}${status}${cause}`;
}

function shapeOf({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? 'reason unknown' : `${issue.path.join('.') || 'message'}: ${issue.message}`;
}

/** Code positions, lines of code, and text that runtimes and package managers add to every failure. */
const noise =
  /^\s*(?:$|at\s|\^+\s*$|File ".*", line \d+|Traceback |node:|Node\.js v\d|npm (?:notice|warn)|file:\/\/|\/[^ ]*:\d+$|\{$|\}$)/i;
const failureWords =
  /\w*(?:error|exception)\b|\bERR!|\b(?:fatal|panic(?:ked)?|fail(?:ed|ure|s)?|cannot|can't|could not|unable|not found|no such|denied|refused|missing|required|invalid|unknown|usage)\b/i;
const mostLines = 3;

/**
 * Returns the output of a program that is most likely to explain its exit: its last lines that look like an error, or
 * else its last lines.
 * @param log its lines, without secrets
 * @returns a sentence with a leading space; empty if the program wrote nothing
 */
export function lastErrorText(log: readonly string[]): string {
  const lines = log.filter((line) => !noise.test(line));
  const errors = lines.filter((line) => failureWords.test(line));
  const told = (errors.length > 0 ? errors.slice(-mostLines) : lines.slice(-1)).map((line) => seenText(line, 300));
  return told.length === 0 ? '' : ` It wrote: ${[...new Set(told)].join(' | ')}`;
}

/** @param problem a sentence */
export function cannotBeUsed(tool: string, problem: string): EngineError {
  return new EngineError({ code: 'mcp.unusable-tool', message: problem, details: { tool } });
}

/** Error for a server that cannot be started in an untrusted workspace. */
export function untrusted(server: string): EngineError {
  return new EngineError({
    code: 'mcp.untrusted',
    message: `The MCP server ${server} is not started, because this workspace is not trusted. Check what ${mcpConfigFile} starts, then trust the workspace in Settings, or use --trust for one call.`,
  });
}
