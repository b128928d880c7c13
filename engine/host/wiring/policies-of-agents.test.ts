import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

function policy(text: string): void {
  world.folder.write('workspace/millrace.policy.yaml', text);
}

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

describe('agents', () => {
  const agent = (model: string): string =>
    `# Options\n\n\`\`\`toml\nmodel = "${model}"\n\`\`\`\n\n# Instruction\n\nhi\n`;

  async function runAgent(text: string): Promise<readonly EventEnvelope[]> {
    world.folder.write('workspace/a.aip', text);
    const engine = await world.engine({});
    const started = await engine.startAgent({ agent: 'a.aip', inputs: ['x', 'y', 'z'] });
    if (!('runId' in started)) throw new Error('It was not started.');
    await engine.whenEnded(started.runId);
    return await engine.readEvents(started.runId, -1, 1000);
  }

  const script = (): void => {
    const usage = 'usage: { promptTokens: 3, completionTokens: 6 }';
    world.folder.write('workspace/r.yaml', `paceMs: 0\nreplies:\n  - { match: ".", reply: "ok", ${usage} }\n`);
  };

  test('MF-128 that name a blocked model are rejected before they start', async () => {
    script();
    policy('allowed_models: ["openai::*"]\n');
    expect((await runAgent(agent('scripted::r.yaml'))).map(({ event }) => event)).toMatchObject([
      { type: 'run:refused', code: 'policy_blocked', details: { rule: 'model_not_in_allowlist' } },
    ]);
  });

  test('MF-128 that select a blocked model at run time call none, and the rule is emitted', async () => {
    script();
    policy('blocked_models: ["r.yaml"]\n');
    const chosen =
      '# Data\n\n```lua\nreturn aip.flow.data_response({ options = { model = "scripted::r.yaml" } })\n```\n\n';
    const events = await runAgent(`${agent('other::x').replace('# Instruction', `${chosen}# Instruction`)}`);
    expect(ofType(events, 'model:request')).toEqual([]);
    expect(ofType(events, 'governance:decision')[0]).toMatchObject({
      allowed: false,
      rule: 'model_blocked',
      place: 'millrace.policy.yaml:1',
    });
    expect(ofType(events, 'run:end')).toMatchObject([{ status: 'failed' }]);
  });

  test('return no output that a policy forbids', async () => {
    script();
    policy('effects: { output: deny }\n');
    const events = await runAgent(agent('scripted::r.yaml'));
    expect(ofType(events, 'run:end')).toMatchObject([{ status: 'failed', error: { code: 'effect.denied' } }]);
  });

  test('have one budget for all their inputs', async () => {
    script();
    policy('max_tokens_per_run: 9\n');
    const events = await runAgent(agent('scripted::r.yaml'));
    expect(ofType(events, 'run:end')).toMatchObject([
      { status: 'failed', error: { code: 'budget.exceeded', details: { budget: 'tokens', used: 9, limit: 9 } } },
    ]);
    expect(ofType(events, 'model:response')).toHaveLength(1);
  });
});

describe('the output of a flow', () => {
  const flow = (node: object): string =>
    JSON.stringify({ flow: { name: 'F' }, nodes: [{ id: 'a', ...node }], edges: [] });
  const echo = flow({ type: 'echo', input: { text: 'hi' } });
  const large = flow({ type: 'constant', input: { value: 'x'.repeat(200) } });

  test('is denied as a separate effect, after all its nodes', async () => {
    policy('effects:\n  output: deny\n');
    const events = await runFlow(await world.engine({}), echo);
    expect(ofType(events, 'task:complete')).toHaveLength(1);
    expect(ofType(events, 'governance:decision')).toMatchObject([
      { allowed: false, rule: 'effect_denied', effect: 'output', target: 'F', place: 'millrace.policy.yaml:2' },
    ]);
    const [end] = ofType(events, 'run:end');
    expect(end).toMatchObject({ status: 'failed', error: { code: 'effect.denied' } });
    expect(end).not.toHaveProperty('output');
  });

  test('may reach the maximum size but not exceed it', async () => {
    policy('max_payload_bytes: 100\n');
    const engine = await world.engine({});
    expect(ofType(await runFlow(engine, large), 'run:end')).toMatchObject([
      { status: 'failed', error: { details: { rule: 'output_payload_limit_exceeded' } } },
    ]);
    expect(ofType(await runFlow(engine, echo), 'run:end')).toMatchObject([{ status: 'completed' }]);
  });

  test('is reported as denied for recorded runs', async () => {
    const engine = await world.engine({});
    await runFlow(engine, large);
    await runFlow(engine, echo);
    expect(await engine.tryPolicy({ text: 'max_payload_bytes: 100' })).toMatchObject([
      { refusals: [{ rule: 'output_payload_limit_exceeded', effect: 'output', target: 'F' }] },
    ]);
  });
});
