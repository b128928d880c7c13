import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineArgs, EngineResult } from '../../bridge/engine-client.ts';
import type { MainArgs } from '../../bridge/main-client.ts';
import type { ListedAddress, ListedKey } from '../../stores/workspace/publishing.ts';
import { element, field, path, press, show, type, window, written } from '../testing/test-inspector.tsx';
import { curlText } from './publish-tab.tsx';

const text = `flow: { name: Mail, inputs: { since: { type: string, required: true } } }
nodes: [{ id: read, type: echo, input: { text: "{{flow.input.since}}" } }]
edges: []
`;
const address: ListedAddress = {
  ...{ name: 'mail', workspace: '/shop', flow: path, hash: 'h', by: 'kim', at: 0, state: 'on' },
  limits: { runsAtOnce: 2, perHour: 60, bodyBytes: 10_000_000 },
  page: { isOn: true, needsKey: true, showsProgress: true },
};
const other: ListedKey = {
  id: 'k0',
  name: 'other flow',
  prefix: 'mk_000000',
  flows: ['other'],
  by: 'kim',
  createdAt: 0,
};
const shop: ListedKey = { ...other, id: 'k1', name: 'shop backend', prefix: 'mk_9f3a2b', flows: ['mail'] };
const run: EngineResult<'listRuns'>[number] = {
  ...{ runId: 'r44', number: 44, name: 'Mail', sourcePath: path, definitionHash: 'h', startedAt: 0, failedNodes: [] },
  kind: 'flow',
  status: 'completed',
  startedBy: { kind: 'http', name: 'shop backend' },
};
const person = { ...run, number: 45, startedBy: { kind: 'person' } } as const;

let flows: ListedAddress[];
let keys: ListedKey[];
let service: { readonly origin: string; readonly publicAddress?: string } | null;
let asked: MainArgs<'publish.flow'>[0][];
let opened: string[];
let copied: string[];

beforeEach(() => {
  flows = [address];
  keys = [other, shop];
  service = { origin: 'http://127.0.0.1:7420' };
  [asked, opened, copied] = [[], [], []];
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (one: string) => void copied.push(one) } });
});
afterEach(() => {
  window.close();
  vi.unstubAllGlobals();
});

async function open(): Promise<void> {
  const answers = {
    readFlow: () => ({ text }),
    listPublished: () => flows,
    listApiKeys: () => keys,
    findService: () => service,
    // More runs that others started than any list has.
    listRuns: ({ startedBy, limit }: EngineArgs<'listRuns'>[0]): EngineResult<'listRuns'> =>
      [...Array.from({ length: 1_000 }, (_, index) => ({ ...person, runId: `p${index}` })), run]
        .filter((one) => startedBy === undefined || one.startedBy?.kind === startedBy.kind)
        .slice(0, limit),
    unpublishFlow: () => void flows.pop(),
    revokeApiKey: (id: string) => {
      keys = keys.map((key) => (key.id === id ? { ...key, revokedAt: 0 } : key));
    },
  };
  await show(null, {}, answers, {
    'publish.flow': (request) => {
      asked.push(request);
      flows = [address];
      return { isDone: true };
    },
    'publish.createKey': ({ name }) => {
      keys = [...keys, { ...shop, id: 'k2', name }];
      return { key: 'mk_secret' };
    },
    'publish.openForm': ({ flow }) => void opened.push(flow),
    'background.set': ({ isOn }) => void opened.push(`background ${isOn}`),
  });
  const tab = [...element.querySelectorAll('[role="tab"]')].find((one) => one.textContent === 'Publish');
  await act(async () => tab?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 })));
  await window.until(() => expect(element.textContent).toContain('Published'));
}

const shown = (): string => element.textContent ?? '';

test('a flow is published under a name that an address can have', async () => {
  flows = [];
  await open();
  expect(field('Name in the address').value).toBe('a');
  type('Name in the address', 'Refund Mail');
  await press('Published');
  expect(asked).toEqual([]);
  expect(shown()).toContain('lowercase letters');
  type('Name in the address', 'refund-mail');
  await press('Published');
  expect(asked).toEqual([{ flow: path, name: 'refund-mail' }]);
  expect(shown()).toContain('/flows/mail/runs');
  keys = [other];
  window.engine.push('watchHistory', undefined);
  await window.until(() => expect(shown()).toContain('No keys yet'));
  await press('Published');
  expect(shown()).not.toContain('/flows/mail/runs');
});

