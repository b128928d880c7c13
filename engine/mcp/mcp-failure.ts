/**
 * Why a server has not done what it was asked for, in words for people and models.
 */
import type { ToolErrorCategory } from '../kernel/tool-event.ts';
import { ToolFailure } from '../tools/tool-source.ts';
import type { CallTrouble } from './mcp-connection.ts';

interface CallFailure {
  readonly server: string;
  /** What was thrown, in its own words, without secrets. */
  readonly why: string;
  /** What is known of the end of its program. */
  readonly end: string | undefined;
  readonly cause: unknown;
}

const categories: Readonly<Record<CallTrouble, ToolErrorCategory>> = {
  'session-lost': 'server_error',
  ended: 'server_error',
  timeout: 'timeout',
  refused: 'auth_error',
  'no-such-tool': 'not_found',
  'bad-params': 'validation_error',
  other: 'server_error',
};

/** The failure of a call. */
export function callFailure(trouble: CallTrouble, { server, why, end, cause }: CallFailure): ToolFailure {
  const sentences: Readonly<Record<CallTrouble, string>> = {
    'session-lost': `has forgotten the session: ${why}. The call was not repeated, because it may have acted.`,
    ended: `has ended before it answered. ${end ?? why}`,
    timeout: 'did not answer in time.',
    refused: `does not accept who asks: ${why}. Check its headers in .mcp.json, and the secrets that they name.`,
    'no-such-tool': `does not know the tool: ${why}.`,
    'bad-params': `does not take these parameters: ${why}.`,
    other: `has given no result: ${why}.`,
  };
  return new ToolFailure(categories[trouble], `The MCP server ${server} ${sentences[trouble]}`, { cause });
}

/** What the system or the SDK says, with what stands behind it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT')
    return 'there is no such program, or its folder (cwd) is missing; install it, or write its path';
  if (code === 'EACCES') return 'the system does not let it be executed';
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  // The SDK keeps the status of an HTTP answer there; its words do not say it.
  const status = typeof code === 'number' && code >= 400 && code < 600 ? ` (HTTP ${code})` : '';
  const { message: said } = error;
  return `${said.endsWith('.') ? said.slice(0, -1) : said}${status}${cause}`;
}
