/**
 * A workspace's gate, which checks every effect of flows, agents and tools.
 */
import type {
  ActRequest,
  ActVerdict,
  DecidingFile,
  EffectPolicy,
  GovernanceCapability,
} from '../kernel/capabilities/effect.ts';
import type { GovernanceEvent } from '../kernel/events/run-event.ts';
import { deniedFreedom, judgeAct } from './autonomy.ts';
import { createEffectGate } from './effect-gate.ts';
import type { PolicySource } from './layered-policy.ts';

interface WorkspaceGateOptions {
  readonly policy: EffectPolicy;
  /** Absolute path. */
  readonly workspace: string;
  /** Called before each effect. */
  readonly isTrusted: () => Promise<boolean>;
  /** Returns the deciding file that a node would write. @param path path as written in the node */
  readonly decidedBy?: (path: string) => Promise<DecidingFile | undefined>;
  /**
   * Policies that allow runs to act without asking, read before each act. If absent, a run's declared level is allowed.
   */
  readonly policies?: PolicySource;
}

/** Creates a function that opens the gate for a run, node or tool, and emits decisions there. */
export function createWorkspaceGate({
  policy,
  workspace,
  isTrusted,
  decidedBy,
  policies,
}: WorkspaceGateOptions): GovernanceCapability {
  return {
    open({ hub, isDry = false }) {
      const { autonomy: level } = hub;
      const gate = createEffectGate({
        policy,
        onDecision: (decision) => hub.emit({ type: 'governance:decision', ...decision }),
      });
      const place = 'elsewhere';
      const { isUnseen } = hub;
      return {
        isUnseen,
        async pass(asked, signal) {
          const trusted = isUnseen !== true && (await isTrusted());
          const { products } = hub;
          const { effect, target, maxTokens, said, value, mayAsk } = asked;
          const decides = effect === 'write' ? await decidedBy?.(target) : undefined;
          // Listing the fields is faster than a spread plus more fields, and this code runs before each effect.
          const request = {
            effect,
            target,
            maxTokens,
            said,
            value,
            mayAsk,
            decides,
            place,
            workspace,
            isDry,
            actor: 'node',
            isTrusted: trusted,
            isUnseen,
            products,
          } as const;
          return await gate.pass(request, signal);
        },
        act(request) {
          if (level === undefined) return undefined;
          const layers = level === 'full_auto' ? policies?.(hub.products) : undefined;
          const verdict = (layers && deniedFreedom(request, layers)) ?? judgeAct(level, request);
          if (verdict.decision !== 'ask') hub.emit(toldOf(verdict, request));
          return verdict;
        },
      };
    },
  };
}

function toldOf(
  { decision, rule, level, reason, place }: ActVerdict,
  { act, target, params, approvedBy, isKept }: ActRequest,
): GovernanceEvent {
  const told = { type: 'governance:decision', rule, level, effect: act, target } as const;
  if (decision === 'allow') return { ...told, allowed: true, ...(approvedBy === undefined ? {} : { approvedBy }) };
  if (decision === 'deny') return { ...told, allowed: false, reason, ...(place === undefined ? {} : { place }) };
  const suggestion = isKept === true ? {} : { suggestion: { tool: target, params } };
  return { ...told, allowed: false, reason, ...suggestion };
}
