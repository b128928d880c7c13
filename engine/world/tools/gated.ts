/**
 * Applies the gate to effects within a tool, in addition to the call itself.
 */
import type { Capabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import { withGate } from '../../runtime/kernel/capabilities/gated-capabilities.ts';
import type { ToolContext } from './tool-source.ts';

/** Returns the same capabilities behind the call's gate. */
export function gated<Can extends Partial<Capabilities>>(can: Can, { gate }: Pick<ToolContext, 'gate'>): Can {
  // The result has the same members, behind the gate.
  return gate === undefined ? can : (withGate(can, gate) as Can);
}
