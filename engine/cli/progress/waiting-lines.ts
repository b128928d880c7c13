/**
 * Describes runs that wait, for a person's answer or because they are paused, with the commands that continue them.
 */
import { cutText } from '../../base/cut-text.ts';
import {
  type BudgetDoc,
  budgetParts,
  budgetText,
  type EventEnvelope,
  explainWhen,
  isLiveKey,
  type PausedAt,
  type RunState,
  waitingRequests,
} from '../../isomorphic.ts';
import type { Terminal } from '../terminal.ts';
import { answerCommands, answerKindOf, askingLines, looks, oneLine, shellWord } from './phrases.ts';

/** Maximum length in characters of a held node's input. */
const longestInput = 1000;

/** Returns the last lines for a run that was paused. @param budget the run's budget, if it has one */
export function pausedLines(
  runId: string,
  { nextNode, reason, input, error, because, budget }: PausedAt & { readonly budget: BudgetDoc | undefined },
  colors: Terminal['colors'],
): readonly string[] {
  const { icon, paint } = looks.suspended;
  const place = nextNode === undefined ? '' : ` before ${oneLine(nextNode)}`;
  const limits = budgetParts.flatMap((part) => (budget?.[part] === undefined ? [] : budgetText(part, budget[part])));
  const reached = `: its budget of ${limits.join(', ')} is reached`;
  const why = reason === 'breakpoint' ? ' (breakpoint)' : reason === 'budget' ? reached : '';
  const seen = input === undefined ? [] : [`input: ${cutText(JSON.stringify(input), longestInput)}`];
  const causes = [...(because === undefined ? [] : [explainWhen(because)]), ...(error ? [error.message] : []), ...seen];
  return [
    `${paint(`${icon} paused`, colors)}${place}${why}`,
    ...causes.map((line) => `  ${oneLine(line)}`),
    ...(reason === 'budget' ? [raiseCommand(runId, budget)] : pauseCommands(runId, nextNode !== undefined)),
  ];
}

function raiseCommand(runId: string, budget: BudgetDoc | undefined): string {
  const limits = budgetParts.filter((part) => budget?.[part] !== undefined).map((part) => `${part}=LIMIT`);
  return `  millrace resume ${shellWord(runId)} --raise ${limits.join(' or ')}`;
}

/** Returns the commands that continue a paused run. @param isHeld whether a node is held that can be given something */
export function pauseCommands(runId: string, isHeld = false): readonly string[] {
  const ofHeld = isHeld ? ['--edit FILE   (with another input)', '--skip FILE   (with an output instead)'] : [];
  const flags = ['--continue', '--step   (only the next node)', ...ofHeld];
  return flags.map((flag) => `  millrace resume ${shellWord(runId)} ${flag}`);
}

/**
 * Returns the lines for an event with which a node, also one of a child run, asks a person; undefined for other
 * events.
 * @param run state after the event
 */
export function linesOfAsking(
  run: RunState,
  { runId, event }: Pick<EventEnvelope, 'runId' | 'event'>,
  colors: Terminal['colors'],
): readonly string[] | undefined {
  const asked = event.type === 'approval:requested' || event.type === 'input:requested' ? event : undefined;
  const liveKey = asked !== undefined && isLiveKey(asked.key) ? asked.key : undefined;
  if (event.type !== 'node:suspended' && liveKey === undefined) return undefined;
  const { nodeId } = asked ?? (event as Extract<typeof event, { type: 'node:suspended' }>);
  const asking = waitingRequests(run).filter(
    ({ name, run: own, ask }) =>
      own.runId === runId &&
      (name === nodeId || name.endsWith(`/${nodeId}`)) &&
      (liveKey === undefined || ask?.key === liveKey),
  );
  const lines = asking.flatMap((one) => askingLines(one, colors));
  if (liveKey === undefined) return lines;
  // The run does not end here, so nothing else shows how to answer.
  const requests = asking.map(({ name, ask }) => ({ name, key: liveKey, kind: answerKindOf(ask?.request) }));
  const commands = answerCommands(run.runId ?? runId, requests).map((command) => `      ${command}`);
  return [...lines, '    To answer, run this in another terminal:', ...commands];
}
