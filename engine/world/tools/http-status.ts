/**
 * Converts an HTTP response status to a tool result (RFC 9110, section 15).
 */

import type { WebResponse } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { ToolErrorCategory } from '../../runtime/kernel/events/tool-event.ts';
import { ToolFailure } from './tool-source.ts';

const shownCharacters = 300;

const byStatus: Readonly<Record<number, ToolErrorCategory>> = {
  401: 'auth_error',
  403: 'auth_error',
  407: 'auth_error',
  404: 'not_found',
  410: 'not_found',
  408: 'timeout',
  504: 'timeout',
  429: 'rate_limit',
};

/** Returns undefined for a status below 400, which is not a failure. */
export function failureOfStatus({ status, text }: Pick<WebResponse, 'status' | 'text'>): ToolFailure | undefined {
  if (status < 400) return undefined;
  const category = byStatus[status] ?? (status < 500 ? 'validation_error' : 'server_error');
  const said = text.trim().slice(0, shownCharacters);
  return new ToolFailure(category, `The server responded with status ${status}${said === '' ? '.' : `: ${said}`}`);
}
