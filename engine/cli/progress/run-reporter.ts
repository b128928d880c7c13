/**
 * What the caller sees of a run while it goes on: events as they are, plain lines, or lines that move.
 */
import type { Clock } from '../../index.ts';
import { type EventEnvelope, emptyRunState, foldRun, type NodeState, type RunState } from '../../isomorphic.ts';
import type { Terminal } from '../terminal.ts';
import { createLiveRegion } from './live-region.ts';
import { outputText } from './output-text.ts';
import { durationText, endLine, nodeLine, oneLine } from './phrases.ts';

export interface RunReporter {
  /** Takes stored events of the run, in order, up to its `run:end`. */
  take(events: readonly EventEnvelope[]): void;
  /** Ends its timer. */
  close(): void;
}

/** For programs: one event envelope a line, and nothing else. */
export function createJsonReporter(terminal: Terminal): RunReporter {
  return {
    take: (events) => terminal.out(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
    close() {},
  };
}

/** Where a person follows a run. */
export interface Screen {
  readonly terminal: Terminal;
  readonly clock: Clock;
}

/** For people: a line for each node that has ended; on a screen also what is going on, with the text that streams in. */
export function createProgressReporter(screen: Screen): RunReporter {
  return screen.terminal.isLive ? createLiveReporter(screen) : createPlainReporter(screen.terminal);
}

function createPlainReporter(terminal: Terminal): RunReporter {
  let run = emptyRunState;
  return {
    take(events) {
      const { after, lines } = advance(run, events, terminal);
      run = after;
      terminal.out(lines.map((line) => `${line}\n`).join(''));
    },
    close() {},
  };
}

const redrawMs = 100;

function createLiveReporter({ terminal, clock }: Screen): RunReporter {
  const region = createLiveRegion(terminal);
  let run = emptyRunState;
  const show = (kept: readonly string[]): void => region.show(kept, liveLines(run, terminal, clock.now()));
  let endTimer = clock.setTimer(redraw, redrawMs);
  function redraw(): void {
    show([]);
    endTimer = clock.setTimer(redraw, redrawMs);
  }
  return {
    take(events) {
      const { after, lines } = advance(run, events, terminal);
      run = after;
      if (lines.length > 0) show(lines);
    },
    close() {
      endTimer();
      region.show([], []);
    },
  };
}

/** Folds the events in, and says what of it stays on the screen. */
function advance(
  before: RunState,
  events: readonly EventEnvelope[],
  { colors }: Terminal,
): { after: RunState; lines: readonly string[] } {
  const after = foldRun(before, events);
  const lines = events.flatMap(({ runId, event }): readonly string[] => {
    switch (event.type) {
      case 'run:start':
        return [`${colors.bold(event.name)} ${colors.dim(`· ${runId}`)}`];
      case 'task:complete':
      case 'task:failed':
      case 'task:cancelled':
      case 'node:skipped':
        return lineOf(event.nodeId === undefined ? undefined : after.nodes.get(event.nodeId), colors);
      case 'run:end':
        return endLines(after, colors);
      default:
        return [];
    }
  });
  return { after, lines };
}

function lineOf(node: NodeState | undefined, colors: Terminal['colors']): readonly string[] {
  return node === undefined ? [] : [nodeLine(node, colors)];
}

function endLines(run: RunState, colors: Terminal['colors']): readonly string[] {
  const why = run.error === undefined ? [] : [colors.red(oneLine(run.error.message))];
  return [endLine(run, colors), ...why, ...outputText(run.output).split('\n').slice(0, -1)];
}

/** The nodes that are at work, each with the end of its text. */
function liveLines(run: RunState, terminal: Terminal, now: number): readonly string[] {
  if (run.startedAt === null || run.durationMs !== null) return [];
  const working = Array.from(run.nodes.values()).filter(isAtWork);
  return [
    ...working.flatMap((node) => [
      nodeLine(node, terminal.colors, now - (node.startedAt ?? now)),
      ...tailOf(node.text, terminal),
    ]),
    terminal.colors.dim(`  ${durationText(now - run.startedAt)} · Ctrl-C cancels`),
  ];
}

function isAtWork({ status }: NodeState): boolean {
  return status === 'running' || status === 'retrying';
}

/** Enough of the end of a text to find its last line in. */
const tailLength = 1000;

function tailOf(text: string, terminal: Terminal): readonly string[] {
  const width = terminal.columns() - 4;
  const line = Array.from(oneLine(text.slice(-tailLength)))
    .slice(-width)
    .join('');
  return line === '' ? [] : [terminal.colors.dim(`    ${line}`)];
}
