/** Tests the order of processing a definition, with spies in place of the functions. */
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

const log = vi.hoisted((): string[] => []);

function noting<Name extends string, Fn extends (...args: never[]) => unknown>(name: Name, fn: Fn) {
  return {
    [name]: (...args: Parameters<Fn>) => {
      log.push(name);
      return fn(...args);
    },
  };
}

vi.mock(import('../../language/flow/parse-flow.ts'), async (original) => {
  const actual = await original();
  return { ...actual, ...noting('parseFlow', actual.parseFlow) };
});
vi.mock(import('../../language/findings/validate-flow.ts'), async (original) => {
  const actual = await original();
  return { ...actual, ...noting('validateFlow', actual.validateFlow) };
});
vi.mock(import('../../language/flow/compile-flow.ts'), async (original) => {
  const actual = await original();
  return { ...actual, ...noting('compileFlow', actual.compileFlow) };
});

vi.resetModules();
afterAll(() => vi.resetModules());
const { createTestExecutor } = await import('../../testing/executor-world.ts');
const { openRunStore } = await import('../../history/store/sqlite-run-store.ts');

const flow = 'flow: { name: f }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []';

beforeEach(() => {
  log.length = 0;
});

async function runNoted(text: string): Promise<void> {
  const world = await createTestExecutor({
    async openStore(context) {
      const store = await openRunStore({ file: null, ...context });
      const createRun = store.createRun.bind(store);
      store.createRun = (run) => {
        log.push(`record ${run.name}`);
        return createRun(run);
      };
      return store;
    },
  });
  world.executor.subscribe((events) => log.push(...events.map(({ event }) => event.type)));
  try {
    await (await world.run(text)).ended;
  } finally {
    await world.close();
  }
}

test('FE-03 a definition is parsed, then validated, then compiled and recorded, and only then are events emitted', async () => {
  await runNoted(flow);
  const steps = ['parseFlow', 'validateFlow', 'compileFlow', 'record f', 'run:start', 'phase:start'];
  expect(log.slice(0, steps.length)).toEqual(steps);
  expect(log.filter((step) => steps.includes(step))).toEqual(steps);
});

test.each([
  ['that is not YAML', 'flow: {'],
  ['that violates the schema', 'flow: { name: f }\nnodes: {}\nedges: []'],
  ['with a cycle', flow.replace('[]', '[{ from: a, to: a }]')],
  ['with an unknown type', flow.replace('echo', 'no.such')],
])('FE-03 a text %s is never compiled', async (_, text) => {
  await expect(runNoted(text)).rejects.toMatchObject({ code: 'flow.invalid' });
  expect(new Set(log)).toEqual(new Set(['parseFlow', 'validateFlow']));
});
