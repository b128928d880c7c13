import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { EngineAnswers } from '../bridge/testing/engine-stand-in.ts';
import { runEnd } from '../bridge/testing/run-events.ts';
import { useOpenFile, useShownRun } from '../stores/use-flow.ts';
import { BeforeRun, FirstResult, FirstStart } from './first-run.tsx';

const path = 'a.flow.yaml';
const scripted = `flow: { name: Letters, description: Writes letters, input: { page: out/page.md } }
nodes:
  - { id: ask, type: prompt, input: { prompt: hi }, config: { model: "scripted::talk.yaml" } }
  - { id: save, type: file.write, input: { path: "{{flow.input.page}}", text: "{{ask.text}}" } }
edges: [{ from: ask, to: save }]
`;

let window: TestWindow;
afterEach(() => window.close());

let opened: string[];

function Shown() {
  const flow = useOpenFile(path);
  const run = useShownRun(path);
  if (flow === undefined) return null;
  return (
    <main>
      {run === undefined ? (
        <>
          <FirstStart flow={flow} runAction={null} />
          <BeforeRun flow={flow} runAction={null} />
        </>
      ) : (
        <FirstResult flow={flow} run={run} onOpen={(file) => opened.push(file)} />
      )}
    </main>
  );
}

async function draw(text: string, runs: number): Promise<HTMLElement> {
  opened = [];
  const summary = {
    runId: 'r1',
    number: 1,
    kind: 'flow',
    name: 'Letters',
    sourcePath: path,
    definitionHash: 'h',
    status: 'completed',
    startedAt: 0,
    failedNodes: [],
  } as const;
  const answers: EngineAnswers = {
    readFlow: () => ({ text }),
    listRuns: () => Array.from({ length: runs }, () => summary),
  };
  window = openTestWindow(answers);
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const element = window.draw(<Shown />);
  await window.settle();
  return element;
}

describe('before the first run', () => {
  test('a flow shows what it does, what it will write, that it works offline, and what the program is for', async () => {
    const { textContent } = await draw(scripted, 0);
    expect(textContent).toContain('Run Letters');
    expect(textContent).toContain('Writes letters.');
    expect(textContent).toContain('Run Letters. It writes out/page.md, and works offline.');
    expect(textContent).toContain('Hold Shift to change its inputs first.');
    expect(textContent).toContain('Millrace draws and runs flows');
  });

  test('the introduction to the program is shown only before the first run', async () => {
    expect((await draw(scripted, 2)).textContent).not.toContain('Millrace draws');
  });

  test('a flow without a description gets no introduction over the canvas', async () => {
    const silent = scripted.replace(', description: Writes letters', '');
    expect((await draw(silent, 0)).textContent).not.toContain('Millrace draws');
  });

  test('a flow that uses a server or another model does not claim to work offline', async () => {
    const asking = scripted.replace('scripted::talk.yaml', 'openai::gpt-5');
    expect((await draw(asking, 0)).textContent).not.toContain('offline');
    window.close();
    const fetching = scripted.replace(
      'edges:',
      '  - { id: f, type: http.request, input: { url: "https://a.example" } }\nedges:',
    );
    expect((await draw(fetching, 0)).textContent).not.toContain('offline');
  });

  test('the promised file uses the defaults of declared inputs too', async () => {
    const declared = scripted
      .replace('input: {', 'inputs: {')
      .replace('out/page.md', '{ type: string, default: a.md }');
    expect((await draw(declared, 0)).textContent).toContain('It writes a.md, and works offline. Hold Shift');
  });

  test('a path that is known only at run time is not shown', async () => {
    const computed = scripted.replace('{{flow.input.page}}', 'out/{{ask.text}}.md');
    expect((await draw(computed, 0)).textContent).not.toContain('It writes');
  });
});

describe('after a run', () => {
  const save = { taskId: 'node:save', nodeId: 'save' };
  const wrote = (): Promise<void> =>
    window.tellRun(
      path,
      { type: 'task:start', ...save, nodeType: 'file.write' },
      {
        ...{ type: 'task:complete', ...save, durationMs: 1, attempts: 1 },
        result: { path: 'out/page.md', sizeBytes: 2 },
      },
      runEnd('completed'),
    );

  test('the first run of the workspace shows what the flow does and made, with links to the files', async () => {
    const element = await draw(scripted, 1);
    await wrote();
    expect(element.textContent).toContain('Letters: Writes letters. It made out/page.md.');
    const button = element.querySelector('button');
    expect(button?.textContent).toBe('Open out/page.md');
    act(() => button?.click());
    expect(opened).toEqual(['out/page.md']);
  });

  test('later runs show no such summary, and neither does a run that has made nothing', async () => {
    const element = await draw(scripted, 2);
    await wrote();
    expect(element.textContent).toBe('');
    window.close();
    const other = await draw(scripted, 1);
    await window.tellRun(path, runEnd('completed'));
    expect(other.textContent).toBe('');
  });
});
