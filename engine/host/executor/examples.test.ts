import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { renderDiagnostic } from '../../language/findings/diagnostic.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createFastClock } from '../../testing/fast-clock.ts';

const source = path.resolve(import.meta.dirname, '../../../resources/workspace');
const flowFiles = (await readdir(source)).filter((name) => name.endsWith('.flow.yaml'));

const stampKey = 'a-key-of-nobody-else';

let workspace: string;
let engine: Engine;

beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'millrace-examples-'));
  await cp(source, workspace, { recursive: true });
  engine = await createEngine({
    ...{ workspace, clock: createFastClock(5), homeFolder: path.join(workspace, 'no-home') },
    isTrusted: true,
    env: { ...process.env, MILLRACE_SECRET_STAMP_KEY: stampKey },
  });
});

afterAll(async () => {
  await engine.close();
  await rm(workspace, { recursive: true });
});

async function startExample(name: string): Promise<ReturnType<Engine['startRun']>> {
  const { text } = await engine.readFlow(name);
  return await engine.startRun({ path: name, text, inputs: {} });
}

async function runExample(name: string): Promise<RunState> {
  const { runId } = await startExample(name);
  await engine.whenEnded(runId);
  return foldRun(emptyRunState, await engine.readEvents(runId, -1, 5000));
}

function written(name: string): Promise<string> {
  return readFile(path.join(workspace, name), 'utf8');
}

test('these examples exist', () => {
  expect(flowFiles.sort()).toEqual([
    'feedback.flow.yaml',
    'health-check.flow.yaml',
    'invitation.flow.yaml',
    'log-troubles.flow.yaml',
    'look-up.flow.yaml',
    'note-statistics.flow.yaml',
    'plan-b.flow.yaml',
    'reading-time.flow.yaml',
    'refunds.flow.yaml',
    'release-notes.flow.yaml',
    'slow-digest.flow.yaml',
    'stamp.flow.yaml',
    'triage.flow.yaml',
    'watch-logs.flow.yaml',
    'welcome-letter.flow.yaml',
    'word-count.flow.yaml',
  ]);
});

test.each(flowFiles)('%s has no problems, and has a name, a description and a name for every node', async (name) => {
  const { parsed, diagnostics } = checkFlow(
    await readFile(path.join(source, name), 'utf8'),
    createNodeRegistry(builtinNodes),
    new Map(await engine.readSchemas({ path: name, names: ['./reading-time.aip'] })),
  );
  expect(diagnostics.map((diagnostic) => renderDiagnostic(name, diagnostic))).toEqual([]);
  expect(parsed.doc?.flow).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  expect(parsed.doc?.nodes.filter((node) => node.name === undefined)).toEqual([]);
});

test('the scripted model has a response for unexpected questions', async () => {
  const text = await readFile(path.join(source, 'scripted-model.yaml'), 'utf8');
  const node = { id: 'ask', type: 'prompt', input: { prompt: 'Which way\nto the sea?' } };
  const flow = {
    flow: { name: 'Ask' },
    nodes: [{ ...node, config: { model: 'scripted::scripted-model.yaml' } }],
    edges: [],
  };
  const { runId } = await engine.startRun({ path: 'ask.flow.yaml', text: JSON.stringify(flow), inputs: {} });
  expect((await engine.whenEnded(runId)).status).toBe('completed');
  expect(text).toContain('match: ".*"');
});

test.each(flowFiles)('%s runs to its end', async (name) => {
  const run = await runExample(name);
  // Two of them wait for people to answer.
  const isAsking = ['refunds.flow.yaml', 'welcome-letter.flow.yaml'].includes(name);
  const status = isAsking ? 'suspended' : 'completed';
  expect({ status: run.status, error: run.error }).toEqual({ status, error: undefined });
});

