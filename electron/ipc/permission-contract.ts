/**
 * Missing permissions, as a page requests them and main grants them; part of `person-contract.ts` and `main-contract.ts`.
 */
import { z } from 'zod';
import type { PermissionNeed } from './engine-base.ts';
import { call } from './rpc.ts';
import { runId } from './run-summary.ts';
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

/** Permissions that the person has granted, and the run that waits for them. */
export const allowedRun = z.strictObject({
  runId,
  nodeId: z.exactOptional(z.string().min(1).max(10_000)),
  needs: permissionNeeds,
});

/** A start that the person asks for: the call that it is, and its request. */
const plannedStart = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('startRun'), request: startRunRequest }),
  z.strictObject({ by: z.literal('redo'), request: redoRequest }),
  z.strictObject({ by: z.literal('rerunFrom'), request: rerunRequest }),
  z.strictObject({ by: z.literal('startAgent'), request: startAgentRequest }),
  z.strictObject({ by: z.literal('startConversation'), request: startConversationRequest }),
]);

/** Finds what a run lacks; gives nothing. */
export const findPermissions = call(
  [plannedStart],
  z.object({
    kind: z.enum(['flow', 'agent', 'conversation']),
    missing: z.array(z.object({ need: permissionNeed, nodes: z.array(z.string()).readonly() })).readonly(),
    hosts: z.array(z.string()).readonly(),
  }),
);

/** The private addresses that the workspace may reach. */
export const listPrivateHosts = call([], z.array(z.string()).readonly());

/** Takes one away: no person has to be asked. */
export const forgetPrivateHost = call([host], z.void());

/** The start with the permissions that the person has selected, by the keys of `needKey`. */
export const selectedPermissions = z.strictObject({
  start: plannedStart,
  keys: z.array(z.string().max(10_000)).min(1).max(1000).readonly(),
});

export const waitingPermissions = z.array(z.object({ nodeId: z.string(), needs: permissionNeeds })).readonly();
