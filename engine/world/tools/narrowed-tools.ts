/**
 * Restricts tools beyond their manifests, based on the tools they call and on who wrote them.
 */
import type { ToolDescription } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { RunnableTool, ToolLimits } from './tool-source.ts';

const risks = ['low', 'medium', 'high'] as const;

/**
 * Returns a tool that calls another one, with the stricter requirements of both.
 * @param inner the tool that is called with the same parameters
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

/** Returns a tool that calls an unknown one, for which the worst is assumed. */
export function standingForUnknown(tool: RunnableTool): RunnableTool {
  const tags = { accessesPrivateData: true, receivesUntrustedInput: true, communicatesExternally: true };
  return { ...tool, description: { ...tool.description, effects: 'external', risk: 'high', tags } };
}

/**
 * A tool with external effects has no cache. The manifest sets the number of attempts, and the shorter timeout applies.
 */
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
 * Returns the description of a pack's tool, which is untrusted: responses of a web server count as untrusted input and
 * requests count as external communication, whatever the manifest declares. A person must approve each use of a
 * workspace MCP server, and each call in an untrusted workspace unless the tool only computes.
 */
export function restrictUntrustedTool(description: ToolDescription, isTrusted: boolean): ToolDescription {
  const { kind, tags, requiresApproval } = description;
  const asks = kind === 'mcp' || (!isTrusted && kind !== 'js');
  return {
    ...description,
    requiresApproval: requiresApproval || asks,
    tags: kind === 'http' ? { ...tags, receivesUntrustedInput: true, communicatesExternally: true } : tags,
  };
}
