import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { findAgentUsers, nodesThatRun } from '../use-agent-users.ts';
import { type AgentPreview, initialPreview, inputsOf } from './agent-previews.ts';

describe('inputs of a preview', () => {
  const source = { ...initialPreview.source, files: ' notes/*.md \n\n a.md', text: 'x', json: '{"a": 1}' };

  test('are none, globs, a text or a value', () => {
    expect(inputsOf(source)).toEqual({});
    expect(inputsOf({ ...source, kind: 'files' })).toEqual({ files: ['notes/*.md', 'a.md'] });
    expect(inputsOf({ ...source, kind: 'text' })).toEqual({ inputs: ['x'] });
    expect(inputsOf({ ...source, kind: 'json' })).toEqual({ inputs: [{ a: 1 }] });
  });

  test('that cannot be used return the reason', () => {
    expect(inputsOf({ ...source, kind: 'json', json: '{' })).toMatchObject({ problem: expect.stringMatching(/JSON/) });
    expect(inputsOf({ ...source, kind: 'files', files: ' \n' })).toMatchObject({
      problem: expect.stringMatching(/glob/),
    });
  });
});

describe('previews of a window', () => {
  let window: TestWindow;
  let requests: { text?: string | undefined; index: number }[];
  let answer: () => Promise<AgentPreview>;

  const preview: AgentPreview = {
    effects: [],
    end: 'asked',
    inputNames: ['a', 'b'],
    inputCount: 2,
    index: 0,
    input: 'a',
    data: null,
    dataMs: 1,
    messages: [],
  };

  beforeEach(async () => {
    requests = [];
    answer = async () => preview;
    window = openTestWindow({
      readAgent: () => ({ text: '# User\nHello\n', file: '/ws/a.aip', path: 'a.aip', isWritable: true }),
      checkAgent: () => [],
      previewAgent: (request) => {
        requests.push(request);
        return answer();
      },
    });
    window.engine.connect();
    await window.stores.openFiles.getState().open('a.aip', 'agent');
  });
  afterEach(() => window.close());

  const view = () => window.stores.agentPreviews.getState().views.get('a.aip');

  test('are of the text on screen and the selected input', async () => {
    window.stores.edits.type('a.aip', [{ start: 0, end: 0, text: '\n' }]);
    window.stores.agentPreviews.getState().choose('a.aip', 1);
    await window.stores.agentPreviews.getState().refresh('a.aip', 'asked');
    expect(requests).toEqual([{ agent: 'a.aip', text: '\n# User\nHello\n', index: 1 }]);
    expect(view()).toMatchObject({ isWorking: false, preview, error: null });
  });

  test('keep the last result while they fail, and start at the first input of another source', async () => {
    const { refresh, choose, setSource } = window.stores.agentPreviews.getState();
    choose('a.aip', 1);
    await refresh('a.aip', 'asked');
    answer = () => Promise.reject(new EngineError({ code: 'agent.bad-inputs', message: 'No file matches x.' }));
    setSource('a.aip', { kind: 'files', files: 'x' });
    await refresh('a.aip', 'asked');
    expect(requests[1]).toMatchObject({ files: ['x'], index: 0 });
    expect(view()).toMatchObject({ preview, error: { code: 'agent.bad-inputs' } });
  });

  test('use only the result of the last request', async () => {
    const { refresh } = window.stores.agentPreviews.getState();
    let end = (_result: AgentPreview): void => undefined;
    answer = () => new Promise((resolve) => (end = resolve));
    const first = refresh('a.aip', 'asked');
    await window.settle();
    answer = async () => ({ ...preview, inputCount: 7 });
    await refresh('a.aip', 'asked');
    end(preview);
    await first;
    expect(view()?.preview?.inputCount).toBe(7);
  });

  test('request nothing while the input is invalid JSON', async () => {
    window.stores.agentPreviews.getState().setSource('a.aip', { kind: 'json', json: '{' });
    await window.stores.agentPreviews.getState().refresh('a.aip', 'asked');
    expect(requests).toEqual([]);
  });
});

describe('flows that run an agent', () => {
  const flow = (agent: string): string =>
    `millrace: 1\nnodes:\n  - id: one\n    type: agent\n    input:\n      agent: ${agent}\n  - id: two\n    type: echo\n    input:\n      value: agents/a.aip\n`;

  test('are those with nodes that refer to it', () => {
    expect(nodesThatRun('agents/a.aip', flow('agents/a.aip'))).toEqual(['one']);
    expect(nodesThatRun('agents/a.aip', flow('./agents/a.aip'))).toEqual(['one']);
    expect(nodesThatRun('agents/a.aip', flow('agents/b.aip'))).toEqual([]);
    expect(nodesThatRun('a.aip', 'no flow a.aip')).toEqual([]);
  });

  test('are found in the whole workspace, and unreadable flows are skipped', async () => {
    const window = openTestWindow({
      readFlow: (path) => {
        if (path === 'gone.flow.yaml') throw new EngineError({ code: 'files.not-found', message: path });
        return { text: flow(path === 'z.flow.yaml' ? 'b.aip' : 'a.aip') };
      },
    });
    window.engine.connect();
    const users = await findAgentUsers(window.engine.client, 'a.aip', [
      'z.flow.yaml',
      'gone.flow.yaml',
      'b.flow.yaml',
      'a.flow.yaml',
    ]);
    expect(users?.map(({ path }) => path)).toEqual(['a.flow.yaml', 'b.flow.yaml']);
    expect(
      await findAgentUsers(
        window.engine.client,
        'a.aip',
        Array.from({ length: 301 }, (_, at) => `${at}`),
      ),
    ).toBeNull();
    window.close();
  });
});
