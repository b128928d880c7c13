import colors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId, type RunEvent } from '../../isomorphic.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { startTestRun } from '../../testing/test-run.ts';
import type { Terminal } from '../terminal.ts';
import { createProgressReporter } from './run-reporter.ts';

/**
 * Creates a screen that supports the sequences of the live display: moving up, clearing below, and disabling line wrap.
 */
function createScreen({ columns = 60, rows = 10 } = {}) {
  let lines: string[] = [];
  const written: string[] = [];
  const terminal: Terminal = {
    out(text) {
      written.push(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the display's own commands
      for (const part of text.split(/(\x1b\[\d+F\x1b\[0J|\x1b\[\?7[lh]|\n)/)) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the display's own commands
        const up = /^\x1b\[(\d+)F/.exec(part);
        if (up !== null) lines = lines.slice(0, lines.length - 1 - Number(up[1])).concat('');
        else if (part === '\n') lines.push('');
        else if (!part.startsWith('\x1b')) lines[Math.max(0, lines.length - 1)] = part;
      }
    },
    json() {},
    err() {},
    isLive: true,
    columns: () => columns,
    rows: () => rows,
    colors: colors.createColors(false),
    control: (sequence) => sequence,
  };
  lines = [''];
  return { terminal, written, shown: () => lines.slice(0, -1) };
}

const flow = `
flow: { name: Show }
nodes:
  - { id: quick, type: echo, input: { text: a } }
  - { id: talk, type: prompt, input: { prompt: "one two three" } }
  - { id: pause, type: control.wait, input: { ms: 3000 } }
  - { id: skip_me, type: echo, disabled: true, input: { text: a } }
edges: []`;

async function watch(text: string, screen: ReturnType<typeof createScreen>) {
  const clock = createManualClock();
  const reporter = createProgressReporter({ terminal: screen.terminal, clock });
  const run = startTestRun(text, { clock });
  let taken = 0;
  const take = (): void => {
    const news = run.events.slice(taken);
    taken += news.length;
    reporter.take(news);
  };
  // The hub emits the start of a node only when its batch of events is full or old enough.
  await clock.advance(50);
  take();
  return { clock, reporter, run, take };
}

describe('the live display', () => {
  test('keeps a line for each ended node, and shows active ones below', async () => {
    const screen = createScreen();
    const { clock, reporter, run, take } = await watch(flow, screen);
    await clock.advance(1150);
    expect(screen.shown()).toEqual([
      'Show · run-1',
      '✓ completed  quick · 0 ms',
      '✓ completed  talk · 0 ms',
      '● running    pause · 1.2 s',
      '  1.2 s · Ctrl-C cancels',
    ]);
    await clock.advance(2000);
    await run.done;
    take();
    expect(screen.shown()).toEqual([
      'Show · run-1',
      '✓ completed  quick · 0 ms',
      '✓ completed  talk · 0 ms',
      '✓ completed  pause · 3.0 s',
      '– skipped    skip_me · it is disabled',
      '✓ completed in 3.0 s',
      '',
      'quick:',
      '  a',
      '',
      'talk:',
      '  {',
      '    "text": "one two three",',
      '    "model": "fake::default"',
      '  }',
      '',
      'pause:',
      '  {',
      '    "waitedMs": 3000',
      '  }',
      '',
      'skip_me:',
      '  {',
      '    "skipped": true,',
      '    "reason": "disabled"',
      '  }',
    ]);
    reporter.close();
    expect(clock.openTimers).toBe(0);
  });

  test('is never taller than the screen', async () => {
    const screen = createScreen({ rows: 2 });
    const { clock, reporter, run } = await watch(flow, screen);
    await clock.advance(150);
    expect(screen.shown().at(-1)).toBe('  200 ms · 1 more running · Ctrl-C cancels');
    reporter.close();
    expect(screen.shown().at(-1)).toBe('✓ completed  talk · 0 ms');
    run.cancel();
    await run.done;
  });
});

describe('text of a model', () => {
  test('streams the end of the text on one line, and cannot control the terminal', async () => {
    const screen = createScreen({ columns: 24 });
    const clock = createManualClock();
    const reporter = createProgressReporter({ terminal: screen.terminal, clock });
    const content = 'first line\n\x1b[2J\x1b]0;title\x07second\r line is the longer one';
    const events: readonly RunEvent[] = [
      { type: 'run:start', kind: 'flow', name: 'Talk', sourcePath: 'a', definitionHash: '', inputs: {} },
      { type: 'task:start', taskId: 'node:talk', nodeId: 'talk' },
      { type: 'agent:text', content },
    ];
    const context = { sessionId: asSessionId('s'), task: { id: 'node:talk' } };
    reporter.take(events.map((event, seq) => ({ seq, at: clock.now(), runId: asRunId('r'), context, event })));
    await clock.advance(100);
    expect(screen.shown()).toEqual([
      'Talk · r',
      '● running    talk · 100 ms',
      '    ne is the longer one',
      '  100 ms · Ctrl-C cancels',
    ]);
    expect(screen.written.join('')).not.toContain('\x1b[2J');
    reporter.close();
  });
});

/**
 * Shows these events of run `r`, 10 ms apart, on a screen or in a pipe; the first `known` of them are from the past.
 */
function showFacts(facts: readonly RunEvent[], { known = 0, rows = 10, isLive = true } = {}) {
  const screen = createScreen({ rows });
  const clock = createManualClock();
  const startedAt = clock.now();
  const reporter = createProgressReporter({ terminal: { ...screen.terminal, isLive }, clock });
  const context = { sessionId: asSessionId('s') };
  const events = facts.map((event, seq) => ({ seq, at: startedAt + seq * 10, runId: asRunId('r'), context, event }));
  reporter.recall(events.slice(0, known));
  reporter.take(events.slice(known));
  return { screen, clock, reporter };
}

const runStart: RunEvent = {
  type: 'run:start',
  kind: 'flow',
  name: 'Post',
  sourcePath: 'a',
  definitionHash: '',
  inputs: {},
};
const begins = (nodeId: string): RunEvent => ({ type: 'task:start', taskId: `node:${nodeId}`, nodeId });
const ends = (nodeId: string): RunEvent => ({
  type: 'task:complete',
  taskId: `node:${nodeId}`,
  nodeId,
  result: 1,
  durationMs: 7,
  attempts: 1,
});
const asks = (nodeId: string): RunEvent => ({
  type: 'node:suspended',
  nodeId,
  request: { reason: 'operator', message: 'It was\ncut off. Run it again?' },
});

describe('a run that waits for a person', () => {
  test.each([true, false])('shows who asks what and how to answer, and nothing else (screen: %s)', (isLive) => {
    const suspended: RunEvent = { type: 'run:suspended', reason: 'operator', nodeId: 'send' };
    const { screen, reporter } = showFacts([runStart, begins('send'), asks('send'), suspended], { isLive });
    expect(screen.shown()).toEqual([
      'Post · r',
      '? suspended  send · It was cut off. Run it again?',
      '? suspended, waits for a person (send asks)',
      'To continue: millrace resume r --approve (or --reject)',
    ]);
    reporter.close();
  });

  const asksFor = (nodeId: string, kind: 'approval' | 'input'): readonly RunEvent[] => [
    begins(nodeId),
    kind === 'input'
      ? {
          type: 'input:requested',
          nodeId,
          key: 'k',
          requestHash: 'h',
          request: { kind, title: 'Which?', schema: { type: 'object', properties: {} } },
        }
      : { type: 'approval:requested', nodeId, key: 'k', requestHash: 'h', request: { kind, title: 'Send?' } },
    { type: 'node:suspended', nodeId, request: { reason: 'approval', message: 'Asked' } },
  ];

  test('shows the message and the notes of an approval, without lines that only repeat the title', () => {
    const notes = ['The price was 40.', '\u001b[31mTwo\nlines'];
    const details = (message: string): readonly string[] => {
      const request = { kind: 'approval', title: 'Send?', message, notes } as const;
      const asked: RunEvent = { type: 'approval:requested', nodeId: 'send', key: 'k', requestHash: 'h', request };
      const waits: RunEvent = { type: 'node:suspended', nodeId: 'send', request: { reason: 'approval', message } };
      const end: RunEvent = { type: 'run:suspended', reason: 'approval' };
      const { screen, reporter } = showFacts([runStart, begins('send'), asked, waits, end], { isLive: false });
      reporter.close();
      return screen.shown().slice(2, -2);
    };
    const shownNotes = ['    - The price was 40.', '    - Two lines'];
    expect(details('Dear Ada,\n\nwe are sorry.\n')).toEqual(['    Dear Ada,', '    we are sorry.', ...shownNotes]);
    expect(details('Send?')).toEqual(shownNotes);
    const long = details(Array.from({ length: 15 }, (_, index) => `line ${index}`).join('\n'));
    expect(long.slice(11, 13)).toEqual(['    line 11', '    and 3 more lines']);
  });

  test.each([
    [asksFor('send', 'approval'), 'millrace resume r --approve (or --reject)'],
    [asksFor('form', 'input'), 'millrace resume r --answer FILE'],
    [[...asksFor('send', 'approval'), ...asksFor('form', 'input')], 'millrace resume r --node form --answer FILE'],
    [[begins('a'), asks('a'), begins('b'), asks('b')], 'millrace resume r --approve (or --reject)'],
  ] as const)('%# shows the command that answers', (facts, command) => {
    const suspended: RunEvent = { type: 'run:suspended', reason: 'approval' };
    const { screen, reporter } = showFacts([runStart, ...facts, suspended], { isLive: false });
    expect(screen.shown().at(-1)?.replace('To continue: ', '').trim()).toBe(command);
    reporter.close();
  });

  test('resumes under its name, without what was shown before', async () => {
    const before = [runStart, begins('read'), ends('read'), begins('lost'), begins('send'), asks('send')] as const;
    const after = [{ type: 'run:resumed', decision: 'approve' }, begins('send')] as const;
    const { screen, clock, reporter } = showFacts([...before, ...after], { known: before.length });
    await clock.advance(100);
    expect(screen.shown()).toEqual(['Post · r · resumed', '● running    send · 30 ms', '  40 ms · Ctrl-C cancels']);
    reporter.close();
  });
});

describe('many nodes', () => {
  test('in loops are distinguished by their item, and those that do not fit are counted', () => {
    const { screen, reporter } = showFacts(
      [runStart, ...Array.from({ length: 12 }, (_, item) => begins(`each[${item}].send`)), ends('each[0].send')],
      { rows: 5 },
    );
    expect(screen.shown().map((line) => line.replace(/-?\d+ ms/, 'T'))).toEqual([
      'Post · r',
      '✓ completed  each[0].send · T',
      '● running    each[1].send · T',
      '● running    each[2].send · T',
      '● running    each[3].send · T',
      '  T · 8 more running · Ctrl-C cancels',
    ]);
    reporter.close();
  });

  test('that reuse the result of an earlier run name that run', () => {
    const reused: RunEvent = { type: 'node:reused', nodeId: 'read', fromRunId: asRunId('earlier'), output: 1 };
    const skipped: RunEvent = { type: 'node:skipped', nodeId: 'send', reason: 'edge' };
    const { screen } = showFacts([runStart, reused, skipped], { isLive: false });
    expect(screen.shown().slice(1)).toEqual([
      '= reused     read · as in earlier',
      '– skipped    send · no edge to it fired',
    ]);
  });
});
