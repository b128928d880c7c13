/**
 * Missing permissions, which a page requests and main grants. Part of `person-contract.ts` and `main-contract.ts`.
 */
import { z } from 'zod';
import type { PermissionNeed } from '../engine-base.ts';
import { call } from '../rpc.ts';
import { runId } from '../run-summary.ts';
import {
  redoRequest,
  rerunRequest,
  startAgentRequest,
  startConversationRequest,
  startRunRequest,
} from './start-contract.ts';

const host = z.string().min(1).max(300);

const permissionNeed: z.ZodType<PermissionNeed> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trust'), command: z.string().max(1000) }),
  z.strictObject({ kind: z.literal('private-address'), host }),
  z.strictObject({ kind: z.literal('secret-host'), name: z.string().min(1).max(64), host }),
  z.strictObject({
    kind: z.literal('flow-secrets'),
    path: z.string().min(1).max(4096),
    definitionHash: z.string().regex(/^[0-9a-f]{64}$/),
    names: z.array(z.string().max(64)).min(1).max(100).readonly(),
  }),
]);

export const permissionNeeds = z.array(permissionNeed).max(1000).readonly();

/** The permissions that the user has granted, and the run that waits for them. */
export const allowedRun = z.strictObject({
  runId,
  nodeId: z.exactOptional(z.string().min(1).max(10_000)),
  needs: permissionNeeds,
});

/** A requested start: the call that starts the run, and its arguments. */
const plannedStart = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('startRun'), request: startRunRequest }),
  z.strictObject({ by: z.literal('redo'), request: redoRequest }),
  z.strictObject({ by: z.literal('rerunFrom'), request: rerunRequest }),
  z.strictObject({ by: z.literal('startAgent'), request: startAgentRequest }),
  z.strictObject({ by: z.literal('startConversation'), request: startConversationRequest }),
]);

/** Returns the permissions that a run lacks. Grants nothing. */
export const findPermissions = call(
  [plannedStart],
  z.object({
    kind: z.enum(['flow', 'agent', 'conversation']),
    missing: z.array(z.object({ need: permissionNeed, nodes: z.array(z.string()).readonly() })).readonly(),
    hosts: z.array(z.string()).readonly(),
  }),
);

/** Lists the private addresses that the workspace may access. */
export const listPrivateHosts = call([], z.array(z.string()).readonly());

/** Revokes access to a private address, which needs no consent. */
export const forgetPrivateHost = call([host], z.void());

/** A start and the keys (see `needKey`) of the permissions that the user has selected. */
export const selectedPermissions = z.strictObject({
  start: plannedStart,
  keys: z.array(z.string().max(10_000)).min(1).max(1000).readonly(),
});

export const waitingPermissions = z.array(z.object({ nodeId: z.string(), needs: permissionNeeds })).readonly();
