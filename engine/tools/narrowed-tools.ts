/**
 * Tools of which more is asked than their manifests say: what stands behind them, and whoever has written them, counts as well.
 */
import type { ToolDescription } from '../kernel/tool-capability.ts';
import type { RunnableTool, ToolLimits } from './tool-source.ts';

const risks = ['low', 'medium', 'high'] as const;

/**
 * A tool that calls another one: neither asks for less than both would.
 * @param inner what is called, with the same parameters
 */
export function standingFor(tool: RunnableTool, inner: RunnableTool): RunnableTool {
  const [outer, other] = [tool.description, inner.description];
  const effects = outer.effects === 'idempotent' ? other.effects : 'external';
  return {
    ...tool,
    description: {
      ...outer,
      effects,
      risk: risks[Math.max(risks.indexOf(outer.risk), risks.indexOf(other.risk))] ?? 'high',
      requiresApproval: outer.requiresApproval || other.requiresApproval,
      tags: {
        accessesPrivateData: outer.tags.accessesPrivateData || other.tags.accessesPrivateData,
        receivesUntrustedInput: outer.tags.receivesUntrustedInput || other.tags.receivesUntrustedInput,
        communicatesExternally: outer.tags.communicatesExternally || other.tags.communicatesExternally,
      },
    },
    limits: limitsOf(tool, inner, effects),
    standsFor: other,
    ...(inner.pin === undefined ? {} : { pin: inner.pin }),
  };
}

/** A tool that calls another one of which nothing is known yet: that counts as the worst. */
export function standingForUnknown(tool: RunnableTool): RunnableTool {
  const tags = { accessesPrivateData: true, receivesUntrustedInput: true, communicatesExternally: true };
  return { ...tool, description: { ...tool.description, effects: 'external', risk: 'high', tags } };
}

/** What acts outside is called each time; the manifest says how often it is tried, and the shorter time-out holds. */
function limitsOf({ limits = {} }: RunnableTool, inner: RunnableTool, effects: ToolDescription['effects']): ToolLimits {
  const { cacheMs, ...own } = limits;
  const times = [own.timeoutMs, inner.limits?.timeoutMs].filter((ms) => ms !== undefined);
  return {
    ...own,
    ...(times.length === 0 ? {} : { timeoutMs: Math.min(...times) }),
    ...(cacheMs === undefined || effects === 'external' ? {} : { cacheMs }),
  };
}

/**
 * A tool that came with a pack, whose words about itself are those of a stranger: a web server's answers are strangers' words and
 * asking it sends something out, whatever the manifest says; a person agrees to each use of a server of the workspace, and to each call
 * where nobody trusts the workspace, unless the tool only computes.
 */
export function ofStranger(description: ToolDescription, isTrusted: boolean): ToolDescription {
  const { kind, tags, requiresApproval } = description;
  const asks = kind === 'mcp' || (!isTrusted && kind !== 'js');
  return {
    ...description,
    requiresApproval: requiresApproval || asks,
    tags: kind === 'http' ? { ...tags, receivesUntrustedInput: true, communicatesExternally: true } : tags,
  };
}
