import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { flowOf, gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const catalogue = (more = '', nlu = 'nlu: { script: nlu.yaml }') => `
name: Desk
${nlu}
intents: { Read: {}, Change: {} }
flows:
  - { name: greet, intent: Converse, description: Greets., policy: { flow: greet.flow.yaml } }
  - { name: wait, intent: Read, description: Waits., policy: { flow: wait.flow.yaml } }
  - { name: write, intent: Change, description: Writes., policy: { flow: write.flow.yaml } }
${more}`;

const files = {
  'desk.dialogue.yaml': catalogue(),
  'nlu.yaml':
    '- { match: "hello", flow: greet }\n- { match: "wait", flow: wait }\n- { match: "write", flow: write }\n- { match: "odd", flow: odd }\n',
  'greet.flow.yaml': gives('Greet', '{ reply: Good day }'),
  'wait.flow.yaml': flowOf('Wait', '{ id: w, type: control.wait, input: { ms: 600000 } }'),
  'write.flow.yaml': flowOf(
    'Write',
    '{ id: w, type: file.write, input: { path: out.txt, text: x }, config: { mode: append } }',
  ),
};

describe('a policy', () => {
  test.each([
    [
      'throws',
      {
        'odd.flow.yaml': flowOf(
          'Odd',
          '{ id: s, type: script.js, input: {}, config: { code: "throw new Error(\'No.\')" } }',
        ),
      },
      'No.',
    ],
    ['is not a flow', { 'odd.flow.yaml': 'nodes: 7\n' }, 'flow'],
    ['does not exist', {}, 'odd.flow.yaml'],
  ])('that %s fails, is reported, and leaves the conversation unchanged', async (_, more, words) => {
    const odd = '  - { name: odd, intent: Read, description: Odd., policy: { flow: odd.flow.yaml } }\n';
    desk = await TestDesk.open({ ...files, 'desk.dialogue.yaml': catalogue(odd), ...more });
    expect(await desk.say('odd')).toContain(words);
    expect(await desk.stack()).toEqual([]);
    expect(await desk.say('hello')).toBe('Good day');
  });

  test('outside of the workspace is not read', async () => {
    const odd = '  - { name: odd, intent: Read, description: Odd., policy: { flow: ../../odd.flow.yaml } }\n';
    desk = await TestDesk.open({ ...files, 'desk.dialogue.yaml': catalogue(odd) });
    expect(await desk.say('odd')).toContain('is outside the workspace');
  });

  test('that never ends is ended with its turn, and waiting messages get their turns', async () => {
    desk = await TestDesk.open(files);
    const { engine, sessionId } = desk;
    await engine.sayInConversation({ sessionId, text: 'wait' });
    await desk.until('flow:run', 1);
    await engine.sayInConversation({ sessionId, text: 'hello' });
    expect((await desk.view()).queue).toMatchObject([{ text: 'hello' }]);
    const [{ runId } = { runId: '' }] = await desk.events('flow:run');
    // The run is announced before it starts, and one that has not started leaves nothing behind.
    await expect.poll(async () => await engine.listRuns({ limit: 9 })).toMatchObject([{ runId, status: 'running' }]);
    await engine.cancelTurn(sessionId);
    await desk.rest();
    expect((await desk.events('turn:end')).map(({ outcome }) => outcome)).toEqual(['cancelled', 'done']);
    expect(await desk.events('stack:invalidate')).toMatchObject([{ reason: 'abandon' }]);
    expect((await engine.whenEnded(asRunId(runId))).status).toBe('cancelled');
    expect((await desk.view()).messages.at(-1)?.text).toBe('Good day');
  });
});

test('a turn canceled while its run starts leaves no run behind, at any point', async () => {
  desk = await TestDesk.open(files);
  const { engine, sessionId } = desk;
  let ticks = 0;
  const cancel = async (): Promise<void> => {
    for (let left = ticks; left > 0; left--) await new Promise(setImmediate);
    await engine.cancelTurn(sessionId);
  };
  const stop = engine.watchConversation(sessionId, (notice) => {
    if (notice.type === 'events' && notice.events.some(({ event }) => event.type === 'flow:run')) void cancel();
  });
  for (; ticks < 12; ticks++) {
    await desk.say('wait');
    expect([ticks, await desk.stack()]).toEqual([ticks, []]);
  }
  stop();
  expect(await desk.say('hello')).toBe('Good day');
  const runs = (await desk.events('flow:run')).map(({ runId }) => asRunId(runId));
  expect(runs).toHaveLength(13);
  for (const runId of runs.slice(0, -1)) {
    const hasStarted = (await engine.readEvents(runId, -1, 1)).length > 0;
    if (hasStarted) expect((await engine.whenEnded(runId)).status).toBe('cancelled');
  }
});

describe('messages', () => {
  test('sent at the same time get their turns one after the other, each once', async () => {
    desk = await TestDesk.open(files);
    const { engine, sessionId } = desk;
    const say = (messageId: string) => engine.sayInConversation({ sessionId, text: 'hello', messageId });
    await Promise.all([say('m1'), say('m2'), say('m1')]);
    await desk.rest();
    await say('m2');
    await desk.rest();
    const order = (await desk.log()).flatMap(({ event: { type } }) => (type.startsWith('turn:') ? [type] : []));
    expect(order).toEqual(['turn:start', 'turn:end', 'turn:start', 'turn:end']);
  });

  test('without content, or for an unknown conversation, are rejected', async () => {
    desk = await TestDesk.open(files);
    const { engine, sessionId } = desk;
    await expect(engine.sayInConversation({ sessionId, text: '  ' })).rejects.toMatchObject({ code: 'message.empty' });
    const nobody = { sessionId: 'nobody' as typeof sessionId, text: 'x' };
    await expect(engine.sayInConversation(nobody)).rejects.toMatchObject({ code: 'session.not-found' });
    expect(await desk.say('', { flow: 'nothing' })).toContain('That flow does not exist.');
    expect(await desk.say('', { flowId: 'f99', slots: {} })).toContain('That flow does not exist.');
  });
});

describe('a model that predicts the meaning', () => {
  const withModel = (reply: string) => ({
    ...files,
    'desk.dialogue.yaml': catalogue('', 'nlu: { model: "scripted::model.yaml" }'),
    'model.yaml': `replies: [{ match: "", reply: '${reply}' }]\n`,
  });

  test('and answers in prose is called once more, then the person is asked', async () => {
    desk = await TestDesk.open(withModel('I think it is about greeting.'));
    expect(await desk.say('hello')).toContain("I'm not sure what you would like me to do");
    const steps = await desk.events('step:result');
    expect(steps.filter(({ key }) => key === 'think')).toMatchObject([{ result: { problem: expect.any(String) } }]);
    expect((await desk.view()).ambiguity).toMatchObject({ level: 'general' });
    expect(await desk.stack()).toEqual([]);
  });

  test('and is unavailable leaves a question and a report of the failure', async () => {
    desk = await TestDesk.open({ ...withModel(''), 'model.yaml': 'replies: []\n' });
    await desk.say('hello');
    expect(await desk.events('state:flags')).toContainEqual({ type: 'state:flags', hasIssues: true });
  });

  test('receives the available choices and the text', async () => {
    desk = await TestDesk.open(
      withModel(
        '{"intent":"Converse","flow":"greet","confidence":0.4,"candidates":[{"flow":"greet","score":0.4},{"flow":"wait","score":0.3}]}',
      ),
    );
    expect(await desk.say('hi there')).toBe('Do you mean greet?');
    expect((await desk.view()).prediction).toMatchObject({
      text: 'hi there',
      candidates: [
        { flow: 'greet', score: 0.4 },
        { flow: 'wait', score: 0.3 },
      ],
    });
    expect(await desk.say('', { flow: 'greet' })).toContain('Good day');
  });
});

describe('a conversation', () => {
  test('keeps its original version of the catalog and reports that the file has changed', async () => {
    desk = await TestDesk.open(files);
    desk.write('desk.dialogue.yaml', catalogue().replace('greet.flow.yaml', 'other.flow.yaml'));
    expect(await desk.say('hello')).toBe('Good day');
    expect((await desk.view()).isCatalogueChanged).toBe(true);
    await desk.engine.close();
    await desk.start();
    await desk.engine.openConversation(desk.sessionId);
    expect(await desk.say('hello')).toBe('Good day');
  });

  /** Opens a conversation in a folder with all files named by the catalog, so that the folder can be moved. */
  async function openInFolder(): Promise<void> {
    const inFolder = Object.fromEntries(Object.entries(files).map(([path, text]) => [`a/${path}`, text]));
    desk = await TestDesk.open({ ...files, ...inFolder });
    const path = 'a/desk.dialogue.yaml';
    ({ sessionId: desk.sessionId } = await desk.engine.startConversation({ path }));
    await desk.say('hello');
  }

  const listed = async (request: { path?: string; isGone?: true }) =>
    (await desk.engine.listConversations(request)).map(({ sessionId }) => sessionId);

  test('moves with its file, or with the folder that contains it', async () => {
    await openInFolder();
    const { sessionId } = desk;
    await desk.engine.renameFile({ from: 'a', to: 'b' });
    await desk.engine.renameFile({ from: 'b/desk.dialogue.yaml', to: 'b/help.dialogue.yaml' });
    expect(await listed({ path: 'b/help.dialogue.yaml' })).toEqual([sessionId]);
    expect(await listed({ path: 'desk.dialogue.yaml' })).not.toContain(sessionId);
    expect(await listed({ isGone: true })).toEqual([]);
    expect(await desk.view()).toMatchObject({ catalogue: { path: 'b/help.dialogue.yaml' }, isCatalogueChanged: false });
    expect(await desk.say('hello')).toBe('Good day');
    await desk.engine.close();
    await desk.start();
    expect(await desk.say('hello')).toBe('Good day');
  });

  test('with a file that was renamed elsewhere is listed as gone, and continues with the new file', async () => {
    await openInFolder();
    const { sessionId } = desk;
    await expect(desk.engine.moveConversation({ sessionId, path: 'desk.dialogue.yaml' })).rejects.toMatchObject({
      code: 'session.other-catalogue',
    });
    await desk.engine.close();
    renameSync(join(desk.workspace, 'a'), join(desk.workspace, 'c'));
    await desk.start();
    const path = 'c/desk.dialogue.yaml';
    expect(await listed({ path })).toEqual([]);
    expect(await listed({ isGone: true })).toEqual([sessionId]);
    await expect(desk.engine.moveConversation({ sessionId, path: 'c/none.dialogue.yaml' })).rejects.toMatchObject({
      code: 'files.not-found',
    });
    expect(await desk.engine.moveConversation({ sessionId, path })).toEqual({ from: 'a/desk.dialogue.yaml' });
    expect(await desk.engine.moveConversation({ sessionId, path })).toEqual({ from: null });
    expect(await listed({ path })).toEqual([sessionId]);
    expect(await desk.say('hello')).toBe('Good day');
  });

  test('does not start with an invalid catalog', async () => {
    desk = await TestDesk.open(files);
    desk.write('bad.dialogue.yaml', 'intents: {}\nflows: [{ name: a, intent: Nowhere, policy: { builtin: chat } }]\n');
    await expect(desk.engine.startConversation({ path: 'bad.dialogue.yaml' })).rejects.toMatchObject({
      code: 'dialogue.invalid',
      message: expect.stringContaining('bad.dialogue.yaml:2'),
    });
    expect(await desk.engine.listConversations()).toHaveLength(1);
  });

  test('is held by only one engine at a time', async () => {
    desk = await TestDesk.open(files);
    const first = desk.engine;
    await desk.start();
    await expect(desk.engine.openConversation(desk.sessionId)).rejects.toMatchObject({ code: 'session.elsewhere' });
    // Reading is allowed without holding it.
    expect((await desk.view()).turnCount).toBe(0);
    await first.close();
    await desk.engine.openConversation(desk.sessionId);
    expect(await desk.say('hello')).toBe('Good day');
  });

  test('rolls back a turn and all later ones, and lists effects that cannot be undone', async () => {
    desk = await TestDesk.open(files);
    await desk.say('hello');
    await desk.say('write');
    await desk.say('hello');
    const [, { turnId } = { turnId: '' }] = await desk.events('turn:start');
    const { effects } = await desk.engine.rollBackConversation({ sessionId: desk.sessionId, turnId });
    expect(effects).toMatchObject([{ tool: 'file.write', target: 'w' }]);
    const view = await desk.view();
    expect(view.turnCount).toBe(1);
    expect(view.messages.map(({ text }) => text)).toEqual(['hello', 'Good day']);
    await expect(desk.engine.rollBackConversation({ sessionId: desk.sessionId, turnId })).rejects.toMatchObject({
      code: 'turn.unknown',
    });
    expect(await desk.say('hello')).toBe('Good day');
  });

  test('can be read as it was after each event', async () => {
    desk = await TestDesk.open(files);
    await desk.say('hello');
    const log = await desk.log();
    const pushed = log.findIndex(({ event }) => event.type === 'stack:push');
    expect((await desk.view(pushed)).stack).toMatchObject([{ flowName: 'greet', status: 'Pending' }]);
    expect((await desk.view(pushed - 1)).stack).toEqual([]);
    expect((await desk.view(pushed)).lastSeq).toBe(log.length - 1);
  });
});