describe('release-notes', () => {
  test('reads the notes, takes the branch chosen by the response, and writes the page', async () => {
    const run = await runExample('release-notes.flow.yaml');
    expect(run.nodes.get('upgrade_guide')?.status).toBe('completed');
    expect(run.nodes.get('simple_upgrade')).toMatchObject({ status: 'skipped', skip: { reason: 'when' } });
    expect(run.usage.promptTokens).toBeGreaterThan(0);
    const page = await written('out/release-notes.md');
    expect(run.output).toEqual({ save: { path: 'out/release-notes.md', sizeBytes: Buffer.byteLength(page) } });
    expect(page).toMatch(/^# Tidepool 6: nothing you write gets lost\n/);
    expect(page).toContain('**Quiet hours.**');
    expect(page).toContain('Settings → Tokens');
    expect(page).toContain('Written from 6 notes: notes/01-conflict-view.md, ');
    expect(page).not.toContain('There is nothing else to do');
  });
});

test('look-up lets its model call tools', async () => {
  const run = await runExample('look-up.flow.yaml');
  expect(run.output).toEqual({ answer: expect.stringContaining('notes/02-export-speed.md') });
  expect(run.usage.promptTokens).toBe(214 + 312 + 947);
});

test('BB-52 note-statistics counts with JavaScript and writes with Lua', async () => {
  const run = await runExample('note-statistics.flow.yaml');
  expect(run.output).toEqual({ write: { path: 'out/note-statistics.md', notes: 6 } });
  expect(await written('out/note-statistics.md')).toMatch(
    /^\| note \| words \|\n\|---\|---\|\n\| notes\/.+ \| \d+ \|\n/,
  );

  // Runs only one of its nodes, with an edited line and the previous node pinned.
  const path = 'note-statistics.flow.yaml';
  const { text } = await engine.readFlow(path);
  const changed = text.replace('| all |', '| sum |');
  const pins = { count: { rows: [], total: 7 } };
  const { runId } = await engine.startRun({ path, text: changed, inputs: {}, part: { only: 'write' }, pins });
  await engine.whenEnded(runId);
  expect(await written('out/note-statistics.md')).toBe('| note | words |\n|---|---|\n| sum | 7 |\n');
});

describe('triage', () => {
  test('BB-52 converts the response to a value, takes a branch by one field, and writes the others', async () => {
    const run = await runExample('triage.flow.yaml');
    expect(run.nodes.get('ask')?.output).toMatchObject({ value: { category: 'bug', urgent: true, people: ['Grace'] } });
    expect(run.nodes.get('later')).toMatchObject({ status: 'skipped', skip: { reason: 'edge' } });
    expect(run.output).toEqual({ category: 'bug', urgent: true, file: 'out/triage.md' });
    expect(await written('out/triage.md')).toBe(
      'Call today: Grace\n\nA notebook opens empty since the update and is needed in two hours.\n',
    );
  });
});

describe('invitation', () => {
  test('BB-55 writes, reviews and revises until the review passes', async () => {
    const run = await runExample('invitation.flow.yaml');
    expect(run.nodes.get('polish')?.output).toMatchObject({
      reason: 'condition',
      last: { review: { value: { passes: true } } },
    });
    expect(run.nodes.get('polish[0].review')?.output).toMatchObject({
      value: { passes: false, note: 'Say where it is.' },
    });
    expect(run.nodes.get('polish[1].write')?.input).toMatchObject({
      prompt: expect.stringContaining('Say where it is.'),
    });
    expect(run.nodes.has('polish[3].write')).toBe(false);
    expect(await written('out/invitation.md')).toContain('Bring a chair');
  });
});

describe('reading-time', () => {
  test('BB-52 has a node with the agent next to the flow as its type: its input in the form, its output by name', async () => {
    const run = await runExample('reading-time.flow.yaml');
    expect(run.nodes.get('time')?.output).toEqual({ words: expect.any(Number), minutes: expect.any(Number) });
    expect(await written('out/reading-time.txt')).toMatch(/^\d+ words, \d+ min to read\n$/);
  });
});

describe('health-check', () => {
  test('tolerates a branch that fails three times, and reports it', async () => {
    const run = await runExample('health-check.flow.yaml');
    expect([...run.failedNodes]).toEqual(['mail']);
    expect(run.nodes.get('mail')).toMatchObject({ status: 'failed', attempts: 3 });
    expect(run.nodes.get('call_somebody')?.output).toEqual({
      text: 'Mail needs a person: The mail probe did not answer',
    });
    const report = await written('out/health.md');
    expect(report).toContain('# Health: needs a look');
    expect(report).toContain('- web: healthy');
    expect(report).toContain('- mail: no answer');
    expect(report).toContain('> Mail needs a person');
  });
});

describe('stamp', () => {
  test('BB-52 passes a secret to a program, and only its fingerprint is visible', async () => {
    const run = await runExample('stamp.flow.yaml');
    const note = await readFile(path.join(source, 'notes/05-quiet-hours.md'), 'utf8');
    const hashed = `${stampKey}\n${note}\n`;
    const stamp = createHash('sha1')
      .update(`blob ${Buffer.byteLength(hashed)}\0${hashed}`)
      .digest('hex');
    expect(run.nodes.get('stamp')?.output).toEqual({ exitCode: 0, stdout: `${stamp}\n`, stderr: '', value: [stamp] });
    expect(run.nodes.get('stamp')?.input).toMatchObject({ stdin: `•••STAMP_KEY•••\n${note}\n` });
    expect(await written('out/stamp.md')).toBe(`notes/05-quiet-hours.md has the stamp ${stamp}\n`);
  });
});

describe('plan-b', () => {
  test('BB-52 takes the error branch, and the other one once the file exists', async () => {
    const run = await runExample('plan-b.flow.yaml');
    expect(run.nodes.get('today')).toMatchObject({ status: 'failed', error: { code: 'files.not-found' } });
    expect([...run.skippedEdges]).toEqual(['today->praise']);
    expect(await written('out/plan-b.md')).toMatch(/^This is not the log of today, by files\.not-found: /);
    const text = await readFile(path.join(source, 'plan-b.flow.yaml'), 'utf8');
    const inputs = { log: 'checks/mail.log', report: 'out/plan-a.md' };
    const { runId } = await engine.startRun({ path: 'plan-b.flow.yaml', text, inputs });
    expect((await engine.whenEnded(runId)).status).toBe('completed');
    expect(await written('out/plan-a.md')).toMatch(/^This is the log of today\.\n\n2026-/);
  });
});

describe('watch-logs', () => {
  test('BB-52 calls another flow for each log and reports their findings', async () => {
    const run = await runExample('watch-logs.flow.yaml');
    expect([...run.children.values()].map(({ name, status }) => [name, status])).toEqual([
      ['Troubles of a log', 'completed'],
      ['Troubles of a log', 'completed'],
      ['Troubles of a log', 'completed'],
    ]);
    expect(await written('out/timeouts.md')).toMatch(
      /^# Timeouts\n\n- checks\/web\.log: \d+\n- checks\/database\.log: 0\n- checks\/mail\.log: [1-9]/,
    );
  });
});

describe('feedback', () => {
  test('runs its loop for each message, takes one branch in each, and creates a page of the results', async () => {
    const run = await runExample('feedback.flow.yaml');
    expect(run.nodes.get('each[0].apology')?.status).toBe('completed');
    expect(run.nodes.get('each[0].thanks')).toMatchObject({ status: 'skipped', skip: { reason: 'edge' } });
    expect(run.nodes.get('each[1].thanks')?.status).toBe('completed');
    expect(await written('out/feedback.md')).toBe(
      `# Feedback

- Ada (unhappy): Dear Ada, we are sorry: the next update exports all pages, and you will hear from us today.
- Grace (default): Thank you, Grace!
- Alan (asking): Thank you, Alan!
- Edsger (unhappy): We are sorry. No cell should ever get lost: a person looks into your notebook today.

To call today: Ada Edsger
`,
    );
  });
});

describe('slow-digest', () => {
  test('takes more than ten seconds', async () => {
    const run = await runExample('slow-digest.flow.yaml');
    expect(run.durationMs).toBeGreaterThan(10_000);
    expect(JSON.stringify(run.output)).toContain('until somebody chooses. Exports write while they read');
  });

  test('can be canceled halfway', async () => {
    let cancelled = false;
    const end = engine.subscribe((events) => {
      const pause = events.find(({ event }) => event.type === 'task:start' && event.nodeId === 'pause_2');
      if (pause === undefined || cancelled) return;
      cancelled = true;
      engine.cancelRun(pause.runId);
    });
    const run = await runExample('slow-digest.flow.yaml');
    end();
    expect(run.status).toBe('cancelled');
    expect(run.nodes.get('part_2')?.status).toBe('completed');
    expect(run.nodes.get('pause_2')?.status).toBe('cancelled');
    expect(run.nodes.has('part_3')).toBe(false);
  });
});

test('note-titles.aip creates and records a title for each note', async () => {
  const accepted = await engine.startAgent({ agent: 'note-titles.aip' });
  if ('work' in accepted) throw new Error('It waits for work.');
  await engine.whenEnded(accepted.runId);
  const state = foldRun(emptyRunState, await engine.readEvents(accepted.runId, -1, 5000));
  expect(state).toMatchObject({ status: 'completed', output: { after_all: 'out/titles.md' } });
  const notes = await readdir(path.join(workspace, 'notes'));
  expect([...state.nodes.values()].map(({ status }) => status)).toEqual(notes.map(() => 'completed'));
  expect((await written('out/titles.md')).match(/^- /gm)).toHaveLength(notes.length);
});
