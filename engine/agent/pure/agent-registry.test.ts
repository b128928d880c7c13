import { expect, test } from 'vitest';
import { AgentRegistry, type RegisteredAgent } from './agent-registry.ts';
import { resultOfValue } from './agent-result.ts';

const agent = (name: string, origin = `${name}.aip`): RegisteredAgent => ({
  ...{ name, origin, kind: 'other' },
  run: async () => resultOfValue(null),
});

function registryOf(...names: readonly string[]): AgentRegistry {
  const registry = new AgentRegistry();
  for (const name of names) registry.register(agent(name));
  return registry;
}

test('MF-131 a name means one agent, and a second one of the name is an error that names both', () => {
  const registry = registryOf('shop.planner');
  expect(registry.get('shop.planner', 'shop').origin).toBe('shop.planner.aip');
  expect(() => registry.register(agent('shop.planner', 'other.mjs'))).toThrow(
    'There are two agents named "shop.planner": shop.planner.aip and other.mjs. Rename one of them.',
  );
  expect(registry.get('shop.planner', 'shop').origin).toBe('shop.planner.aip');
});

test.each(['', ' ', 'a b', 'shop.', '.a', 'shop..a', 'a/b', 'ns@pack/a', 'a\n', '{{a}}'])(
  '%j is no name for an agent',
  (name) => {
    expect(() => registryOf(name)).toThrow('is no name for an agent');
  },
);

test('MF-132 what is asked for counts when it is asked', () => {
  const registry = registryOf();
  expect(() => registry.get('shop.planner', 'shop')).toThrow(
    'There is no agent "shop.planner" for the product "shop".',
  );
  registry.setProduct('shop', [agent('shop.planner')]);
  expect(registry.get('shop.planner', 'shop').name).toBe('shop.planner');
  registry.setProduct('shop', []);
  expect(registry.find('shop.planner', 'shop')).toBeUndefined();
});

test('MF-160 MF-162 a product reaches its own agents, those of core and those of nobody, and no others', () => {
  const registry = registryOf('shop.planner', 'bank.planner', 'core.critic', 'critic', 'alone');
  expect(registry.get('planner', 'shop').name).toBe('shop.planner');
  expect(registry.get('planner', 'bank').name).toBe('bank.planner');
  expect(registry.get('critic', 'shop').name).toBe('core.critic');
  expect(registry.get('core.critic', 'bank').name).toBe('core.critic');
  expect(registry.get('alone', 'bank').name).toBe('alone');
  expect(registry.get('bank.planner', undefined).name).toBe('bank.planner');
  expect(() => registry.find('bank.planner', 'shop')).toThrow('belongs to the product "bank"');
  expect(() => registry.find('bank.none', 'shop')).toThrow('belongs to the product "bank"');
});

test('a name that is not there is told with the nearest one that may be reached', () => {
  const registry = registryOf('shop.planner', 'bank.plannor');
  expect(() => registry.get('shop.plannor', 'shop')).toThrow('Did you mean "shop.planner"?');
  expect(() => registry.get('shop.plannr', 'shop')).not.toThrow('bank');
});

test('a product has its names to itself, and others have theirs', () => {
  const registry = registryOf('shop.ours');
  const refused = registry.setProduct('shop', [
    agent('bare'),
    agent('bank.a'),
    agent('shop.ours', 'x.aip'),
    agent('shop.a'),
  ]);
  expect(refused.map(({ code }) => code)).toEqual(['agent.isolated', 'agent.duplicate']);
  expect(registry.list().map(({ name }) => name)).toEqual(['shop.a', 'shop.bare', 'shop.ours']);
  expect(registry.setProduct('shop', [])).toEqual([]);
  expect(registry.list().map(({ name }) => name)).toEqual(['shop.ours']);
});
