import { afterEach, describe, expect, test } from 'vitest';
import { flowOf, gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const catalogue = `
name: Desk
nlu: { script: nlu.yaml }
intents: { Read: {}, Change: {} }
flows:
  - name: find
    intent: Read
    description: Finds an order.
    slots: { number: { type: exact, priority: required } }
    policy: { flow: flows/find.flow.yaml }
  - { name: greet, intent: Converse, description: Greets., policy: { flow: flows/greet.flow.yaml } }
  - name: refund
    intent: Change
    description: Pays back.
    policy: { flow: flows/refund.flow.yaml }
`;
const files = {
  'desk.dialogue.yaml': catalogue,
  'nlu.yaml': `
- { match: "hello", flow: greet }
- { match: "refund", flow: refund }
- { match: "find", flow: find, slots: { number: { word: "[A-Z]{2}-\\\\d+" } } }
`,
  'flows/find.flow.yaml': flowOf('Find', '{ id: out, type: echo, input: { text: "Found {{flow.input.number}}" } }'),
  'flows/greet.flow.yaml': gives('Greet', '{ reply: Good day }'),
  'flows/refund.flow.yaml': flowOf('Refund', '{ id: ok, type: human_approval, input: { title: "Pay 12 back?" } }'),
};

describe('a turn', () => {
  test('FS-02 runs the policy of the predicted flow, as a root run of the conversation, and replies', async () => {
    desk = await TestDesk.open(files);
    expect(await desk.say('hello')).toBe('Good day');
    const [{ runId = '', flowId = '' } = {}] = await desk.events('flow:run');
    const [first] = await desk.engine.readEvents(runId as never, -1, 1);
    expect(first?.event).toMatchObject({ type: 'run:start', name: 'Greet', sessionId: desk.sessionId, flowId });
    expect(first?.context.sessionId).toBe(desk.sessionId);
    expect((await desk.engine.listRuns({ limit: 9 })).map(({ name }) => name)).toEqual(['Greet']);
    expect(await desk.stack()).toEqual([]);
  });

  test('asks for missing slots, fills them from messages or a form, and completes the flow', async () => {
    desk = await TestDesk.open(files);
    expect(await desk.say('find it')).toBe('Which number?');
    expect(await desk.stack()).toEqual(['find:Active']);
    expect((await desk.view()).ambiguity).toMatchObject({ level: 'specific' });
    expect(await desk.say('XY-77')).toBe('Found XY-77');
    expect((await desk.view()).ambiguity).toBeNull();
    await desk.say('find it');
    const [{ flowId = '' } = {}] = (await desk.view()).stack;
    expect(await desk.say('', { flowId, slots: { number: 'AB-12' } })).toBe('Found AB-12');
    expect(await desk.stack()).toEqual([]);
  });

  test('ends while a run waits for an approval, and the conversation continues when it is given', async () => {
    desk = await TestDesk.open(files);
    expect(await desk.say('refund')).toBe('Refund waits for an approval: Pay 12 back?');
    expect(await desk.stack()).toEqual(['refund:Active']);
    expect(await desk.say('hello')).toContain('Refund waits');
    expect(await desk.stack()).toEqual(['refund:Active', 'greet:Pending']);
    const [{ runId } = {}] = await desk.engine.listWaiting();
    if (runId === undefined) throw new Error('nothing waits');
    await desk.engine.resumeRun({ runId, decision: 'approve' });
    await desk.engine.whenEnded(runId);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await desk.rest();
    expect(await desk.stack()).toEqual([]);
    expect((await desk.view()).messages.at(-1)?.text).toContain('Good day');
  });

  test('13.5 ends while a person has paused its run, and the conversation continues with it', async () => {
    const slow = `
flow: { name: Greet, outputs: { reply: "{{out.text}}" } }
nodes:
  - { id: wait, type: control.wait, input: { ms: 200 } }
  - { id: out, type: echo, input: { text: Good day } }
edges: [{ from: wait, to: out }]`;
    desk = await TestDesk.open({ ...files, 'flows/greet.flow.yaml': slow });
    const { engine } = desk;
    const end = engine.subscribe((events) => {
      for (const { event, runId } of events) if (event.type === 'run:start') void engine.pauseRun(runId);
    });
    expect(await desk.say('hello')).toBe('Greet is paused.');
    end();
    expect((await desk.view()).stack).toMatchObject([{ waitsFor: 'pause' }]);
    expect(await engine.listWaiting()).toEqual([]);
    const [{ runId = '' } = {}] = await desk.events('flow:run');
    await engine.resumeRun({ runId: runId as never, action: 'continue' });
    await expect.poll(() => desk.stack()).toEqual([]);
    expect((await desk.view()).messages.at(-1)?.text).toContain('Good day');
  });

  test('drops a flow that is no longer wanted, and cancels the open requests of its run', async () => {
    desk = await TestDesk.open(files);
    await desk.say('refund');
    const [{ flowId = '', runId = '' } = {}] = await desk.events('flow:run');
    expect(await desk.engine.listWaiting()).toHaveLength(1);
    await desk.say('', { flowId, drop: true });
    expect(await desk.stack()).toEqual([]);
    expect(await desk.engine.listWaiting()).toEqual([]);
    expect((await desk.engine.whenEnded(runId as never)).status).toBe('cancelled');
  });
});
