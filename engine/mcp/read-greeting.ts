/**
 * What a server says of itself when a connection begins → what the SDK goes on with. Only the tools of a server are used, so what it leaves
 * out, or says in a way of its own, is no reason to refuse it.
 */
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { type Fields, isFields } from './read-message.ts';

/** The result of `initialize`, with what is missing in it. A revision that the SDK does not know counts as the latest. */
export function readableGreeting({ protocolVersion, capabilities, instructions }: Fields): Fields {
  const isKnown = typeof protocolVersion === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  const { tools } = isFields(capabilities) ? capabilities : {};
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: isFields(tools) || tools === true ? { tools: {} } : {},
    serverInfo: { name: 'unknown', version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
