/**
 * Finds the permissions that a conversation may need: those of the flows and agents used as policies in its catalog.
 */
import { distinctNeeds, needKey } from '../../base/consent.ts';
import type { PermissionPlan, PlannedStart } from '../../host/plans/permission-plan.ts';
import type { RunPlans } from '../../host/plans/run-plans.ts';
import type { ConversationWorld } from '../turns/conversation-world.ts';

/** A conversation to start, identified by the path of its catalog. */
export interface PlannedConversation {
  readonly by: 'startConversation';
  readonly request: { readonly path: string };
}

interface ConversationPlans extends RunPlans {
  findPermissions(start: PlannedStart | PlannedConversation): Promise<PermissionPlan>;
}

/** Extends run plans with the permissions of conversations. */
export function withConversations(
  plans: RunPlans,
  world: Pick<ConversationWorld, 'readText' | 'flowClasses'>,
): ConversationPlans {
  const find = plans.findPermissions;
  return {
    ...plans,
    async findPermissions(start) {
      if (start.by !== 'startConversation') return await find(start);
      const starts = await policyStarts(start.request.path, world);
      // A policy that cannot run fails when its turn comes, and the other flows still work.
      const found = await Promise.all(
        starts.map(async ({ path, start: one }) => ({ path, plan: await find(one).catch(() => undefined) })),
      );
      return joined(found);
    },
  };
}

interface PolicyStart {
  /** Name shown to people. */
  readonly path: string;
  readonly start: PlannedStart;
}

/** Returns a catalog's policies as run starts. @throws EngineError `dialogue.invalid` | `files.*` */
async function policyStarts(
  path: string,
  world: Pick<ConversationWorld, 'readText' | 'flowClasses'>,
): Promise<readonly PolicyStart[]> {
  const [{ loadCatalogue }, { pathIn }] = await Promise.all([
    import('../turns/load-catalogue.ts'),
    import('../turns/policy-spec.ts'),
  ]);
  const { catalogue } = await loadCatalogue(path, await world.readText(path), world);
  const starts = new Map<string, PolicyStart>();
  for (const { policy } of catalogue.flows.values()) {
    if ('agent' in policy)
      starts.set(policy.agent, { path: policy.agent, start: { by: 'startAgent', request: { agent: policy.agent } } });
    if (!('flow' in policy)) continue;
    const file = pathIn(path, policy.flow);
    const text = await world.readText(file).catch(() => undefined);
    if (text === undefined) continue;
    starts.set(file, { path: file, start: { by: 'startRun', request: { path: file, text, inputs: {} } } });
  }
  return [...starts.values()];
}

function joined(
  found: readonly { readonly path: string; readonly plan: PermissionPlan | undefined }[],
): PermissionPlan {
  const missing = found.flatMap(({ path, plan }) =>
    (plan?.missing ?? []).map(({ need, nodes }) => ({
      need,
      nodes: plan?.kind === 'agent' ? nodes : nodes.map((node) => `${path}: ${node}`),
    })),
  );
  return {
    kind: 'conversation',
    missing: distinctNeeds(missing.map(({ need }) => need)).map((need) => ({
      need,
      nodes: missing.flatMap((one) => (needKey(one.need) === needKey(need) ? one.nodes : [])),
    })),
    hosts: [...new Set(found.flatMap(({ plan }) => plan?.hosts ?? []))],
  };
}
