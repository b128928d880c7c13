/** Tests autonomy levels in lists of steps. */
import { expect, test } from 'vitest';
import { answerStep, levelsAlone, runSteps, type StepWorld } from '../../testing/step-runs.ts';
import type { ActRequest, GovernanceCapability } from '../kernel/capabilities/effect.ts';
import type { RunEvent } from '../kernel/events/run-event.ts';

const steps = (level: string, ...lines: readonly string[]): string =>
  `id: f\nautonomy_level: ${level}\nsteps:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
const pay = '{ id: pay, type: tool, tool: pay, params: { sum: 7 } }';
const send = '{ id: send, type: tool, tool: send, params: { paid: "{{artifacts.tool.pay.output}}" } }';
const ok = '{ id: ok, type: human_approval, message: Pay? }';

/** Returns tools that record their calls. */
function worldOf(more: StepWorld = {}): StepWorld & { readonly called: string[] } {
  const called: string[] = [];
  const note = (name: string) => (params: object) => {
    called.push(`${name} ${JSON.stringify(params)}`);
    return { done: name };
  };
  return { tools: { pay: note('pay'), send: note('send') }, ...more, called };
}

/** Returns the autonomy gate with a record of all acts it judged. */
function spied(): GovernanceCapability & { readonly acts: ActRequest[] } {
  const acts: ActRequest[] = [];
  return {
    acts,
    open(scope) {
      const gate = levelsAlone.open(scope);
      return {
        pass: (asked, signal) => gate.pass(asked, signal),
        act(request) {
          acts.push(request);
          return gate.act(request);
        },
      };
    },
  };
}

const typesOf = (events: readonly { readonly event: RunEvent }[]): readonly string[] =>
  events.map(({ event }) => event.type);

test('MF-090 suggest_only: executes no tool, and records each suggestion as an artifact', async () => {
  const world = worldOf();
  const { events, end } = await runSteps(steps('suggest_only', pay, send), world);
  expect(world.called).toEqual([]);
  const paid = { suggested: true, tool: 'pay', params: { sum: 7 } };
  expect(events.flatMap(({ event }) => (event.type === 'node:skipped' ? [event] : []))).toEqual([
    { type: 'node:skipped', nodeId: 'pay', reason: 'autonomy', suggestion: { tool: 'pay', params: { sum: 7 } } },
    { type: 'node:skipped', nodeId: 'send', reason: 'autonomy', suggestion: { tool: 'send', params: { paid } } },
  ]);
  expect(end).toMatchObject({ status: 'completed', output: { suggested: true, tool: 'send', params: { paid } } });
});

test('MF-090 suggest_only: agents run, and approvals are requested', async () => {
  const world = worldOf({ agents: { plan: async () => ({ ok: true, data: { sum: 7 } }) } });
  const text = steps('suggest_only', '{ id: plan, type: agent, agent: plan }', ok, pay);
  const asked = await runSteps(text, world);
  expect(typesOf(asked.events)).toContain('approval:requested');
  const { end, all } = await answerStep(text, asked, { approval_payload: { approved: true } }, world);
  expect([end.status, world.called]).toEqual(['completed', []]);
  expect(typesOf(all)).toContain('node:skipped');
});

test('MF-091 semi_auto: a tool runs only after an approval: by an earlier step, or its own', async () => {
  const world = worldOf();
  const text = steps('semi_auto', ok, pay, send);
  const asked = await runSteps(text, world);
  expect(world.called).toEqual([]);
  const paid = await answerStep(text, asked, { approval_payload: { approved: true } }, world);
  // The approval was for one tool. The next tool requests its own.
  expect(world.called).toEqual(['pay {"sum":7}']);
  expect(paid.all.findLast(({ event }) => event.type === 'approval:requested')?.event).toMatchObject({
    nodeId: 'send',
  });
  const { end } = await answerStep(text, { events: paid.all }, { approval_payload: { approved: true } }, world);
  expect(end.status).toBe('completed');
  expect(world.called).toEqual(['pay {"sum":7}', 'send {"paid":{"done":"pay"}}']);
});

test('MF-091 semi_auto: a tool with a rejected approval does not run, and the run fails', async () => {
  const world = worldOf();
  const text = steps('semi_auto', pay);
  const asked = await runSteps(text, world);
  const { end } = await answerStep(text, asked, { approval_payload: { approved: false } }, world);
  expect(end).toMatchObject({ status: 'failed', error: { code: 'approval.rejected' } });
  expect(world.called).toEqual([]);
});

test('MF-092 full_auto: tools run without an approval', async () => {
  const world = worldOf();
  const { events, end } = await runSteps(steps('full_auto', pay, send), world);
  expect([end.status, world.called.length]).toEqual(['completed', 2]);
  expect(typesOf(events)).not.toContain('approval:requested');
});

test('an explicit approval pauses at every level', async () => {
  for (const level of ['suggest_only', 'semi_auto', 'full_auto']) {
    const { events, last } = await runSteps(steps(level, ok), worldOf());
    expect([level, last.type, typesOf(events).includes('approval:requested')]).toEqual([level, 'run:suspended', true]);
  }
});

test('MF-093 the hook decides about each tool at each level, and nothing acts without its decision', async () => {
  for (const [level, acts] of [
    ['suggest_only', ['pay', 'send']],
    ['full_auto', ['pay', 'send']],
    ['semi_auto', ['pay']],
  ] as const) {
    const governance = spied();
    const { events } = await runSteps(steps(level, pay, send), worldOf({ governance }));
    expect(governance.acts.map(({ act, target }) => `${act} ${target}`)).toEqual(acts.map((name) => `tool ${name}`));
    const told = events.flatMap(({ event }) => (event.type === 'governance:decision' ? [event] : []));
    // A waiting act has no decision yet.
    expect(told.map(({ rule, level: by }) => [rule, by])).toEqual(
      level === 'semi_auto' ? [] : acts.map(() => [`autonomy.${level}`, level]),
    );
  }
});

test("MF-093 the hook's decision applies at every level of the steps", async () => {
  const world = worldOf({
    governance: {
      open: (scope) => ({
        ...levelsAlone.open(scope),
        act: () => ({
          ...{ decision: 'suggest', rule: 'autonomy.suggest_only', level: 'suggest_only' },
          ...{ reason: 'no', trustHelps: false },
        }),
      }),
    },
  });
  const { end } = await runSteps(steps('full_auto', pay), world);
  expect([end.status, world.called]).toEqual(['failed', []]);
});

test('MF-094 an agent that claims another level has no effect', async () => {
  const claim = { autonomy_level: 'full_auto', autonomy: 'full_auto', policy: { autonomy: 'full_auto' } };
  const world = worldOf({ agents: { sly: async () => ({ ok: true, data: claim }) } });
  const text = steps('semi_auto', '{ id: sly, type: agent, agent: sly }', pay);
  const { events, last } = await runSteps(text, world);
  expect([last.type, world.called]).toEqual(['run:suspended', []]);
  expect(events.find(({ event }) => event.type === 'run:start')?.event).toMatchObject({ autonomy: 'semi_auto' });
});

test('steps without a declared level are semi_auto', async () => {
  const world = worldOf();
  const { last } = await runSteps(`id: f\nsteps:\n  - ${pay}\n`, world);
  expect([last.type, world.called]).toEqual(['run:suspended', []]);
});
