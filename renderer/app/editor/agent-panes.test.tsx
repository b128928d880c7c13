import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { AgentCrumbs } from '../../agent-editor/agent-crumbs.tsx';
import { AgentOutlinePanel } from '../../agent-editor/agent-outline-panel.tsx';
import { PromptPreview } from '../../agent-editor/prompt-preview.tsx';
import type { AgentPreview } from '../../stores/agents/agent-previews.ts';
import { useOpenFile } from '../../stores/use-flow.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';

const path = 'agents/a.aip';
const text =
  '# Data\n```lua\nreturn { note = 1, styl = 2 }\n```\n\n# System\nBe brief.\n\n# Instruction\n{{data.note}}\n';

const preview: AgentPreview = {
  effects: [],
  end: 'asked',
  inputNames: ['notes/a.md', 'notes/b.md'],
  inputCount: 2,
  index: 0,
  input: { path: 'notes/a.md' },
  data: { note: 'x'.repeat(4816), styl: 'short' },
  dataMs: 4,
  model: { name: 'fast', resolved: 'quill-mini' },
  messages: [
    { role: 'system', content: 'Be brief.\n', isCached: false, attachments: [] },
    { role: 'user', content: 'y'.repeat(5_000), isCached: true, attachments: ['cat.png'] },
  ],
};

let window: TestWindow;
let started: unknown[];
let asked: { text?: string | undefined; files?: readonly string[] | undefined; index: number }[];
let answer: () => AgentPreview;

