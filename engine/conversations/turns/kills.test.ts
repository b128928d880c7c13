/**
 * Tests a conversation with a process that is killed repeatedly in the middle of a plan: it continues where it was, and
 * nothing is done twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDice } from '../../testing/chaos-sessions.ts';
import { bundleChildProgram, type ChildProgram } from '../../testing/child-program.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { TestDesk } from './test-desk.ts';

let program: ChildProgram;
beforeAll(async () => {
  program = await bundleChildProgram(fileURLToPath(new URL('../../testing/conversation-child.ts', import.meta.url)));
});
afterAll(() => program.remove());

const catalogue = `
nlu: { script: nlu.yaml }
intents: { Change: { hooks: { check: { script: check.lua } } } }
flows:
  - name: book
    intent: Change
    description: Books.
    slots: { who: { type: exact, priority: required } }
    policy: { flow: book.flow.yaml }
  - name: pay
    intent: Change
    description: Pays.
    slots: { who: { type: exact, priority: required } }
    policy: { flow: pay.flow.yaml }
  - { name: close, intent: Plan, description: Closes., policy: { flow: close.flow.yaml } }
`;
const files = {
  'desk.dialogue.yaml': catalogue,
  'nlu.yaml': '- { match: "close", flow: close }\n',
  'check.lua': 'return {}\n',
  'book.flow.yaml': `flow: { name: Book }
nodes:
  - { id: write, type: file.write, input: { path: journal.txt, text: "{{flow.input.who}}\\n" }, config: { mode: append } }
  - { id: out, type: constant, input: { value: { outcome: success, data: booked, scratchpad_entries: ["Booked {{flow.input.who}}."] } } }
edges: [{ from: write, to: out }]
`,
  'pay.flow.yaml': `flow: { name: Pay }
nodes:
  - { id: ok, type: human_approval, input: { title: "Pay {{flow.input.who}}?" } }
  - { id: write, type: file.write, input: { path: journal.txt, text: "{{flow.input.who}}\\n" }, config: { mode: append } }
edges: [{ from: ok, to: write }]
`,
  'close.flow.yaml': `flow: { name: Close }
nodes:
  - id: out
    type: constant
    input:
      value:
        sub_flows: [{ flow: book, slots: { who: ann } }, { flow: pay, slots: { who: bob } }, { flow: book, slots: { who: cyd } }]
        done: true
        result: { reply: All closed }
edges: []
`,
};

/**
 * Runs the program until it has printed a number of lines and some more time has passed, or until it is done. @returns
 * whether it is done
 */
async function session(desk: TestDesk, lines: number, momentMs: number): Promise<boolean> {
  const home = path.join(desk.folder, 'home');
  mkdirSync(home, { recursive: true });
  const child: ChildProcess = spawn(process.execPath, [program.file, desk.workspace, home]);
  let said = '';
  let errors = '';
  let isDoomed = false;
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  child.stdout?.on('data', (chunk) => {
    said += String(chunk);
    if (isDoomed || said.split('\n').length <= lines) return;
    isDoomed = true;
    setTimeout(() => child.kill('SIGKILL'), momentMs);
  });
  const stuck = setTimeout(() => {
    errors += `No further output after:\n${said}`;
    child.kill('SIGKILL');
  }, longestSessionMs);
  await once(child, 'close');
  clearTimeout(stuck);
  expect(errors).toBe('');
  return said.includes('done\n');
}

const longestSessionMs = 60_000;

/** Approximate number of lines printed by a whole conversation. */
const usualLines = 75;

const rounds = testRounds(1);

test('a conversation that is killed at any point of a plan continues, and does nothing twice', {
  timeout: 60_000 + rounds * 10_000,
}, async () => {
  const dice = createDice(7);
  for (let round = 0; round < rounds; round++) {
    const desk = new TestDesk();
    for (const [name, text] of Object.entries(files)) desk.write(name, text);
    let kills = 0;
    const often = 1 + Math.floor(dice() * 3);
    for (;;) {
      const lines = kills < often ? 1 + Math.floor((dice() * usualLines) / often) : Number.POSITIVE_INFINITY;
      if (await session(desk, lines, Math.floor(dice() * 4))) break;
      kills++;
    }
    await expectOnce(desk);
    await desk.close();
  }
});

async function expectOnce(desk: TestDesk): Promise<void> {
  await desk.start();
  const [{ sessionId } = {}] = await desk.engine.listConversations();
  if (sessionId === undefined) throw new Error('There is no conversation.');
  desk.sessionId = sessionId;
  const log = await desk.log();
  expect(log.map(({ seq }) => seq)).toEqual([...log.keys()]);
  const journal = path.join(desk.workspace, 'journal.txt');
  expect(existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n').sort() : []).toEqual([
    'ann',
    'bob',
    'cyd',
  ]);
  // Each part has one run. The plan has one to decompose the task and one to assess that it is done.
  const counts = new Map<string, number>();
  for (const { event } of log)
    if (event.type === 'flow:run') counts.set(event.flowId, (counts.get(event.flowId) ?? 0) + 1);
  expect([...counts.values()].sort()).toEqual([1, 1, 1, 2]);
  const keys = log.flatMap(({ turnId, event }) => (event.type === 'step:result' ? [`${turnId} ${event.key}`] : []));
  expect(new Set(keys).size).toBe(keys.length);
  expect(await desk.events('plan:decomposed')).toHaveLength(1);
  expect((await desk.events('turn:end')).map(({ outcome }) => outcome)).not.toContain('failed');
  expect((await desk.view()).messages.at(-1)?.text).toContain('All closed');
  expect(await desk.stack()).toEqual([]);
}
