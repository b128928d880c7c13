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

test('MF-131 a name refers to one agent, and registering a second one is an error that names both', () => {
  const registry = registryOf('shop.planner');
  expect(registry.get('shop.planner', 'shop').origin).toBe('shop.planner.aip');
  expect(() => registry.register(agent('shop.planner', 'other.mjs'))).toThrow(
    'Two agents are named "shop.planner": shop.planner.aip and other.mjs. Rename one of them.',
  );
  expect(registry.get('shop.planner', 'shop').origin).toBe('shop.planner.aip');
});

test.each(['', ' ', 'a b', 'shop.', '.a', 'shop..a', 'a/b', 'ns@pack/a', 'a\n', '{{a}}'])(
  'rejects %j as the name of an agent',
  (name) => {
    expect(() => registryOf(name)).toThrow('is not a valid agent name');
  },
);

test('MF-132 looks up agents at the time of the call', () => {
  const registry = registryOf();
  expect(() => registry.get('shop.planner', 'shop')).toThrow(
    'Agent "shop.planner" does not exist for the product "shop".',
  );
  registry.setProduct('shop', [agent('shop.planner')]);
  expect(registry.get('shop.planner', 'shop').name).toBe('shop.planner');
  registry.setProduct('shop', []);
  expect(registry.find('shop.planner', 'shop')).toBeUndefined();
});

test('MF-160 MF-162 a product can use its own agents, core agents and those without a product, but no others', () => {
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

test('an unknown name is reported with the nearest available one', () => {
  const registry = registryOf('shop.planner', 'bank.plannor');
  expect(() => registry.get('shop.plannor', 'shop')).toThrow('Did you mean "shop.planner"?');
  expect(() => registry.get('shop.plannr', 'shop')).not.toThrow('bank');
});

test('a product owns its names, and names of other products are rejected', () => {
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
