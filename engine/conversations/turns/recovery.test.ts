import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { SessionEvent } from '../session/session-event.ts';
import { flowOf, gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const fails = flowOf('Fails', '{ id: out, type: control.fail, input: { message: The pump is dry. } }');
const acts = `flow: { name: Acts }
nodes:
  - { id: note, type: file.write, input: { path: out.txt, text: x }, config: { mode: append } }
  - { id: out, type: control.fail, input: { message: Too late. } }
edges: [{ from: note, to: out }]
`;
const says = (outcome: object): string => gives('Says', JSON.stringify(outcome));

function filesWith(flows: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    'desk.dialogue.yaml': `
nlu: { script: nlu.yaml }
intents: { Read: {} }
flows:
  - { name: pump, intent: Read, description: Pumps., policy: { flow: fails.flow.yaml } }
  - { name: ask, intent: Read, description: Asks., policy: { flow: ok.flow.yaml } }
  - { name: close, intent: Plan, description: Closes., policy: { flow: close.flow.yaml } }
${flows}`,
    'nlu.yaml': `
- { match: "pump", flow: pump }
- { match: "close", flow: close }
- { match: "wrong", flow: wrong }
- { match: "vague", flow: vague }
- { match: "pump", flow: ask, confidence: 0.9 }
`,
    'fails.flow.yaml': fails,
    'acts.flow.yaml': acts,
    'ok.flow.yaml': gives('Ok', '{ reply: All well }'),
    'close.flow.yaml': gives(
      'Close',
      '{ sub_flows: [{ flow: pump }, { flow: ask }], done: true, result: { reply: Closed } }',
    ),
    ...more,
  };
}

async function told(...types: readonly SessionEvent['type'][]): Promise<readonly string[]> {
  const log = await desk.log();
  return log.flatMap(({ event }) => {
    if (!types.includes(event.type)) return [];
    if (event.type === 'recovery:step') return [`${event.step} ${event.ok}`];
    return event.type === 'nlu:predicted' ? [`${event.mode} ${event.flow}`] : [event.type];
  });
}

const ladder = [
  'recovery:step',
  'ambiguity:declared',
  'ambiguity:resolved',
  'nlu:predicted',
  'stack:fallback',
] as const;

