/**
 * Permissions that nodes need, as a page asks for them and main gives them; part of `person-contract.ts` and `main-contract.ts`.
 */
import { z } from 'zod';
import type { PermissionNeed } from './engine-base.ts';
import { runId } from './run-summary.ts';

const host = z.string().min(1).max(300);

const permissionNeed: z.ZodType<PermissionNeed> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trust'), command: z.string().max(1000) }),
  z.strictObject({ kind: z.literal('private-address'), host }),
  z.strictObject({ kind: z.literal('secret-host'), name: z.string().min(1).max(64), host }),
]);

export const permissionNeeds = z.array(permissionNeed).max(1000).readonly();

/** Permissions that the person has given, and the run whose nodes go on with them. */
export const allowedRun = z.strictObject({
  runId,
  nodeId: z.exactOptional(z.string().min(1).max(10_000)),
  needs: permissionNeeds,
});

export const waitingPermissions = z.array(z.object({ nodeId: z.string(), needs: permissionNeeds })).readonly();