test('a flow with keys is unpublished only after a question, because its keys cannot be restored', async () => {
  await open();
  await press('Published');
  expect(shown()).toContain('its key never works for this flow again');
  await press('Cancel');
  expect(flows).toHaveLength(1);
  await press('Published');
  await press('Unpublish');
  expect(shown()).not.toContain('/flows/mail/runs');
});

test('unsaved changes are saved before the user is asked, because they agree to the file', async () => {
  await open();
  void window.stores.edits.change(path, { do: 'set-flow', path: ['name'], value: 'Other' });
  await press('Needs a key');
  expect(window.stores.openFiles.getState().files.get(path)?.isDirty).toBe(false);
  expect(written).toHaveLength(1);
  expect(asked).toEqual([{ flow: path, page: { needsKey: false } }]);
});

test('a changed flow asks to be confirmed, and one that cannot be called shows the reason', async () => {
  flows = [{ ...address, state: 'changed' }];
  await open();
  expect(shown()).toContain('Calls are refused until you confirm it.');
  await press('Confirm…');
  expect(asked).toEqual([{ flow: path }]);
  expect(shown()).not.toContain('Calls are refused');
  flows = [{ ...address, problem: 'The workspace is not trusted.' }];
  window.engine.push('watchFlows', []);
  await window.until(() => expect(shown()).toContain('The workspace is not trusted.'));
});

test('without a service, the program can be kept running', async () => {
  service = null;
  await open();
  expect(shown()).toContain('No service is running');
  await press('Keep running in the background');
  expect(opened).toEqual(['background true']);
  service = { origin: 'http://127.0.0.1:7421', publicAddress: 'https://flows.example/' };
  window.engine.push('watchHistory', undefined);
  await window.until(() => expect(shown()).toContain('https://flows.example'));
  await press('Copy address of the form page');
  expect(copied).toEqual(['https://flows.example/f/mail']);
});

test('the address is copied as a command that names the required inputs and not the key', async () => {
  await open();
  await press('Copy as curl');
  expect(copied[0]).toContain(`curl 'http://127.0.0.1:7420/flows/mail/runs'`);
  expect(copied[0]).toContain(`-d '{"since":""}'`);
  expect(copied[0]).toContain('$MILLRACE_KEY');
  await press('Open in the browser');
  expect(opened).toEqual([path]);
  expect(curlText('u', { name: { type: 'string', default: "it's" } })).toContain(`'{"name":"it'\\''s"}'`);
});

test('a new key is shown once, and a key of this flow is revoked after a question', async () => {
  await open();
  expect(shown()).toContain('1 of 1 active');
  expect(shown()).not.toContain('other flow');
  await press('New key…');
  type('What the key is for', 'Zapier');
  await press('Create…');
  expect(shown()).toContain('mk_secret');
  await press('Copy key');
  expect(copied).toEqual(['mk_secret']);
  await press('Done');
  expect(shown()).not.toContain('mk_secret');
  expect(document.activeElement?.textContent).toBe('New key…');
  expect(shown()).toContain('2 of 2 active');
  await press('Revoke shop backend');
  await press('Cancel');
  expect(keys.some(({ revokedAt }) => revokedAt !== undefined)).toBe(false);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Revoke shop backend');
  await press('Revoke shop backend');
  await press('Revoke');
  expect(shown()).toContain('1 of 2 active');
});

test('limits are changed together, and only to values that the engine accepts', async () => {
  await open();
  type('Runs at once', '4');
  type('BodyMB', '101');
  await press('Change…');
  expect(asked).toEqual([]);
  expect(shown()).toContain('from 1 to 100');
  type('BodyMB', '20');
  await press('Change…');
  expect(asked).toEqual([{ flow: path, limits: { runsAtOnce: 4, bodyBytes: 20_000_000 } }]);
});

test('the latest calls are the runs that callers started, whichever runs the list of runs shows', async () => {
  await open();
  await window.until(() => expect(shown()).toContain('shop backend, run 44'));
  expect(shown()).not.toContain('run 45');
  await act(async () => window.stores.runHistory.getState().setFilter({ startedBy: { kind: 'person' } }));
  await window.until(() => expect(shown()).toContain('shop backend, run 44'));
  expect(shown()).not.toContain('run 45');
});
