/**
 * Displays a run in progress: as raw events, plain lines, or a live display.
 */
import type { Clock } from '../../index.ts';
import {
  type EventEnvelope,
  emptyRunState,
  endedTask,
  foldRun,
  type JsonValue,
  type NodeState,
  nameOfTask,
  type RunState,
  startedTask,
} from '../../isomorphic.ts';
import { printable, type Terminal } from '../terminal.ts';
import { outputText } from './output-text.ts';
import {
  answerLines,
  durationText,
  endLine,
  nodeLine,
  oneLine,
  refusedLine,
  suggestionLines,
  suspendedLine,
} from './phrases.ts';
import { linesOfAsking, pausedLines } from './waiting-lines.ts';

/** The lines about a run's active nodes. */
interface WorkInHand {
  /** Records which nodes have started. */
  note(events: readonly EventEnvelope[]): void;
  /**
   * Returns one line per active node that shows the end of its text, as many as fit on the screen, and one line for the
   * run. Empty while the run is not running.
   */
  lines(run: RunState, terminal: Terminal, now: number): readonly string[];
}

/** Creates the lines, which start empty. Tracks only started nodes, because a run may have 100,000 nodes. */
function createWorkInHand(): WorkInHand {
  const begun = new Set<string>();
  let since = 0;
  return {
    note(events) {
      for (const { at, event, rootRunId } of events) {
        if (rootRunId !== undefined) continue;
        if (event.type === 'run:start' || event.type === 'run:resumed') since = at;
        const started = startedTask(event);
        if (started !== undefined) begun.add(nameOfTask(started));
      }
    },
    lines(run, terminal, now) {
      if (run.status !== 'running') return [];
      const working = stillAtWork(run, begun);
      const { lines, hidden } = fitting(working, { terminal, now, inputs: run.inputs });
      const more = hidden === 0 ? '' : ` · ${hidden} more running`;
      return [...lines, terminal.colors.dim(`  ${durationText(now - since)}${more} · Ctrl-C cancels`)];
    },
  };
}

/** Removes the nodes that have ended and returns the others. */
function stillAtWork(run: RunState, begun: Set<string>): readonly NodeState[] {
  const working: NodeState[] = [];
  for (const id of begun) {
    const node = run.nodes.get(id);
    if (node?.status === 'running' || node?.status === 'retrying') working.push(node);
    else begun.delete(id);
  }
  return working;
}

/** The last two lines on the screen: the run's line and the empty line below it. */
const reservedRows = 2;

function fitting(
  working: readonly NodeState[],
  { terminal, now, inputs }: { readonly terminal: Terminal; readonly now: number; readonly inputs: JsonValue },
): { lines: readonly string[]; hidden: number } {
  const { colors } = terminal;
  const room = terminal.rows() - reservedRows;
  const lines: string[] = [];
  for (const [shown, node] of working.entries()) {
    const elapsedMs = now - (node.startedAt ?? now);
    const next = [nodeLine(node, { colors, inputs, elapsedMs }), ...tailOf(node.text, terminal)];
    if (lines.length + next.length > room) return { lines, hidden: working.length - shown };
    lines.push(...next);
  }
  return { lines, hidden: 0 };
}

/** Number of characters at the end of a text that are searched for its last line. */
const tailLength = 1000;

function tailOf(text: string, terminal: Terminal): readonly string[] {
  const width = terminal.columns() - 4;
  const line = Array.from(oneLine(text.slice(-tailLength)))
    .slice(-width)
    .join('');
  return line === '' ? [] : [terminal.colors.dim(`    ${line}`)];
}

export interface RunReporter {
  /** Records events that were emitted before the run was resumed, without showing them. */
  recall(events: readonly EventEnvelope[]): void;
  /** Receives the run's stored events in order, up to its `run:end` or `run:suspended`. */
  take(events: readonly EventEnvelope[]): void;
  /** Clears the timer. */
  close(): void;
}

