import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { EventRecorder } from '../../flow/node/event-recorder.ts';
import { createHub, type Hub } from './hub.ts';
import type { HubHooks } from './hub-hooks.ts';
import { Spending } from './spending.ts';

const plain = (): Hub => createHub({ runId: asRunId('r'), sessionId: asSessionId('s') }).hub;

/** Layers that may be between a run and what it calls. */
const all: readonly (readonly [name: string, hooks: HubHooks])[] = [
  ['no hooks', {}],
  ['event hooks', { spending: new Spending() }],
  ['a product', { product: 'shop' }],
  ['a recorder', { recorder: new EventRecorder() }],
];

test.each(all)('a level goes with the hub through %s into each child run, and is never raised', (_, hooks) => {
  expect(plain().with(hooks).autonomy).toBeUndefined();
  const hub = plain().with(hooks).scoped({ autonomy: 'semi_auto' });
  expect(hub.autonomy).toBe('semi_auto');
  const below = hub
    .child(asRunId('c'))
    .with(hooks)
    .scoped({ task: { id: 'node:a' } });
  expect(below.autonomy).toBe('semi_auto');
  expect(below.scoped({ autonomy: 'full_auto' }).autonomy).toBe('semi_auto');
  expect(below.scoped({ autonomy: 'suggest_only' }).child(asRunId('d')).autonomy).toBe('suggest_only');
});
