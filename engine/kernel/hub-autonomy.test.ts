import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../base/ids.ts';
import { NotingHub } from '../flow/noting-hub.ts';
import { SecretHub } from '../secrets/secret-hub.ts';
import { createHub, type Hub } from './hub.ts';
import { ofProduct } from './product-hub.ts';
import type { RunSecrets } from './run-secrets.ts';
import { Spending, SpendingHub } from './spending.ts';

const plain = (): Hub => createHub({ runId: asRunId('r'), sessionId: asSessionId('s') }).hub;

/** All that stands between a run and what it calls. */
const wrappers: readonly (readonly [name: string, wrap: (hub: Hub) => Hub])[] = [
  ['itself', (hub) => hub],
  ['spending', (hub) => new SpendingHub(hub, new Spending())],
  ['secrets', (hub) => new SecretHub(hub, {} as RunSecrets)],
  ['product', (hub) => ofProduct(hub, 'shop')],
  ['notes', (hub) => new NotingHub(hub)],
];

test.each(wrappers)(
  'a level goes with the hub through %s into each run that is called, and is never raised',
  (_, wrap) => {
    expect(wrap(plain()).autonomy).toBeUndefined();
    const hub = wrap(plain()).scoped({ autonomy: 'semi_auto' });
    expect(hub.autonomy).toBe('semi_auto');
    const below = wrap(hub.child(asRunId('c'))).scoped({ task: { id: 'node:a' } });
    expect(below.autonomy).toBe('semi_auto');
    expect(below.scoped({ autonomy: 'full_auto' }).autonomy).toBe('semi_auto');
    expect(below.scoped({ autonomy: 'suggest_only' }).child(asRunId('d')).autonomy).toBe('suggest_only');
  },
);
