/**
 * The lines about what is going on in a run now.
 */
import type { EventEnvelope, JsonValue, NodeState, RunState } from '../../isomorphic.ts';
import type { Terminal } from '../terminal.ts';
import { durationText, nodeLine, oneLine } from './phrases.ts';

interface WorkInHand {
  /** Notes which nodes have begun. */
  note(events: readonly EventEnvelope[]): void;
  /**
   * A line for each node at work, with the end of its text, for as many as the screen has room for, and one for the
   * run; none while the run does not run.
   */
  lines(run: RunState, terminal: Terminal, now: number): readonly string[];
}

/** Starts with nothing going on. Asks only about nodes that have begun, not about all of a run of 100,000. */
export function createWorkInHand(): WorkInHand {
  const begun = new Set<string>();
  let since = 0;
  return {
    note(events) {
      for (const { at, event, rootRunId } of events) {
        if (rootRunId !== undefined) continue;
        if (event.type === 'run:start' || event.type === 'run:resumed') since = at;
        if (event.type === 'task:start') begun.add(event.nodeId ?? event.taskId);
      }
    },
    lines(run, terminal, now) {
      if (run.status !== 'running') return [];
      const working = stillAtWork(run, begun);
      const { lines, hidden } = fitting(working, { terminal, now, inputs: run.inputs });
      const more = hidden === 0 ? '' : ` · ${hidden} more at work`;
      return [...lines, terminal.colors.dim(`  ${durationText(now - since)}${more} · Ctrl-C cancels`)];
    },
  };
}

/** Forgets those that are done. */
function stillAtWork(run: RunState, begun: Set<string>): readonly NodeState[] {
  const working: NodeState[] = [];
  for (const id of begun) {
    const node = run.nodes.get(id);
    if (node?.status === 'running' || node?.status === 'retrying') working.push(node);
    else begun.delete(id);
  }
  return working;
}

/** The last two lines of the screen are the run's own and the one below it. */
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

/** Enough of the end of a text to find its last line in. */
const tailLength = 1000;

function tailOf(text: string, terminal: Terminal): readonly string[] {
  const width = terminal.columns() - 4;
  const line = Array.from(oneLine(text.slice(-tailLength)))
    .slice(-width)
    .join('');
  return line === '' ? [] : [terminal.colors.dim(`    ${line}`)];
}