describe('a flow that fails', () => {
  test('FS-100 its policy is retried before anything else', async () => {
    desk = await TestDesk.open(filesWith(''));
    expect(await desk.say('pump')).toBe('All well');
    expect((await told(...ladder)).slice(0, 3)).toEqual(['think pump', 'policy true', 'ambiguity:declared']);
    // A failed run is never continued: a new one follows.
    const runs = await desk.events('flow:run');
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(3);
  });

  test('FS-101 is declared unclear at a level if the retry failed', async () => {
    desk = await TestDesk.open(filesWith(''));
    await desk.say('pump');
    expect(await desk.events('ambiguity:declared')).toMatchObject([
      { level: 'partial', flowId: 'f1', metadata: { reason: 'The pump is dry.', error_category: 'control.fail' } },
    ]);
  });

  test('FS-102 its meaning is predicted again, and another flow takes over', async () => {
    desk = await TestDesk.open(filesWith(''));
    await desk.say('pump');
    expect((await told(...ladder)).slice(2)).toEqual([
      'ambiguity:declared',
      'contemplate ask',
      'reroute true',
      'stack:fallback',
      'ambiguity:resolved',
    ]);
    expect(await desk.events('stack:fallback')).toMatchObject([{ fromFlowId: 'f1', toFlowName: 'ask' }]);
  });

  test('FS-104 is clear again after any successful recovery', async () => {
    desk = await TestDesk.open(filesWith(''));
    await desk.say('pump');
    expect((await desk.view()).ambiguity).toBeNull();
    expect(await desk.events('ambiguity:resolved')).toMatchObject([{ level: 'partial', by: 'reroute' }]);
    await desk.say('close');
    expect((await desk.view()).ambiguity).toBeNull();
    expect((await desk.events('ambiguity:resolved')).at(-1)).toMatchObject({ level: 'partial', by: 'skip' });
  });

  test.each([
    ['by a policy', { 'fails.flow.yaml': acts, 'millrace.policy.yaml': 'max_steps: 1\n' }, 'max_steps_exceeded'],
    ['because its file is not a flow', { 'fails.flow.yaml': 'nodes: 3\n' }, 'flow.invalid'],
  ])('that was refused before it started, %s, is not retried: the next alternative is tried', async (_, more, code) => {
    desk = await TestDesk.open(filesWith('', more));
    expect(await desk.say('pump')).toBe('All well');
    expect((await told(...ladder)).slice(0, 3)).toEqual(['think pump', 'ambiguity:declared', 'contemplate ask']);
    expect(await desk.events('flow:run')).toHaveLength(2);
    expect(await desk.events('ambiguity:declared')).toMatchObject([{ metadata: { error_category: code } }]);
  });

  test('falls back to the flow named in the catalog without predicting the meaning', async () => {
    const flow =
      '  - { name: wrong, intent: Read, description: W., policy: { flow: fails.flow.yaml }, fallback: ask }\n';
    desk = await TestDesk.open(filesWith(flow));
    expect(await desk.say('wrong')).toBe('All well');
    expect(await desk.events('nlu:predicted')).toMatchObject([
      { mode: 'think', flow: 'wrong' },
      { mode: 'contemplate', flow: 'ask', confidence: 1 },
    ]);
  });

  test('is not retried if it had effects', async () => {
    const flow = '  - { name: wrong, intent: Read, description: W., policy: { flow: acts.flow.yaml } }\n';
    desk = await TestDesk.open(filesWith(flow));
    expect(await desk.say('wrong')).toContain('Too late.');
    expect(await told('recovery:step')).toEqual(['reroute false', 'escalate false']);
  });

  test('FS-103 is skipped in its plan, which continues with the next part', async () => {
    desk = await TestDesk.open(filesWith(''));
    expect(await desk.say('close')).toBe('All well\nClosed');
    const log = (await desk.log()).map(({ event }) => event);
    const skipped = log.findIndex((event) => event.type === 'recovery:step' && event.step === 'skip');
    const next = log.findIndex((event, index) => index > skipped && event.type === 'stack:activate');
    expect(log[next]).toMatchObject({
      flowId: (await desk.events('stack:push')).find(({ flowName }) => flowName === 'ask')?.flowId,
    });
    expect((await desk.view(skipped)).turnId).not.toBeNull();
    expect(await desk.events('stack:invalidate')).toMatchObject([{ reason: 'failure' }]);
    expect(await desk.events('turn:end')).toMatchObject([{ outcome: 'done' }]);
  });

  test('X-09 goes through recovery once for a failed run of a plan, and no node of that run runs again', async () => {
    desk = await TestDesk.open(filesWith(''));
    await desk.say('close');
    expect(await told('recovery:step', 'ambiguity:declared', 'ambiguity:resolved')).toEqual([
      'policy true',
      'ambiguity:declared',
      'skip true',
      'ambiguity:resolved',
    ]);
    const runs = (await desk.engine.listRuns({ limit: 20 })).filter(({ name }) => name === 'Fails');
    expect(runs.map(({ status }) => status)).toEqual(['failed', 'failed']);
    for (const { runId } of runs) {
      const starts = (await desk.engine.readEvents(runId, -1, 100)).filter(({ event }) => event.type === 'task:start');
      expect(starts).toHaveLength(1);
    }
  });

  test('FS-107 is handled by the agent, which determines what happens to the stack', async () => {
    desk = await TestDesk.open(filesWith(''));
    await desk.say('pump');
    const types = (await desk.log()).map(({ event }) => event.type);
    const lastOutcome = types.lastIndexOf('recovery:step');
    expect(types.indexOf('stack:invalidate')).toBeGreaterThan(lastOutcome);
    // The code of the stack does not mention recovery.
    const stack = readFileSync(new URL('../session/flow-stack.ts', import.meta.url), 'utf8');
    expect(stack).not.toMatch(/recover(?!y: that)|fallBack|contemplate|retry/);
  });

  test('FS-105 asks the person if nothing works, and the flow is Invalid', async () => {
    const flow = '  - { name: wrong, intent: Read, description: W., policy: { flow: fails.flow.yaml } }\n';
    desk = await TestDesk.open(filesWith(flow));
    const reply = await desk.say('wrong');
    expect(reply).toBe('wrong did not work: The pump is dry. What would you like to do instead?');
    expect(await told(...ladder)).toEqual([
      'think wrong',
      'policy true',
      'ambiguity:declared',
      'contemplate null',
      'reroute false',
      'escalate false',
    ]);
    expect(await desk.stack()).toEqual([]);
    expect(await desk.events('stack:pop')).toMatchObject([{ status: 'Invalid' }]);
    expect((await desk.view()).ambiguity).toMatchObject({ level: 'partial' });
  });

  test('FS-106 asks the person immediately at the level general', async () => {
    const flow = '  - { name: vague, intent: Read, description: V., policy: { flow: vague.flow.yaml } }\n';
    const vague = says({ outcome: 'uncertain', reason: 'No idea.', context: { level: 'general' } });
    desk = await TestDesk.open(filesWith(flow, { 'vague.flow.yaml': vague }));
    expect(await desk.say('vague')).toContain('(No idea.)');
    expect(await told(...ladder)).toEqual(['think vague', 'ambiguity:declared', 'escalate false']);
  });

  test('a person who has declined is not asked again, and no alternative is tried', async () => {
    const flow = '  - { name: wrong, intent: Read, description: W., policy: { flow: no.flow.yaml }, fallback: ask }\n';
    const asks = flowOf('No', '{ id: ok, type: human_approval, input: { title: "Sure?" } }');
    desk = await TestDesk.open(filesWith(flow, { 'no.flow.yaml': asks }));
    await desk.say('wrong');
    const [{ runId } = {}] = await desk.engine.listWaiting();
    if (runId === undefined) throw new Error('nothing waits');
    await desk.engine.resumeRun({ runId, decision: 'reject' });
    await desk.settled('stack:pop', 1);
    expect(await told('recovery:step')).toEqual([]);
    expect((await desk.view()).messages.at(-1)?.text).toContain('was rejected');
    expect(await desk.stack()).toEqual([]);
  });

  test("a policy that reports a missing value runs again with the person's answer", async () => {
    const flow = `  - name: vague
    intent: Read
    description: V.
    slots: { colour: { type: exact, priority: optional } }
    policy: { flow: vague.flow.yaml }
`;
    const vague = `flow: { name: V, input: { colour: "" } }
nodes:
  - { id: which, type: control.if, input: { condition: { equals: { var: flow.input.colour, value: "" } } } }
  - id: no
    type: constant
    input: { value: { outcome: uncertain, reason: Colours matter., context: { missing_slot: colour } } }
  - { id: yes, type: constant, input: { value: { reply: "{{flow.input.colour}} it is" } } }
edges:
  - { from: which, to: no, when: { equals: { var: which.condition, value: true } } }
  - { from: which, to: yes, when: { equals: { var: which.condition, value: false } } }
`;
    desk = await TestDesk.open(filesWith(flow, { 'vague.flow.yaml': vague }));
    expect(await desk.say('vague')).toBe('Which colour? (Colours matter.)');
    expect(await desk.say('blue')).toBe('blue it is');
  });

  test('the same question is asked three times, then the flow is given up', async () => {
    const flow = `  - name: vague
    intent: Read
    description: V.
    slots: { size: { type: level, threshold: 3, priority: required } }
    policy: { flow: ok.flow.yaml }
`;
    desk = await TestDesk.open(filesWith(flow));
    const replies = [];
    for (const text of ['vague', 'large', 'huge', 'big']) replies.push(await desk.say(text));
    expect(replies.slice(0, 3)).toEqual([
      'What size?',
      'What size? (size must be a number, not "large".)',
      'What size? (size must be a number, not "huge".)',
    ]);
    expect(replies[3]).not.toContain('What size?');
    expect(await desk.stack()).toEqual([]);
    expect(await told('recovery:step')).toEqual(['escalate false']);
  });
});
