/**
 * Tests commands with runs that have a passed deadline or an answer from another process: no command cancels what it
 * has started.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { currentOwner } from '../history/store/owner.ts';
import { openRunStore } from '../history/store/sqlite-run-store.ts';
import { createEngine, type Engine, systemClock } from '../index.ts';
import { asRunId, type RunId } from '../isomorphic.ts';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

const examples = join(import.meta.dirname, '../../resources/workspace');
const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
afterEach(() => Object.defineProperty(process, 'stdin', stdin));

const hourMs = 3_600_000;

/** Returns a flow that asks and then acts on the answer. */
const flowWith = (deadline: string): string => `
flow: { name: Deadline }
nodes:
  - { id: ask, type: human_approval, input: { title: Quick? }, config: { deadlineMs: ${deadline} } }
  - { id: no, type: echo, input: { text: "rejected by {{ask.by}}" } }
  - { id: yes, type: echo, input: { text: "approved by {{ask.by}}" } }
edges:
  - { from: ask, to: no, when: { equals: { var: ask.route, value: rejected } } }
  - { from: ask, to: yes, when: { equals: { var: ask.route, value: approved } } }`;

const rejecting = flowWith('60000, onDeadline: reject');
const patient = flowWith('90000000, onDeadline: reject');

/** Returns an engine with a clock that is two hours behind. */
function engineOfThePast(): Promise<Engine> {
  const clock = { ...systemClock, now: () => systemClock.now() - 2 * hourMs };
  return createEngine({ workspace: cli.folder, homeFolder: join(cli.folder, 'no-home'), clock });
}

/** Returns a run that has waited for two hours, started in a process that has exited. */
async function waitingSince(text: string): Promise<RunId> {
  cli.write('a.flow.yaml', text);
  const engine = await engineOfThePast();
  try {
    const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
    expect((await engine.whenEnded(runId)).status).toBe('suspended');
    return runId;
  } finally {
    await engine.close();
  }
}

/** Answers like another process that exits before the run continues. */
async function answerElsewhere(runId: RunId): Promise<void> {
  const file = join(cli.folder, '.millrace/runs.db');
  const store = await openRunStore({ file, clock: systemClock, owner: currentOwner() });
  const asked = store.waiting.ofRun(runId)[0]?.asked;
  const { key = '', requestHash = '' } = asked ?? {};
  const answer = { name: 'ask', key, requestHash, payload: { approved: true }, by: 'kim', at: systemClock.now() };
  store.claimAnswer(runId, answer, false);
  store.close();
}

async function logOf(runId: string): Promise<CliResult> {
  return await cli.call(['runs', 'events', runId]);
}

function endsOf({ stdout }: CliResult): readonly unknown[] {
  return eventsOf(stdout).flatMap(({ event }) => (event.type === 'run:end' ? [[event.status, event.output]] : []));
}

const skipped = { skipped: true, reason: 'edge' };
const byDeadline = ['completed', { no: { text: 'rejected by deadline' }, yes: skipped }];
const byKim = ['completed', { no: skipped, yes: { text: 'approved by kim' } }];

