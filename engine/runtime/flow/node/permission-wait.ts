/**
 * A node that lacks a permission waits for it before it runs, if someone who can answer the run's requests can grant
 * it. It suspends and keeps nothing in memory.
 */

import { distinctNeeds, needText, type PermissionNeed } from '../../../base/consent.ts';
import type { TaskOutcome } from '../../kernel/hub/harness.ts';
import type { ApprovalRequest, Ask } from '../../kernel/requests/ask.ts';
import { textOfRequest } from '../../kernel/requests/ask-request.ts';
import type { Reach } from '../../kernel/requests/permission.ts';
import { emitRequests } from '../run-scope.ts';
import type { NodeJob } from './node-job.ts';

/** Prefix of these requests' keys. Nodes cannot use it for their own keys. */
const keyPrefix = 'permission:';

/**
 * Returns undefined for a node that needs no permission. Otherwise resolves to the node's interim outcome, or to
 * undefined if it may run.
 */
export function permissionWait(job: NodeJob): Promise<TaskOutcome | undefined> | undefined {
  const { nodeType, input, config } = job.prepared;
  if (nodeType.reaches === undefined) return undefined;
  const reaches = nodeType.reaches(config as never, input as never);
  return reaches.length === 0 ? undefined : outcomeOf(job, reaches);
}

async function outcomeOf(job: NodeJob, reaches: readonly Reach[]): Promise<TaskOutcome | undefined> {
  const { asks, capabilities } = job.place.scope.run;
  const former = [...asks.of(job.name).values()].filter(({ key }) => key.startsWith(keyPrefix));
  const open = former.find(({ answer }) => answer === undefined);
  const { permissions } = capabilities;
  // An open request is not withdrawn when a program without a user takes over the run.
  if (permissions === undefined || !asks.canBeAnswered) return open && suspendedBy(job, open);
  const needs = await missingFor(job, reaches);
  if (needs.length === 0) return undefined;
  return suspendedBy(job, askFor(job, needs, former));
}

async function missingFor({ place, hub }: NodeJob, reaches: readonly Reach[]): Promise<readonly PermissionNeed[]> {
  const { capabilities, secrets } = place.scope.run;
  const found = await Promise.all(
    reaches.map(async (reach) => (await capabilities.permissions?.missing(reach, { hub, secrets })) ?? []),
  );
  return distinctNeeds(found.flat());
}

function askFor({ node, place }: NodeJob, needs: readonly PermissionNeed[], former: readonly Ask[]): Ask {
  const { capabilities, clock } = place.scope.run;
  const request = requestFor(node.id, needs);
  const text = textOfRequest(request);
  const requestHash = capabilities.hash?.sha256(text) ?? text;
  const known = former.find((ask) => ask.answer === undefined && ask.requestHash === requestHash);
  if (known !== undefined) return known;
  // A permission that was granted and then revoked needs a new request.
  const answered = former.filter(({ answer }) => answer !== undefined).length;
  return { key: `${keyPrefix}${answered + 1}`, requestHash, request, askedAt: clock.now() };
}

function requestFor(nodeId: string, needs: readonly PermissionNeed[]): ApprovalRequest {
  return {
    kind: 'approval',
    title: `"${nodeId}" needs your permission to ${needs.map(needText).join(', and to ')}.`,
    message: 'The node has not run yet. If you allow this, it runs and this workspace keeps the permission.',
    permission: needs,
  };
}

function suspendedBy({ name, hub, place }: NodeJob, ask: Ask): TaskOutcome {
  const request = emitRequests([ask], name, { run: place.scope.run, hub });
  return { status: 'suspended', request, reason: request.reason };
}
