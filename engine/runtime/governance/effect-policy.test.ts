import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Effect, EffectPlace, EffectRequest } from '../kernel/capabilities/effect.ts';
import { defaultEffectPolicy } from './effect-policy.ts';

const effects: readonly Effect[] = ['read', 'write', 'delete', 'command', 'web', 'editor', 'secret'];
const places: readonly EffectPlace[] = [
  'workspace',
  'base',
  'pack',
  'support',
  'tmp',
  'protected',
  'private',
  'outside',
  'elsewhere',
];

function request(over: Partial<EffectRequest>): EffectRequest {
  return {
    effect: 'read',
    target: 'x',
    place: 'workspace',
    workspace: '/w',
    isTrusted: false,
    isDry: false,
    ...over,
  };
}

function allowedPlaces(effect: Effect, over: Partial<EffectRequest> = {}): EffectPlace[] {
  return places.filter((place) => defaultEffectPolicy(request({ effect, place, ...over })).decision === 'allow');
}

const readable = ['workspace', 'base', 'pack', 'support', 'tmp', 'protected'];

describe('without trust', () => {
  test('files may be read where the agent is located and written where it works', () => {
    expect({
      read: allowedPlaces('read'),
      write: allowedPlaces('write'),
      delete: allowedPlaces('delete'),
      editor: allowedPlaces('editor'),
    }).toEqual({
      read: readable,
      write: ['workspace', 'support', 'tmp'],
      delete: ['workspace', 'tmp'],
      editor: readable,
    });
  });

  test.each(['command', 'web'] as const)('denies every %s, and suggests trust', (effect) => {
    expect(allowedPlaces(effect)).toEqual([]);
    expect(defaultEffectPolicy(request({ effect, place: 'elsewhere' }))).toMatchObject({
      rule: `${effect}-untrusted`,
      trustHelps: true,
    });
  });
});

describe('with trust', () => {
  test('files may be read and written anywhere except in private folders; the delete guard stays', () => {
    const isTrusted = true;
    expect({
      read: allowedPlaces('read', { isTrusted }),
      write: allowedPlaces('write', { isTrusted }),
      delete: allowedPlaces('delete', { isTrusted }),
    }).toEqual({
      read: places.filter((place) => place !== 'private'),
      write: places.filter((place) => place !== 'private' && place !== 'protected'),
      delete: ['workspace', 'tmp'],
    });
  });

  test.each(['command', 'web'] as const)('a %s is allowed', (effect) => {
    expect(defaultEffectPolicy(request({ effect, place: 'elsewhere', isTrusted: true })).decision).toBe('allow');
  });
});

test('a dry run can only read, trusted or not', () => {
  for (const isTrusted of [false, true]) {
    const happening = effects.filter((effect) => allowedPlaces(effect, { isDry: true, isTrusted }).length > 0);
    // The placeholder of a secret is available, but nothing sends it.
    expect(happening).toEqual(isTrusted ? ['read', 'secret'] : ['read']);
  }
  expect(defaultEffectPolicy(request({ effect: 'write', isDry: true }))).toMatchObject({
    rule: 'dry-run',
    trustHelps: false,
  });
});

test('never asks by default, and every refusal has a reason', () => {
  for (const effect of effects) {
    for (const place of places) {
      const { decision, reason } = defaultEffectPolicy(request({ effect, place }));
      expect(decision).not.toBe('ask');
      expect(reason !== '').toBe(decision === 'deny');
    }
  }
});

test('AP-20 refusals of file access start with the text that packs expect', () => {
  const reasonOf = (effect: Effect, place: EffectPlace) => defaultEffectPolicy(request({ effect, place })).reason;
  expect([reasonOf('write', 'outside'), reasonOf('delete', 'base'), reasonOf('delete', 'outside')]).toEqual([
    expect.stringMatching(/^Save file protection - The path `x` does not belong to the workspace dir `\/w`/),
    expect.stringMatching(/^Delete file protection - Deleting files from the .aipack-base folder is not allowed/),
    expect.stringMatching(/^Delete file protection - /),
  ]);
});

test('docs/trust.md contains every rule', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/trust.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, rule]) => rule);
  const given = [...effects, 'model' as const].flatMap((effect) =>
    places.flatMap((place) =>
      [true, false].flatMap((isTrusted) =>
        [true, false].map((isDry) => defaultEffectPolicy(request({ effect, place, isTrusted, isDry })).rule),
      ),
    ),
  );
  const decides = { path: 'policy.yaml', what: 'a policy' };
  const deciding = defaultEffectPolicy(request({ effect: 'write', place: 'workspace', decides })).rule;
  // A module outside is rejected when it is resolved, and a private address when it is connected to.
  expect([...new Set([...given, deciding, 'module-outside', 'private-address'])].sort()).toEqual(
    [...documented].sort(),
  );
});