beforeEach(async () => {
  started = [];
  asked = [];
  answer = () => preview;
  window = openTestWindow({
    readAgent: () => ({ text, file: `/ws/${path}`, path, isWritable: true }),
    checkAgent: () => [
      {
        code: 'agent.unused-data',
        severity: 'info',
        message: 'Field "styl" is never used: neither a prompt nor Output refers to it.',
        subject: 'styl',
        range: { line: 3, column: 20, endLine: 3, endColumn: 24 },
      },
    ],
    previewAgent: (request) => {
      asked.push(request);
      return answer();
    },
    readTrust: () => ({ isTrusted: true }),
    startAgent: (request) => {
      started.push(request);
      return { runId: 'r1' };
    },
    readNotices: () => [],
    listAgents: () => [],
    listFlows: () => [{ path: 'digest.flow.yaml', change: null }],
    readFlow: () => ({
      text: `millrace: 1\nnodes:\n  - id: sum\n    type: agent\n    input:\n      agent: ${path}\n`,
    }),
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path, 'agent');
});
afterEach(() => window.close());

function Shown({ part: Part }: { part: typeof PromptPreview | typeof AgentOutlinePanel | typeof AgentCrumbs }) {
  const file = useOpenFile(path);
  return file === undefined ? null : <Part file={file} />;
}

function button(element: HTMLElement, name: string): HTMLButtonElement {
  const found = [...element.querySelectorAll('button')].find((one) =>
    (one.getAttribute('aria-label') ?? one.textContent)?.startsWith(name),
  );
  if (found === undefined) throw new Error(`There is no button ${name}.`);
  return found;
}

async function click(element: HTMLElement, name: string): Promise<void> {
  act(() => button(element, name).click());
  await window.settle();
}

describe('the outline', () => {
  test('lists stages, the flows that run the agent, and problems; a click shows the line', async () => {
    const panel = window.draw(<Shown part={AgentOutlinePanel} />);
    await window.until(() => {
      expect(panel.textContent).toContain('digest.flow.yaml1');
      expect(panel.textContent).toContain('Line 3, Data');
    });
    expect(panel.textContent).toContain('DataLua, 1 line');
    expect(panel.textContent).toContain('Model callthe default model');
    await click(panel, 'Instruction');
    expect(window.stores.selection.getState().views.get(path)?.reveal).toEqual({ line: 9, column: 1 });
    await click(panel, 'digest.flow.yaml');
    expect(window.stores.openFiles.getState().activePath).toBe('digest.flow.yaml');
    expect(window.stores.selection.getState().views.get('digest.flow.yaml')?.nodeId).toBe('sum');
  });

  test('adds a missing stage as a single undo step', async () => {
    const panel = window.draw(<Shown part={AgentOutlinePanel} />);
    await click(panel, 'Add Output');
    const file = window.stores.openFiles.getState().files.get(path);
    expect(file?.text).toBe(`${text}\n# Output\n\n\`\`\`lua\nreturn ai_response.content\n\`\`\`\n`);
    expect(file?.undoLabel).toBe('Add Output');
    expect(panel.textContent).toContain('OutputLua, 1 line');
    act(() => window.stores.edits.undo(path));
    expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(text);
  });
});

test('the breadcrumbs show the position of the cursor and link to other stages and to flows that run the agent', async () => {
  const crumbs = window.draw(<Shown part={AgentCrumbs} />);
  const menuItems = () => [...document.querySelectorAll('[role^="menuitem"]')].map(({ textContent }) => textContent);
  const open = (name: string): void =>
    act(() => void button(crumbs, name).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  await window.until(() => {
    expect(crumbs.textContent).toBe('agentsa.aipDataused by 1 flow');
  });
  act(() => window.stores.cursors.getState().put(path, { line: 7, column: 1 }));
  open('Stage: System');
  expect(menuItems()).toEqual(['Dataline 1', 'Systemline 6', 'Instructionline 9']);
  act(() => document.querySelector<HTMLElement>('[role^="menuitem"]:last-child')?.click());
  expect(window.stores.selection.getState().views.get(path)?.reveal).toEqual({ line: 9, column: 1 });
  open('used by 1 flow');
  act(() => document.querySelector<HTMLElement>('[role^="menuitem"]')?.click());
  await window.settle();
  expect(window.stores.openFiles.getState().activePath).toBe('digest.flow.yaml');
});

describe('the preview', () => {
  const drawn = async (): Promise<HTMLElement> => {
    const panel = window.draw(<Shown part={PromptPreview} />);
    await window.until(() => {
      expect(asked.length).toBeGreaterThan(0);
      expect(panel.querySelector('[aria-busy="false"]')).not.toBeNull();
    });
    return panel;
  };

  test('shows messages with their tokens, the output of Data, and the total', async () => {
    const panel = await drawn();
    expect(asked[0]).toEqual({ agent: path, text, index: 0, isAutomatic: true });
    expect(panel.textContent).toContain('1 of 2');
    expect(panel.querySelector('[aria-label="System"]')?.textContent).toBe('System3 tokensBe brief.');
    const instruction = panel.querySelector('[aria-label="Instruction"]');
    expect(instruction?.textContent).toContain('cached, 1,250 tokens');
    expect(instruction?.textContent).toContain('With cat.png');
    expect(instruction?.querySelector('.preview-markdown, .preview-text')?.textContent).toHaveLength(4_000);
    await click(panel, 'Show 1,000 more');
    expect(instruction?.querySelector('.preview-markdown, .preview-text')?.textContent).toHaveLength(5_000);
    expect(panel.querySelector('[aria-label="Data returned"]')?.textContent).toContain('notestring, 4,816 characters');
    expect(panel.textContent).toContain('1,253 tokens, quill-mini');
  });

  test('runs the agent with the selected input and with the unsaved text on screen', async () => {
    const panel = await drawn();
    const run = button(panel, 'Run with this input');
    // Both presses are in one `act`: with a pause between them, a slow machine would treat them as two separate
    // requests.
    act(() => {
      run.click();
      run.click();
    });
    await window.settle();
    act(() => window.stores.edits.type(path, [{ start: 0, end: 0, text: '\n' }]));
    await click(panel, 'Run with this input');
    expect(started).toEqual([
      { agent: path, inputs: [{ path: 'notes/a.md' }] },
      { agent: path, text: `\n${text}`, inputs: [{ path: 'notes/a.md' }] },
    ]);
  });

  test('updates after a pause in typing', async () => {
    await drawn();
    act(() => window.stores.edits.type(path, [{ start: 0, end: 0, text: '\n' }]));
    expect(asked).toHaveLength(1);
    await window.until(() => {
      expect(asked.at(-1)?.text).toBe(`\n${text}`);
    });
    expect(asked).toHaveLength(2);
    await window.settle();
  });

  test('shows where a script fails and links to the line', async () => {
    answer = () => ({
      ...preview,
      end: 'failed',
      messages: [],
      error: { code: 'lua.error', message: 'no field', stage: 'Data', line: 3 },
    });
    const panel = await drawn();
    expect(panel.querySelector('[role="alert"]')?.textContent).toBe('Failedin Data, line 3no field');
    await click(panel, 'in Data, line 3');
    expect(window.stores.selection.getState().views.get(path)?.reveal).toEqual({ line: 3, column: 1 });
  });

  test('keeps the last successful preview below an error', async () => {
    const panel = await drawn();
    answer = () => ({
      ...preview,
      end: 'failed',
      data: null,
      messages: [],
      error: { code: 'lua.syntax', message: 'no Lua' },
    });
    await click(panel, 'Refresh');
    expect(panel.querySelector('[role="alert"]')?.textContent).toContain('no Lua');
    expect(panel.querySelector('[aria-label="System"]')?.textContent).toContain('Be brief.');
    expect(panel.textContent).not.toContain('Run with this input');
  });

  test('explains why there is nothing to show', async () => {
    answer = () => ({ ...preview, end: 'skipped', reason: 'too short', messages: [] });
    expect((await drawn()).textContent).toContain('Skipped by a script: too short');
  });

  test('shows the message of a rejected request', async () => {
    answer = () => {
      throw new EngineError({ code: 'agent.bad-inputs', message: 'No file matches x.' });
    };
    expect((await drawn()).querySelector('[role="alert"]')?.textContent).toContain('No file matches x.');
  });
});