/** Creates a reporter for programs, which prints one event envelope per line and nothing else. */
function createJsonReporter(terminal: Terminal): RunReporter {
  return {
    recall() {},
    take: (events) => terminal.json(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
    close() {},
  };
}

/** The terminal in which a user follows a run. */
interface Screen {
  readonly terminal: Terminal;
  readonly clock: Clock;
}

/** The output that the caller requests. */
export interface ReporterOptions {
  /** Prints one event envelope per line. */
  readonly json?: true | undefined;
  /** Also prints logs of prompts and responses. */
  readonly isVerbose?: boolean;
}

/**
 * Creates a reporter that prints a line for each ended node. In an interactive terminal, it also shows the active nodes
 * with their streaming text.
 */
export function createProgressReporter(screen: Screen, isVerbose = false): RunReporter {
  return screen.terminal.isLive ? createLiveReporter(screen, isVerbose) : createPlainReporter(screen, isVerbose);
}

/** Creates the reporter for programs if requested, otherwise the one for people. */
export function createReporter(screen: Screen, { json, isVerbose }: ReporterOptions): RunReporter {
  return json === true ? createJsonReporter(screen.terminal) : createProgressReporter(screen, isVerbose);
}

function createPlainReporter({ terminal }: Screen, isVerbose: boolean): RunReporter {
  let run = emptyRunState;
  return {
    recall(events) {
      run = foldRun(run, events);
    },
    take(events) {
      run = foldRun(run, events);
      const lines = keptLines(run, events, { colors: terminal.colors, isVerbose });
      terminal.out(lines.map((line) => `${line}\n`).join(''));
    },
    close() {},
  };
}

const redrawMs = 100;

function createLiveReporter({ terminal, clock }: Screen, isVerbose: boolean): RunReporter {
  const region = createLiveRegion(terminal);
  const work = createWorkInHand();
  let run = emptyRunState;
  const show = (kept: readonly string[]): void => region.show(kept, work.lines(run, terminal, clock.now()));
  let endTimer = clock.setTimer(redraw, redrawMs);
  function redraw(): void {
    show([]);
    endTimer = clock.setTimer(redraw, redrawMs);
  }
  return {
    recall(events) {
      run = foldRun(run, events);
    },
    take(events) {
      run = foldRun(run, events);
      work.note(events);
      const kept = keptLines(run, events, { colors: terminal.colors, isVerbose });
      if (kept.length > 0) show(kept);
    },
    close() {
      endTimer();
      region.show([], []);
    },
  };
}

interface Taste {
  readonly colors: Terminal['colors'];
  readonly isVerbose: boolean;
}

/** Returns the permanent lines for these events; `run` is the state after them. */
function keptLines(run: RunState, events: readonly EventEnvelope[], { colors, isVerbose }: Taste): readonly string[] {
  return events.flatMap(({ runId, rootRunId, event }): readonly string[] => {
    const asking = linesOfAsking(run, { runId, event }, colors);
    if (asking !== undefined) return asking;
    // The calling node summarizes its child runs, and the history contains the details.
    if (rootRunId !== undefined) return [];
    const ended = endedTask(event);
    if (ended !== undefined) return lineOf(run.nodes.get(nameOfTask(ended)), run, colors);
    switch (event.type) {
      case 'run:start':
        return [`${colors.bold(oneLine(event.name))} ${colors.dim(`· ${runId}`)}`];
      case 'run:resumed':
        return [`${colors.bold(oneLine(run.name))} ${colors.dim(`· ${runId} · resumed`)}`];
      case 'node:skipped':
      case 'node:reused':
        return lineOf(run.nodes.get(event.nodeId), run, colors);
      case 'log':
        return event.level === 'info' && !isVerbose ? [] : printable(event.text).split('\n');
      case 'run:suspended':
        return run.pause !== undefined
          ? pausedLines(runId, { ...run.pause, budget: run.budget }, colors)
          : [suspendedLine(run, colors), ...answerLines(runId, run)];
      case 'run:refused':
        return [refusedLine(event, colors)];
      case 'run:end':
        return endLines(run, colors);
      default:
        return [];
    }
  });
}

function lineOf(node: NodeState | undefined, run: RunState, colors: Terminal['colors']): readonly string[] {
  return node === undefined ? [] : [nodeLine(node, { colors, inputs: run.inputs })];
}

function endLines(run: RunState, colors: Terminal['colors']): readonly string[] {
  const why = run.error === undefined ? [] : [colors.red(oneLine(run.error.message))];
  const pins = run.pins.map(
    ({ iden, label, content }) => `${colors.cyan(`◆ ${oneLine(label ?? iden)}`)}  ${printable(content)}`,
  );
  return [
    ...pins,
    ...suggestionLines(run),
    endLine(run, colors),
    ...why,
    ...outputText(run.output).split('\n').slice(0, -1),
  ];
}

interface LiveRegion {
  /** Writes `kept` as permanent lines and redraws the region below them. */
  show(kept: readonly string[], region: readonly string[]): void;
}

/**
 * Creates an empty region. It is never taller than the screen and its lines never wrap, because both would make it
 * jump.
 */
function createLiveRegion(terminal: Terminal): LiveRegion {
  const wrapOff = terminal.control('\x1b[?7l');
  const wrapOn = terminal.control('\x1b[?7h');
  let height = 0;
  return {
    show(kept, region) {
      const up = height === 0 ? '' : terminal.control(`\x1b[${height}F\x1b[0J`);
      const lines = region.slice(0, terminal.rows() - 1);
      height = lines.length;
      const drawn = height === 0 ? '' : `${wrapOff}${whole(lines)}${wrapOn}`;
      terminal.out(`${up}${whole(kept)}${drawn}`);
    },
  };
}

function whole(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
