import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { offeredStep } from '../../stores/flow/node-types.ts';
import type { ToolRow, TriedTool } from '../../stores/workspace/tools.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { ToolsTab } from './tools-tab.tsx';

let window: TestWindow;
let panel: HTMLElement;
let asked: unknown[];
afterEach(() => window.close());

const tool: ToolRow = {
  name: 'core.file_read',
  description: '<img src=x> Reads a file.',
  inputSchema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
  effects: 'idempotent',
  risk: 'low',
  requiresApproval: false,
  tags: { accessesPrivateData: true, receivesUntrustedInput: false, communicatesExternally: false },
  kind: 'core',
  source: 'core',
  usedBy: ['a.flow.yaml'],
};

async function show(rows: readonly ToolRow[], result: TriedTool = null): Promise<void> {
  asked = [];
  window = openTestWindow(
    { listTools: () => rows, listRuns: () => [] },
    {
      'tools.try': (trial) => {
        asked.push(trial);
        return { result };
      },
    },
  );
  window.engine.connect();
  panel = window.draw(<ToolsTab />);
  await window.settle();
}

function type(input: HTMLInputElement, text: string): void {
  act(() => {
    typeInto(input, text);
  });
}

async function press(text: string): Promise<void> {
  const button = [...panel.querySelectorAll('button')].find(({ textContent }) => textContent === text);
  act(() => button?.click());
  await window.settle();
}

test('12.8 a tool shows its details and uses as text, and can be tried with a form for its schema', async () => {
  await show([tool], { status: 'success', result: { text: 'hello' } });
  for (const part of ['<img src=x>', 'reads private data', 'a.flow.yaml', 'built in']) {
    expect(panel.textContent).toContain(part);
  }
  expect(panel.querySelector('img')).toBeNull();
  await press('Call tool');
  expect([asked, panel.textContent?.includes('This value is required.')]).toEqual([[], true]);
  type(panel.querySelector<HTMLInputElement>('.tools-try input')!, 'a.md');
  await press('Call tool');
  expect(asked).toEqual([{ tool: 'core.file_read', params: { path: 'a.md' } }]);
  expect(panel.textContent).toContain('hello');
});

test('a rejected trial and a failed one show an error', async () => {
  await show([{ ...tool, inputSchema: {} }]);
  await press('Call tool');
  expect(panel.textContent).toContain('you did not allow it');
});

test('a broken manifest is listed with its problem, and cannot be tried', async () => {
  await show([{ ...tool, problem: { message: 'It has no input.', place: 'tools/a.yaml:3' } }]);
  expect(panel.querySelector('[role="alert"]')?.textContent).toContain('It has no input. (tools/a.yaml:3)');
  expect(panel.querySelector('form')).toBeNull();
});

test('renders only the visible rows of 10,000 tools, and finds the others by search', async () => {
  await show(Array.from({ length: 10_000 }, (_, index) => ({ ...tool, name: `many.tool_${index}` })));
  expect(panel.querySelectorAll('.tools-row').length).toBeLessThan(100);
  type(panel.querySelector<HTMLInputElement>('input[type="search"]')!, 'tool_9999');
  await window.settle();
  expect([...panel.querySelectorAll('.tools-row-name')].map(({ textContent }) => textContent)).toEqual([
    'many.tool_9999',
  ]);
  expect(offeredStep('tool:many.tool_9999')).toBeDefined();
  window.close();
  expect(offeredStep('tool:many.tool_9999')).toBeUndefined();
});
