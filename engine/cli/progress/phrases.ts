/**
 * Describes runs and nodes for people.
 */
import {
  type AskRequest,
  isJsonList,
  isJsonMap,
  type JsonValue,
  type NodeState,
  permissionOf,
  type RunEndReason,
  type RunId,
  type RunState,
  type RunSummary,
  type SkipReason,
  suggestionsOf,
  toolFactsOf,
  type WaitingRequest,
  waitingRequests,
} from '../../isomorphic.ts';
import { printable, type Terminal } from '../terminal.ts';

type Paint = (text: string, colors: Terminal['colors']) => string;

/** The icons and colors of states. */
export const looks: Record<NodeState['status'], { readonly icon: string; readonly paint: Paint }> = {
  running: { icon: '●', paint: (text, { cyan }) => cyan(text) },
  retrying: { icon: '↻', paint: (text, { yellow }) => yellow(text) },
  suspended: { icon: '?', paint: (text, { yellow }) => yellow(text) },
  completed: { icon: '✓', paint: (text, { green }) => green(text) },
  reused: { icon: '=', paint: (text, { green }) => green(text) },
  failed: { icon: '✗', paint: (text, { red }) => red(text) },
  skipped: { icon: '–', paint: (text, { dim }) => dim(text) },
  cancelled: { icon: '■', paint: (text, { yellow }) => yellow(text) },
};

const statusWidth = 'completed'.length;

interface LineSurroundings {
  readonly colors: Terminal['colors'];
  /** The run's inputs, used to label an agent's items. */
  readonly inputs: JsonValue;
  /** Duration shown for a node that has none yet. */
  readonly elapsedMs?: number;
}

/** Formats a node: `✓ completed  read_notes · 12 ms`. */
export function nodeLine(node: NodeState, { colors, inputs, elapsedMs }: LineSurroundings): string {
  const { icon, paint } = looks[node.status];
  const facts = [durationText(node.durationMs ?? elapsedMs), ...detailsOf(node)].filter((fact) => fact !== '');
  const rest = facts.length === 0 ? '' : ` · ${facts.join(' · ')}`;
  return `${paint(`${icon} ${node.status.padEnd(statusWidth)}`, colors)}  ${nameOf(node, inputs)}${colors.dim(rest)}`;
}

const itemPrefix = 'input:';
const longestName = 60;

/** Returns a node's id. For an agent's item, returns its label, otherwise its display text, otherwise its number. */
function nameOf({ nodeId, label }: NodeState, inputs: JsonValue): string {
  if (!nodeId.startsWith(itemPrefix)) return oneLine(nodeId);
  const index = Number(nodeId.slice(itemPrefix.length));
  const name = oneLine(label ?? shownInput(isJsonList(inputs) ? inputs[index] : undefined) ?? `input ${index + 1}`);
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}

function shownInput(input: JsonValue | undefined): string | undefined {
  if (typeof input === 'string' && input.trim() !== '') return input;
  if (!isJsonMap(input)) return undefined;
  const shown = ['_display', 'path', 'name', 'label', '_label'].map((key) => input[key]);
  return shown.find((text): text is string => typeof text === 'string');
}

function givenText({ by = 'a person', before }: NonNullable<NodeState['given']>): string {
  return oneLine(`${before === undefined ? 'given' : 'changed'} by ${by}`);
}

function detailsOf(node: NodeState): string[] {
  if (node.skip !== undefined) return [oneLine(node.skip.text ?? '') || skipText(node.skip.reason)];
  if (node.isPinned === true) return [node.given === undefined ? 'pinned' : givenText(node.given)];
  if (node.fromRunId !== undefined) return [`as in ${oneLine(node.fromRunId)}`];
  if (node.request !== undefined) return [oneLine(node.request.message)];
  const why = node.status === 'failed' || node.status === 'retrying' ? [oneLine(node.error?.message ?? '')] : [];
  if (node.attempts < 2) return why;
  return [node.endedAt === undefined ? `attempt ${node.attempts}` : `${node.attempts} attempts`, ...why];
}

function skipText(reason: SkipReason): string {
  switch (reason) {
    case 'when':
      return 'its condition was not met';
    case 'edge':
      return 'no edge to it fired';
    case 'disabled':
      return 'it is disabled';
    case 'autonomy':
      return 'only suggested';
    case 'suggested':
      return 'it depends on a suggestion';
    default:
      return reason;
  }
}

