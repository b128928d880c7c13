/**
 * What tools do outside passes the gate as well, beside the call itself.
 */
import type { Capabilities } from '../kernel/capabilities.ts';
import { withGate } from '../kernel/gated-capabilities.ts';
import type { ToolContext } from './tool-source.ts';

/** The same abilities, behind the gate of the call. */
export function gated<Can extends Partial<Capabilities>>(can: Can, { gate }: Pick<ToolContext, 'gate'>): Can {
  // All that was there is there again, behind the gate.
  return gate === undefined ? can : (withGate(can, gate) as Can);
}
