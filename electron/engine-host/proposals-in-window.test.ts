/** Tests the calls of a window about proposals with a real engine. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { createEngine, systemClock } from '../../engine/index.ts';
import { openWorkspaceFlows } from '../../engine/workspace-flows.ts';
import { engineContract } from '../ipc/contracts/engine-contract.ts';
import { createClient } from '../ipc/rpc.ts';
import { transportOverPort } from '../ipc/transport.ts';
import { createLateEngine } from './late-engine.ts';
import { serveWindow } from './serve-window.ts';

const flow = `flow: { name: Greeting }
nodes:
  - { id: hello, type: echo, input: { text: Hello } }
edges: []
`;

/** Generous timeout for busy machines, in milliseconds. */
const patience = { timeout: 10_000 };

test('13.7 a window sees proposals, and no call of it applies one', async () => {
  const workspace = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'millrace-window-')));
  writeFileSync(path.join(workspace, 'greeting.flow.yaml'), flow);
  const engine = await createEngine({ workspace, homeFolder: workspace });
  const { port1, port2 } = new MessageChannel();
  const late = createLateEngine(async () => engine);
  serveWindow({ flows: openWorkspaceFlows(workspace), engine: late, clock: systemClock }, transportOverPort(port1));
  const transport = transportOverPort(port2);
  const { call, stream } = createClient(engineContract, transport);
  let changes = 0;
  stream('watchProposals', () => {
    changes++;
  });
  await vi.waitFor(() => expect(changes).toBe(1), patience);
  const text = flow.replace('text: Hello', 'text: Good day');
  const { id } = await engine.addProposal({ file: 'greeting.flow.yaml', title: 'Be polite', by: 'test', text });
  await vi.waitFor(() => expect(changes).toBeGreaterThan(1), patience);
  expect(await call('listProposals')).toMatchObject({ proposals: [{ id, status: 'pending' }], problems: [] });
  expect(await call('readProposal', id)).toMatchObject({ base: flow, text });
  await call('setProposalStatus', { id, status: 'applied' });
  expect(await call('listProposals')).toMatchObject({ proposals: [{ id, status: 'applied' }] });
  expect(readFileSync(path.join(workspace, 'greeting.flow.yaml'), 'utf8')).toBe(flow);
  const wrong = call('setProposalStatus', { id, status: 'approved' as 'applied' });
  await expect(wrong).rejects.toMatchObject({ code: 'rpc.bad-params' });
  transport.close();
  await engine.close();
  rmSync(workspace, { recursive: true });
});
