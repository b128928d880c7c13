/**
 * The gate of a workspace, before every effect of flows, agents and tools.
 */
import type { EffectPolicy, GovernanceCapability } from '../kernel/effect.ts';
import { createEffectGate } from './effect-gate.ts';

interface WorkspaceGateOptions {
  readonly policy: EffectPolicy;
  /** Absolute. */
  readonly workspace: string;
  /** Asked before each effect. */
  readonly isTrusted: () => Promise<boolean>;
}

/** Makes what opens the gate for a run, a node or a tool. What was decided is told there. */
export function createWorkspaceGate({ policy, workspace, isTrusted }: WorkspaceGateOptions): GovernanceCapability {
  return {
    open({ hub, isDry = false }) {
      const gate = createEffectGate({
        policy,
        onDecision: (decision) => hub.emit({ type: 'governance:decision', ...decision }),
      });
      const place = 'elsewhere';
      return {
        async pass(asked, signal) {
          const request = { ...asked, place, workspace, isDry, actor: 'node', isTrusted: await isTrusted() } as const;
          return await gate.pass({ ...request, products: hub.products }, signal);
        },
      };
    },
  };
}