describe('12.4 a run with a passed deadline', () => {
  test.each([[[]], [['--json']], [['--trust']]])('continues to its end with resume %j', async (flags) => {
    const runId = await waitingSince(rejecting);
    const { code, stdout, stderr } = await cli.call(['resume', '1', ...flags]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('rejected by deadline');
    expect(endsOf(await logOf(runId))).toEqual([byDeadline]);
  });

  test('fails with the exit code of its end if its deadline fails it', async () => {
    const runId = await waitingSince(flowWith('60000, onDeadline: fail'));
    const { code, stdout } = await cli.call(['resume', runId, '--json']);
    expect(code).toBe(1);
    expect(eventsOf(stdout).at(-1)?.event).toMatchObject({ type: 'run:end', error: { code: 'ask.expired' } });
  });

  test('keeps waiting if its deadline only reminds, and is shown again', async () => {
    const runId = await waitingSince(flowWith('60000'));
    const before = await logOf(runId);
    const { code, stdout } = await cli.call(['resume', runId]);
    expect(code).toBe(3);
    expect(stdout).toContain('suspended');
    expect(await logOf(runId)).toEqual(before);
  });

  test.each([['--approve'], ['--reject']])(
    'rejects %s with exit code 2, shows how to continue, and is not canceled',
    async (answer) => {
      const runId = await waitingSince(rejecting);
      const late = await cli.call(['resume', runId, answer]);
      expect({ code: late.code, stdout: late.stdout }).toEqual({ code: 2, stdout: '' });
      expect(late.stderr).toContain('deadline');
      expect(late.stderr).toContain(`millrace resume ${runId}`);
      expect((await cli.call(['resume', runId])).code).toBe(0);
      expect(endsOf(await logOf(runId))).toEqual([byDeadline]);
    },
  );
});

describe('12.1 h a run answered by another process', () => {
  test('continues to its end with resume', async () => {
    const runId = await waitingSince(patient);
    await answerElsewhere(runId);
    const { code, stdout, stderr } = await cli.call(['resume', runId]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('approved by kim');
    expect(endsOf(await logOf(runId))).toEqual([byKim]);
  });

  test('rejects a second answer with exit code 2, and continues later', async () => {
    const runId = await waitingSince(patient);
    await answerElsewhere(runId);
    const second = await cli.call(['resume', runId, '--reject']);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('kim');
    expect(second.stderr).toContain(`millrace resume ${runId}`);
    expect((await cli.call(['resume', runId])).code).toBe(0);
    expect(endsOf(await logOf(runId))).toEqual([byKim]);
  });
});

const reading: readonly (readonly string[])[] = [
  ['inbox'],
  ['inbox', '--json'],
  ['runs', 'list'],
  ['runs', 'list', '--json'],
  ['runs', 'show', 'RUN'],
  ['runs', 'show', 'RUN', '--json'],
  ['runs', 'events', 'RUN'],
  ['runs', 'export', 'RUN'],
  ['runs', 'export', 'RUN', '--format', 'otlp'],
  ['runs', 'send', 'RUN', '--dry-run'],
  ['simulate', 'RUN', '--autonomy', 'suggest_only'],
  ['rerun', 'RUN', '--plan'],
  ['rerun', 'RUN', '--from', 'yes', '--plan'],
  ['validate', 'a.flow.yaml'],
  ['tools', 'list'],
  ['secrets', 'list'],
  ['policy', 'check'],
];

const past: readonly (readonly [string, () => Promise<RunId>, unknown])[] = [
  ['with a passed deadline', () => waitingSince(rejecting), byDeadline],
  [
    'that another process has answered',
    async () => {
      const runId = await waitingSince(patient);
      await answerElsewhere(runId);
      return runId;
    },
    byKim,
  ],
];

describe.each(past)('12.4 a run %s', (_what, waiting, end) => {
  test('is neither started nor canceled by a command that reads', async () => {
    const runId = await waiting();
    const before = await logOf(runId);
    for (const args of reading) {
      const { code, stderr } = await cli.call(args.map((arg) => (arg === 'RUN' ? runId : arg)));
      expect({ code, stderr }, args.join(' ')).toMatchObject({ code: 0 });
    }
    expect(await logOf(runId)).toEqual(before);
    expect(JSON.parse((await cli.call(['runs', 'show', runId, '--json'])).stdout).status).toBe('suspended');
  });

  test.each([[['run', 'a.flow.yaml']], [['redo', 'RUN']], [['rerun', 'RUN', '--from', 'ask']]])(
    'is not affected by %j, which starts another waiting run',
    async (args) => {
      const runId = await waiting();
      const before = await logOf(runId);
      const own = await cli.call([...args.map((arg) => (arg === 'RUN' ? runId : arg)), '--json']);
      expect(own.code).toBe(3);
      expect(eventsOf(own.stdout).at(-1)?.event.type).toBe('run:suspended');
      expect(await logOf(runId)).toEqual(before);
      const fresh = asRunId(eventsOf(own.stdout)[0]?.runId ?? '');
      expect((await cli.call(['resume', fresh, '--approve'])).code).toBe(0);
      expect((await cli.call(['resume', runId])).code).toBe(0);
      expect(endsOf(await logOf(runId))).toEqual([end]);
    },
  );
});

describe('12.4 a conversation with a run that waits past its deadline', () => {
  const desk = 'support-desk/support.dialogue.yaml';

  async function waitingConversation(): Promise<string> {
    cpSync(join(examples, 'support-desk'), join(cli.folder, 'support-desk'), { recursive: true });
    cpSync(join(examples, 'tools'), join(cli.folder, 'tools'), { recursive: true });
    const refund = readFileSync(join(examples, 'support-desk/refund.flow.yaml'), 'utf8');
    const config = '    config: { deadlineMs: 60000, onDeadline: reject }\n';
    cli.write('support-desk/refund.flow.yaml', refund.replace('    input:\n', `${config}    input:\n`));
    const engine = await engineOfThePast();
    try {
      const { sessionId } = await engine.startConversation({ path: desk });
      for (const text of ['refund AB-12', '30']) {
        await engine.sayInConversation({ sessionId, text });
        await engine.whenConversationRests(sessionId);
      }
      return sessionId;
    } finally {
      await engine.close();
    }
  }

  test('reports that the answer arrived too late, and follows the run to its end', async () => {
    const session = await waitingConversation();
    const input = Readable.from(['/approve\n', '/quit\n']);
    Object.defineProperty(process, 'stdin', { configurable: true, get: () => input });
    const { code, stdout, stderr } = await cli.call(['chat', desk, '--session', session, '--workspace', '.']);
    expect(stderr).toContain('answered by its deadline');
    expect(stdout).toContain('was not agreed to');
    expect(code).toBe(0);
    expect(endsOf(await logOf((await cli.call(['runs', 'list'])).stdout.split(' ')[0] ?? ''))).toMatchObject([
      ['completed', {}],
    ]);
  });

  test('cancels nothing when it is left immediately', async () => {
    const session = await waitingConversation();
    const input = Readable.from(['/quit\n']);
    Object.defineProperty(process, 'stdin', { configurable: true, get: () => input });
    const { code } = await cli.call(['chat', desk, '--session', session, '--workspace', '.']);
    expect(code).toBe(3);
    expect((await cli.call(['resume', '1'])).code).toBe(0);
  });
});
