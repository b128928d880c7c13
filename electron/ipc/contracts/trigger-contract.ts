/**
 * Triggers and their firings, as shown in windows. Part of `engine-contract.ts` and `person-contract.ts`.
 */
import { z } from 'zod';
import type { TriggerDoc } from '../../../engine/isomorphic.ts';
import { call, stream } from '../rpc.ts';
import { runId } from '../run-summary.ts';
import { askedPath } from './file-contract.ts';

const triggerId = z.string().min(1).max(1000);

/** Checks only the outer shape, because the engine of this build has validated the content. */
const triggerDoc = z.custom<TriggerDoc>((value) => z.looseObject({ id: z.string() }).safeParse(value).success);

const triggerEntry = z.object({
  flow: z.string(),
  trigger: z.string(),
  doc: triggerDoc,
  file: z.exactOptional(askedPath),
  hash: z.string(),
  problem: z.exactOptional(z.string()),
  needsTrust: z.exactOptional(z.boolean()),
  state: z.enum(['on', 'off', 'changed']),
  dueAt: z.exactOptional(z.number()),
});

const firing = z.object({
  id: z.number(),
  flow: z.string(),
  trigger: z.string(),
  key: z.string(),
  priority: z.number(),
  createdAt: z.number(),
  state: z.enum(['waiting', 'started', 'skipped', 'missed', 'refused', 'canceled']),
  reason: z.exactOptional(z.string()),
  runId: z.exactOptional(runId),
});

const entries = z.array(triggerEntry).readonly();

/** A trigger that a page asks to switch on. */
export const namedTrigger = z.strictObject({ flow: askedPath, trigger: triggerId });

export const triggerContract = {
  listTriggers: call([], entries),
  /** A page can only switch triggers off. Main asks the user before it switches one on. */
  switchTriggers: call([namedTrigger.extend({ isOn: z.literal(false) })], entries),
  watchTriggers: stream(z.void()),
  listFirings: call(
    [
      z.strictObject({
        flow: z.exactOptional(askedPath),
        trigger: z.exactOptional(triggerId),
        limit: z.number().int().min(1).max(500),
      }),
    ],
    z.array(firing).readonly(),
  ),
  fireAgain: call([z.number().int().min(0)], firing),
};

/** The calls of main. */
export const personTriggers = {
  /** Returns the details for the consent dialog. */
  listTriggers: triggerContract.listTriggers,
  /** `seen` is the hash of what the user has agreed to. */
  switchTriggers: call([namedTrigger.extend({ isOn: z.literal(true), seen: z.string().max(200) })], entries),
};
