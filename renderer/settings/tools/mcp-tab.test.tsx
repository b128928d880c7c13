import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { AllowedTool, McpServer } from '../../stores/workspace/servers.ts';
import { McpTab } from './mcp-tab.tsx';

let window: TestWindow;
let panel: HTMLElement;
let asked: unknown[];
let servers: readonly McpServer[];
let allowed: readonly AllowedTool[] = [];
afterEach(() => window.close());

const server: McpServer = {
  name: 'files',
  title: 'files',
  transport: 'stdio',
  target: 'npx server-files .',
  state: 'running',
  tools: [
    { name: 'files.read', description: '<img src=x> Reads.', pinned: true, changed: false },
    { name: 'files.write', description: 'Writes.', pinned: true, changed: true },
  ],
  problems: [],
  log: ['ready'],
  restarts: 1,
};

async function show(list: readonly McpServer[]): Promise<void> {
  asked = [];
  servers = list;
  window = openTestWindow({
    listRuns: () => [],
    listMcpServers: () => servers,
    listAllowedTools: () => allowed,
    withdrawTool: (tool) => {
      asked.push(['withdraw', tool]);
      allowed = allowed.slice(1);
    },
    restartMcpServer: (name) => {
      asked.push(['restart', name]);
    },
    stopMcpServer: (name) => {
      asked.push(['stop', name]);
    },
    createFile: (wish) => {
      asked.push(wish);
    },
    readFile: () => ({ text: '{}', isWritable: true }),
  });
  window.engine.connect();
  panel = window.draw(<McpTab />);
  await window.settle();
}

async function press(name: string): Promise<void> {
  const all = [...panel.querySelectorAll('button')];
  act(() => all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name)?.click());
  await window.settle();
}

test('12.9 a server shows its state, its tools and changes to them, as text; it can be restarted and stopped', async () => {
  await show([server]);
  for (const part of ['running', 'restarted once', 'npx server-files .', '<img src=x>', 'has changed', 'ready']) {
    expect(panel.textContent).toContain(part);
  }
  expect(panel.querySelector('img')).toBeNull();
  await press('Restart files');
  await press('Stop files');
  expect(asked).toEqual([
    ['restart', 'files'],
    ['stop', 'files'],
  ]);
});

test('a server that has not started, or failed, can be tried; an entry that cannot be read cannot', async () => {
  await show([
    { ...server, name: 'my-files', title: 'my files', state: 'idle' },
    { ...server, name: 'bad', title: 'bad', state: 'failed' },
    { ...server, name: 'b', title: 'b', state: 'failed', target: '.mcp.json:4:7', error: 'The server "b" is wrong.' },
  ]);
  await press('Try my files');
  await press('Try bad');
  expect(asked).toEqual([
    ['restart', 'my-files'],
    ['restart', 'bad'],
  ]);
  const unreadable = panel.querySelector('[aria-label="b"]');
  expect(unreadable?.textContent).toContain('The server "b" is wrong.');
  expect(unreadable?.querySelector('button')).toBeNull();
});

test('13.17 tools that are always allowed are listed, including those of removed servers, and can be revoked one by one', async () => {
  allowed = [
    { server: 'files', tool: 'write', at: Date.UTC(2026, 10, 28) },
    { server: 'gone', tool: 'old' },
  ];
  await show([]);
  const rows = (): unknown[] => [...panel.querySelectorAll('.mcp-allowed')].map(({ textContent }) => textContent);
  expect(rows()).toEqual([
    expect.stringMatching(/^files\.writeallowed on .*2026.*Revoke$/),
    'gone.oldallowed in an earlier version of Millrace: will ask againRevoke',
  ]);
  await press('Revoke files.write');
  expect(asked).toEqual([['withdraw', { server: 'files', tool: 'write' }]]);
  expect(rows()).toHaveLength(1);
  await press('Revoke gone.old');
  expect(panel.textContent).not.toContain('Always allowed');
});

test('nothing can be started in an untrusted workspace, and the trust setting is linked', async () => {
  await show([{ ...server, state: 'untrusted', tools: [], log: [] }]);
  expect(panel.textContent).toContain('start only after you trust the workspace');
  expect([...panel.querySelectorAll('.mcp-server button')]).toEqual([]);
  await press('Trust…');
  expect(window.stores.preferences.getState().tab).toBe('trust');
});

test('explains how to add a server if there are none, and creates the file', async () => {
  await show([]);
  expect(panel.textContent).toContain('No MCP servers');
  await press('Open .mcp.json');
  expect(asked).toEqual([{ path: '.mcp.json', kind: 'file', text: '{\n  "mcpServers": {}\n}\n' }]);
});

test('renders only the visible tools of a server with 10,000', async () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => ({ ...server.tools[0]!, name: `t${index}` }));
  await show([{ ...server, tools }]);
  expect(panel.querySelectorAll('.mcp-tool').length).toBeLessThan(100);
});
