import { afterEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { flowOf, gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const found = (note: string): string => `{ outcome: success, data: { reply: ${note} }, scratchpad_entries: [${note}] }`;

const files = {
  'desk.dialogue.yaml': `
model: scripted::model.yaml
nlu: { script: nlu.yaml }
intents: { Books: {} }
flows:
  - { name: close, intent: Plan, description: Closes., policy: { builtin: plan }, lats: { when: never } }
  - { name: a, intent: Books, description: A., policy: { flow: a.flow.yaml } }
  - { name: b, intent: Books, description: B., policy: { flow: b.flow.yaml } }
  - { name: c, intent: Books, description: C., policy: { flow: c.flow.yaml } }
`,
  'nlu.yaml': '- { match: "close", flow: close }\n- { match: "^a$", flow: a }\n',
  'a.flow.yaml': gives('A', found('A is done')),
  'b.flow.yaml': gives('B', found('B is done')),
  'c.flow.yaml': gives('C', found('C is done')),
  'model.yaml': `replies:
  - { match: "Parts: 3 of 3", reply: '{"done":true,"result":"All is closed.","reason":"r"}' }
  - { match: "Parts: 2 of 2", reply: '{"done":false,"add":[{"flow":"c"}],"reason":"C is missing."}' }
  - { match: "Remaining parts of plan", reply: '{"decision":"continue","reason":"r"}' }
  - { match: "Task .close", reply: '{"sub_flows":[{"flow":"a"},{"flow":"b"}],"is_order_obvious":true,"strategies":1,"is_ambiguous":false}' }
`,
};

test('X-10 a plan proposed by a run starts only on request, and is then on the stack with its parts', async () => {
  const proposal = `{ summary: Close, steps: [{ step_id: s1, description: A., step_type: tool, tool: a }, { step_id: b, description: B., step_type: agent, requires_approval: true }, { step_id: c, description: C., step_type: agent }], estimated_cost: { amount: 0 } }`;
  const propose = `flow: { name: Propose }
nodes:
  - { id: plan, type: plan_proposal, input: { plan: ${proposal} } }
  - { id: agree, type: human_approval, input: { title: Do all this? } }
edges: [{ from: plan, to: agree }]
`;
  desk = await TestDesk.open({
    ...files,
    'b.flow.yaml': flowOf('B', '{ id: ok, type: human_approval, input: { title: B now? } }'),
  });
  const { runId } = await desk.engine.startRun({ path: 'propose.flow.yaml', text: propose, inputs: {} });
  await desk.engine.whenEnded(runId);
  const run = () => desk.engine.runProposedPlan({ sessionId: desk.sessionId, runId, nodeId: 'plan' });
  await expect(run()).rejects.toMatchObject({ code: 'plan.not-approved' });
  await desk.engine.resumeRun({ runId, decision: 'approve' });
  await desk.engine.whenEnded(runId);
  await desk.rest();
  expect(await desk.stack()).toEqual([]);
  await expect(desk.engine.runProposedPlan({ sessionId: desk.sessionId, runId, nodeId: 'x' })).rejects.toMatchObject({
    code: 'plan.not-found',
  });
  await run();
  await desk.rest();
  const activated = await desk.events('stack:activate');
  const begun = (await desk.log()).findIndex(({ event }) => event.type === 'stack:activate' && event.flowId === 'f4');
  expect(activated.map(({ flowId }) => flowId)).toContain('f4');
  const view = await desk.view(begun);
  const planId = view.stack.at(-1)?.flowId;
  expect(view.stack.map(({ flowName, status, planId: of }) => [flowName, status, of])).toEqual([
    ['a', 'Active', planId],
    ['b', 'Pending', planId],
    ['c', 'Pending', planId],
    ['close', 'Pending', null],
  ]);
  // Its own approval is still required.
  expect(await desk.stack()).toEqual(['b:Active', 'c:Pending', 'close:Pending']);
  expect(await desk.engine.listWaiting()).toMatchObject([{ message: 'B now?' }]);
});

test('a plan runs its policy once more at the end, which may add parts, and replies with all results', async () => {
  desk = await TestDesk.open(files);
  const reply = await desk.say('close');
  expect(reply.split('\n')).toEqual(['A is done', 'B is done', 'C is done', 'All is closed.']);
  expect(await desk.events('plan:assessed')).toMatchObject([
    { done: false, newSubFlows: [{ flowName: 'c' }] },
    { done: true },
  ]);
  // Each review is one call outside of the policy's runs: one to decompose the task, two to assess it.
  const ofPlan = (await desk.events('flow:run')).filter(({ flowId }) => flowId === 'f1');
  expect(ofPlan).toHaveLength(3);
  for (const { runId } of ofPlan)
    expect(await desk.engine.getRun(asRunId(runId))).toMatchObject({ name: 'close', status: 'completed' });
  expect(await desk.events('plan:replan')).toHaveLength(1);
  expect(await desk.stack()).toEqual([]);
});

test('a turn ends at the guard if more would continue automatically, and continues on request', async () => {
  const guarded = `${files['desk.dialogue.yaml']}thresholds: { keepGoing: 1 }\n`;
  desk = await TestDesk.open({ ...files, 'desk.dialogue.yaml': guarded });
  expect(await desk.say('close')).toContain('That is a lot for one turn. B is next. Shall I continue?');
  expect(await desk.events('turn:end')).toMatchObject([{ outcome: 'guard', keepGoingRounds: 1 }]);
  expect(await desk.stack()).toEqual(['b:Pending', 'close:Pending']);
  // An unclear message may mean that it should stop.
  expect(await desk.say('better not')).toContain("I'm not sure");
  expect(await desk.stack()).toEqual(['b:Pending', 'close:Pending']);
  await desk.say('', { goesOn: true });
  await desk.say('', { goesOn: true });
  await desk.say('', { goesOn: true });
  expect(await desk.stack()).toEqual([]);
});

test('a plan that its model cannot decompose ends with a question and leaves nothing on the stack', async () => {
  desk = await TestDesk.open({ ...files, 'model.yaml': 'replies: [{ match: "", reply: I would rather not. }]\n' });
  expect(await desk.say('close')).toContain('close did not work');
  expect(await desk.stack()).toEqual([]);
  expect((await desk.view()).ambiguity).toMatchObject({ level: 'general' });
});

describe('13.12 a plan that spans turns', () => {
  const slots = 'slots: { quarter: { type: exact, priority: required } }, ';
  const spanning = (model: string) => ({
    ...files,
    'desk.dialogue.yaml': files['desk.dialogue.yaml'].replace(
      'description: Closes., ',
      `description: Closes., ${slots}`,
    ),
    'a.flow.yaml': flowOf('A', '{ id: ok, type: human_approval, input: { title: A now? } }'),
    'model.yaml': `replies:\n${model}`,
  });
  const parts = '{"sub_flows":[{"flow":"a"}],"is_order_obvious":true,"strategies":1,"is_ambiguous":false}';

  async function approve(): Promise<void> {
    const [{ runId } = {}] = await desk.engine.listWaiting();
    if (runId === undefined) throw new Error('nothing waits');
    await desk.engine.resumeRun({ runId, decision: 'approve' });
    await desk.engine.whenEnded(runId);
  }

  test('keeps its first message and later ones for its parts and its assessment', async () => {
    desk = await TestDesk.open(
      spanning(`
  - { match: "close the books for Ann(.|\\\\n)*Said since: \\"Q3\\", \\"is it soon\\"(.|\\\\n)*Parts: 1 of 1", reply: '{"done":true,"result":"Closed for Ann.","reason":"r"}' }
  - { match: "close the books for Ann(.|\\\\n)*Said since: \\"Q3\\"", reply: '${parts}' }
`),
    );
    await desk.say('close the books for Ann');
    await desk.say('Q3');
    expect(await desk.stack()).toEqual(['a:Active', 'close:Pending']);
    await desk.say('is it soon');
    await approve();
    await desk.settled('plan:assessed', 1);
    expect((await desk.view()).messages.at(-1)?.text).toContain('Closed for Ann.');
  });

  test('asks the person if its assessment is unreadable twice, and ends with their yes', async () => {
    desk = await TestDesk.open(
      spanning(`
  - { match: "Parts: 1 of 1|does not match the schema", reply: '{"perhaps":true}' }
  - { match: "Task .close", reply: '${parts}' }
`),
    );
    await desk.say('close the books');
    await desk.say('Q3');
    await approve();
    await desk.settled('ambiguity:declared', 2);
    expect((await desk.view()).messages.at(-1)?.text).toContain('have ended, but the result could not be assessed');
    // One run to decompose it, two for the assessment.
    expect((await desk.events('flow:run')).filter(({ flowId }) => flowId === 'f1')).toHaveLength(3);
    expect(await desk.say('yes')).toBe('Close (Q3): done.');
    expect(await desk.stack()).toEqual([]);
  });
});
