import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventEnvelope, RunEvent } from '../kernel/run-event.ts';
import { SecretWorld } from '../testing/secret-world.ts';

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
    return engine.readEvents(started.runId, -1, 1000);
  }

  const script = (): void => {
    const usage = 'usage: { promptTokens: 3, completionTokens: 6 }';
    world.folder.write('workspace/r.yaml', `paceMs: 0\nreplies:\n  - { match: ".", reply: "ok", ${usage} }\n`);
  };

  test('MF-128 that name a blocked model are refused before they begin', async () => {
    script();
    policy('allowed_models: ["openai::*"]\n');
    expect((await runAgent(agent('scripted::r.yaml'))).map(({ event }) => event)).toMatchObject([
      { type: 'run:refused', code: 'policy_blocked', details: { rule: 'model_not_in_allowlist' } },
    ]);
  });

  test('MF-128 that choose a blocked model while they run ask nobody, and it is told by which rule', async () => {
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

  test('have one budget with all their inputs', async () => {
    script();
    policy('max_tokens_per_run: 9\n');
    const events = await runAgent(agent('scripted::r.yaml'));
    expect(ofType(events, 'run:end')).toMatchObject([
      { status: 'failed', error: { code: 'budget.exceeded', details: { budget: 'tokens', used: 9, limit: 9 } } },
    ]);
    expect(ofType(events, 'model:response')).toHaveLength(1);
  });
});
