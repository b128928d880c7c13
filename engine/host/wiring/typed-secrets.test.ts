/** Tests secrets that a person types as an input or an output of a node. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callFlow, SecretWorld } from '../../testing/secret-world.ts';

const [named, other] = ['named-secret-1', 'other "secret" 2'];
const env = { MILLRACE_SECRET_NAMED: named, MILLRACE_SECRET_OTHER: other };

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

/** Returns the run, paused before `call`, after `first` and before `last`. */
async function paused() {
  const engine = await world.engine(env);
  const more = `  - { id: first, type: echo, input: { text: a } }
  - { id: last, type: echo, input: { text: b } }
edges: [{ from: first, to: call }, { from: call, to: last }]`;
  const input = { url: world.base, method: 'POST', body: '{{first.text}}', headers: { 'x-key': '{{secret.NAMED}}' } };
  const breakpoints = { 'call.flow.yaml': [{ node: 'call' }, { node: 'last' }] };
  const [path, text] = ['call.flow.yaml', callFlow(input, more)];
  world.folder.write(`workspace/${path}`, text);
  const { runId } = await engine.startRun({ path, text, inputs: {}, breakpoints });
  await engine.whenEnded(runId);
  return { engine, runId };
}

test('13.14 a secret that a person types is masked before it is stored, and sent where the file references it', async () => {
  const { engine, runId } = await paused();
  await engine.changeOutput({ runId, nodeId: 'first', output: { text: `a ${named} ${other}` } });
  const input = { url: world.base, method: 'POST', body: { [other]: `c ${named}` }, headers: { 'x-key': named } };
  await engine.resumeRun({ runId, action: 'edit', input });
  await engine.whenEnded(runId);
  expect(world.heard[0]?.headers['x-key']).toBe(named);
  expect(JSON.parse(world.heard[0]?.body ?? '')).toEqual({ '•••OTHER•••': 'c •••NAMED•••' });
  // What the person has given is still stored for the run, which is paused again.
  await world.expectNoTrace([named, other]);

  const next = await world.engine(env);
  await next.resumeRun({ runId, action: 'skip', output: { text: `d ${other}` } });
  await next.whenEnded(runId);
  const { runId: again } = await next.rerunFrom({ runId, given: { first: { text: `e ${other} ${named}` } } });
  await next.whenEnded(again);
  expect(world.heard[1]?.body).toBe('e •••OTHER••• •••NAMED•••');
  expect((await next.getRun(again)).status).toBe('completed');
  for (const id of [runId, again]) {
    await next.exportRun(id, world.folder.at(`${id}.json`));
    await next.sendRun({ runId: id, to: world.folder.at(`${id}.html`), isPage: true });
  }
  await world.expectNoTrace([named, other]);
});
