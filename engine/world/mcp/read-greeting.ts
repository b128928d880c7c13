/**
 * Completes the response to `initialize` before the SDK validates it. Millrace uses only the tools of a server, so a
 * missing or unusual field does not matter.
 */
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { isFields, type MessageFields } from './read-message.ts';

/**
 * Returns the result of `initialize` with missing fields filled in. A revision unknown to the SDK counts as the latest
 * one.
 */
export function readableGreeting({ protocolVersion, capabilities, instructions }: MessageFields): MessageFields {
  const isKnown = typeof protocolVersion === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  const { tools } = isFields(capabilities) ? capabilities : {};
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: isFields(tools) || tools === true ? { tools: {} } : {},
    serverInfo: { name: 'unknown', version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