/** Maximum number of suggestions shown. Additional ones are only counted. */
const mostSuggestions = 20;

/** Returns one line for each action that a completed run or one of its child runs only suggested. */
export function suggestionLines(run: RunState): readonly string[] {
  const all = suggestionsOf(run).map(
    ({ nodeId, tool, params }) => `${nodeId}${tool === undefined ? '' : ` (${tool})`}: ${JSON.stringify(params)}`,
  );
  if (all.length === 0) return [];
  const rest = all.length - mostSuggestions;
  const lines = all.slice(0, mostSuggestions).map((line) => `  ${oneLine(line)}`);
  return ['Suggested, not done:', ...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

/** Explains why a run was canceled although no person requested it. */
export function endReasonText(reason: RunEndReason): string {
  switch (reason) {
    case 'corrected':
      return 'a value was corrected, and a new run began';
  }
}

/** Returns the last line of a run: `✓ completed in 12.3 s`, with tolerated failures. */
export function endLine(run: RunState, colors: Terminal['colors']): string {
  const status = run.status === 'queued' || run.status === 'interrupted' ? 'running' : run.status;
  const { icon, paint } = looks[status];
  const tolerated = run.status === 'completed' ? [...run.failedNodes].map(oneLine) : [];
  const why = run.endReason === undefined ? '' : ` (${endReasonText(run.endReason)})`;
  const note = tolerated.length === 0 ? why : ` (${tolerated.join(', ')} failed and ${verb(tolerated)} tolerated)`;
  return `${paint(`${icon} ${run.status}`, colors)} in ${durationText(run.durationMs ?? 0)}${note}`;
}

/** Returns the line for a run that a policy did not allow to start. */
export function refusedLine({ message }: { readonly message: string }, colors: Terminal['colors']): string {
  const { icon, paint } = looks.failed;
  return `${paint(`${icon} refused`, colors)}: ${oneLine(message)}`;
}

/** Maximum length of a tool's arguments, in characters; `inbox --json` prints them in full. */
const longestArguments = 2000;

/** Maximum number of lines of a message, and of notes; `inbox --json` prints them in full. */
const mostDetails = 12;

/** Returns what a person needs to know to answer, apart from the title: the message, and the background of an approval. */
function requestDetails({ title, message = '', ...rest }: AskRequest): readonly string[] {
  const isRepeated = oneLine(message) === oneLine(title);
  const lines = isRepeated
    ? []
    : message
        .split('\n')
        .map(oneLine)
        .filter((line) => line !== '');
  const notes = rest.kind === 'approval' ? (rest.notes ?? []).map((note) => `- ${oneLine(note)}`) : [];
  return [lines, notes].flatMap((all) =>
    all.length > mostDetails ? [...all.slice(0, mostDetails), `and ${all.length - mostDetails} more lines`] : all,
  );
}

/**
 * Returns the lines that describe a request: the full name to use in an answer, the message and the notes and, for a
 * tool call, the tool, its risk and its arguments.
 */
export function askingLines({ name, request, ask }: WaitingRequest, colors: Terminal['colors']): readonly string[] {
  const { icon, paint } = looks.suspended;
  const title = ask?.request.title ?? request?.message;
  const question = title === undefined ? '' : colors.dim(` · ${oneLine(title)}`);
  const facts = ask === undefined ? undefined : toolFactsOf(ask.request, longestArguments);
  const isLasting = ask?.request.kind === 'approval' && ask.request.scopes?.includes('workspace') === true;
  return [
    `${paint(`${icon} ${'suspended'.padEnd(statusWidth)}`, colors)}  ${oneLine(name)}${question}`,
    ...(ask === undefined ? [] : requestDetails(ask.request).map((line) => `    ${line}`)),
    ...(facts === undefined ? [] : [`    ${oneLine(facts)}`]),
    ...(isLasting
      ? [colors.dim('    Approves this call only; --scope workspace allows the tool in this workspace.')]
      : []),
  ];
}

/** Returns the last line for a run that waits for a person. It contains the names to use in answers. */
export function suspendedLine(run: RunState, colors: Terminal['colors']): string {
  const { icon, paint } = looks.suspended;
  const asking = waitingRequests(run).map(({ name }) => oneLine(name));
  const who = asking.length === 0 ? '' : ` (${asking.join(', ')} ${asking.length === 1 ? 'asks' : 'ask'})`;
  return `${paint(`${icon} suspended`, colors)}, waits for a person${who}`;
}

function verb(names: readonly string[]): string {
  return names.length === 1 ? 'was' : 'were';
}

/** Formats a duration as `12 ms`, `3.4 s` or `2 m 05 s`; empty if undefined. */
export function durationText(ms: number | undefined): string {
  if (ms === undefined) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`;
}

/** Returns text on one line, without terminal control sequences. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** An open request, as named by a command. */
export interface AnswerableRequest {
  readonly name: string;
  /** Only present if several requests have the same name. */
  readonly key?: string | undefined;
  readonly kind?: AnswerKind | undefined;
}

type AnswerKind = 'approval' | 'input' | 'optional-input' | 'permission';

/** Returns how a request is answered; undefined if it asks whether to run an interrupted node again. */
export function answerKindOf(request: AskRequest | undefined): AnswerKind | undefined {
  if (request?.kind === 'input' && request.mayDecline === true) return 'optional-input';
  return request !== undefined && permissionOf(request) !== undefined ? 'permission' : request?.kind;
}

const answerFlags: Readonly<Record<AnswerKind, string>> = {
  approval: '--approve (or --reject)',
  input: '--answer FILE',
  'optional-input': '--answer FILE (or --reject)',
  permission: '--allow',
};

/** Returns the command that answers a request. It is safe to paste, whatever characters a flow uses in names. */
export function answerCommand(run: string | number, { name, key, kind = 'approval' }: AnswerableRequest): string {
  const which = key === undefined || kind === 'permission' ? '' : ` --key ${shellWord(key)}`;
  return `millrace resume ${shellWord(String(run))} --node ${shellWord(name)}${which} ${answerFlags[kind]}`;
}

/** Quotes a word for a shell if necessary. */
export function shellWord(text: string): string {
  const line = oneLine(text);
  return /^[\w./:-]+$/.test(line) && !line.startsWith('-') ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}

/** Maximum number of commands listed; the inbox shows all of them. */
const mostCommands = 20;

/** Returns one command for each of a run's requests. */
export function answerCommands(run: string | number, requests: readonly AnswerableRequest[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name } of requests) counts.set(name, (counts.get(name) ?? 0) + 1);
  const commands = requests
    .slice(0, mostCommands)
    .map(({ key, ...rest }) => answerCommand(run, (counts.get(rest.name) ?? 0) > 1 ? { key, ...rest } : rest));
  const more = requests.length - commands.length;
  return more > 0 ? [...commands, `and ${more} more: millrace inbox`] : commands;
}

/** Returns the last lines for a suspended run, which explain how to continue it, with one command per request. */
export function answerLines(runId: RunId, run: RunState): readonly string[] {
  const requests = waitingRequests(run);
  const isCut = requests.every(({ ask }) => ask === undefined);
  if (requests.length < 2 || isCut) return [`To continue: ${wayOn({ runId, status: 'suspended' }, run)}`];
  const named = requests.map(({ name, ask }) => ({ name, key: ask?.key, kind: answerKindOf(ask?.request) }));
  return ['To answer:', ...answerCommands(runId, named).map((command) => `  ${command}`)];
}

/**
 * Returns the command that continues a run; undefined for a run that has ended or is running.
 * @param run state of the run; if undefined, the command is `inbox`, which lists a command for each request
 */
export function wayOn(
  { runId, status, waitStatus }: Pick<RunSummary, 'runId' | 'status' | 'waitStatus'>,
  run?: RunState,
): string | undefined {
  if (waitStatus === 'PAUSED') return `millrace resume ${shellWord(runId)} --continue`;
  if (status === 'interrupted') return `millrace resume ${shellWord(runId)}`;
  if (status !== 'suspended') return undefined;
  const requests = run === undefined ? [] : waitingRequests(run);
  const [first] = requests;
  const isCut = requests.every(({ ask }) => ask === undefined);
  if (first === undefined || (requests.length > 1 && !isCut)) return 'millrace inbox';
  return `millrace resume ${shellWord(runId)} ${answerFlags[answerKindOf(first.ask?.request) ?? 'approval']}`;
}
