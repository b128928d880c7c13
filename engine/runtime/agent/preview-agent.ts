/**
 * Previews the messages that an agent would send to its model for one input. Runs Before All and Data and fills the
 * prompts like a dry run, without recording a run.
 */
import { elapsedSince } from '../../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { PromptPart } from '../../language/agent/agent-doc.ts';
import { modelOf } from '../../language/agent/agent-options.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { DryEffect, TemplatesCapability } from '../kernel/capabilities/capabilities.ts';
import { isCancelledStop } from '../kernel/hub/cancel-scope.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { Spending } from '../kernel/hub/spending.ts';
import { RunAsks } from '../kernel/requests/run-asks.ts';
import type { AgentRequest, AgentRun } from './agent-request.ts';
import { runContextOf, type StageContext } from './agent-stage.ts';
import { messagesOf } from './ask-for-input.ts';
import { inputsToRun, runBeforeAll } from './before-all.ts';
import { inputLabelOf } from './input-label.ts';
import { type PromptScope, renderMessages } from './prompt-messages.ts';
import { prepareInput } from './run-input.ts';

/** A message as the model would receive it. */
interface PreviewMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Whether the provider would be asked to cache everything up to the end of this message. */
  readonly isCached: boolean;
  /** Names of the attached files. */
  readonly attachments: readonly string[];
  /** Positions of inserted values; absent if unknown. */
  readonly filled?: readonly FilledSpan[];
}

/** The result of a preview. */
export interface AgentPreview {
  /**
   * `asked`: there are messages. `silent`: all prompts are empty, so the model would not be called. `skipped` and
   * `redo`: returned by a script. `waiting`: Data would ask a person first. `idle`: the agent does nothing for any
   * input. `failed`: `error` contains the reason.
   */
  readonly end: 'asked' | 'silent' | 'skipped' | 'waiting' | 'redo' | 'idle' | 'failed';
  /** Contains `stage` and, for scripts and prompts, the file's `line`. */
  readonly error?: ErrorRecord;
  /** The script's reason for skipping, which may be empty, or the text of its request. */
  readonly reason?: string;
  /** Input labels in order, up to `maxPreviewNames`. */
  readonly inputNames: readonly string[];
  readonly inputCount: number;
  /** Index of the input shown, from 0. */
  readonly index: number;
  /** The input passed to Data. */
  readonly input: JsonValue;
  /** Data's return value; null if it returned nothing or was not reached. */
  readonly data: JsonValue;
  /** Duration of Data in milliseconds. */
  readonly dataMs: number;
  /** The configured model and the model after resolving aliases; absent if none is set. */
  readonly model?: { readonly name: string; readonly resolved: string };
  readonly messages: readonly PreviewMessage[];
  /** Effects that a run would have had so far: changed files, and skipped commands and requests. */
  readonly effects: readonly DryEffect[];
}

/** Maximum number of input labels in a preview. */
const maxPreviewNames = 1_000;

const nothing: AgentPreview = {
  end: 'idle',
  inputNames: [],
  inputCount: 0,
  index: 0,
  input: null,
  data: null,
  dataMs: 0,
  messages: [],
  effects: [],
};

/**
 * Previews one of an agent's inputs. Expected failures are part of the result.
 * @param request with `dry: 'req'` and the dry run that replaces effects of its scripts
 * @param hub receives the scripts' events; may have no subscribers
 * @param index input index, from 0; an index that is too large selects the last input
 * @throws EngineError `run.cancelled` when the request's signal aborts
 */
export async function previewAgent(request: AgentRequest, hub: Hub, index: number): Promise<AgentPreview> {
  const asks = new RunAsks(undefined, undefined);
  const run: AgentRun = { request, runContext: runContextOf(request), spending: new Spending(), asks };
  let reached = nothing;
  try {
    for await (const next of stepsOf(run, hub, index)) reached = next;
    return { ...reached, effects: effectsOf(request) };
  } catch (thrown) {
    if (isCancelledStop(thrown)) throw thrown;
    return { ...reached, end: 'failed', error: toErrorRecord(thrown), effects: effectsOf(request) };
  }
}

function effectsOf({ dryRun }: AgentRequest): readonly DryEffect[] {
  return dryRun?.effects() ?? [];
}

/** Yields the state after each step. If a step throws, the previous state remains. */
async function* stepsOf(run: AgentRun, hub: Hub, wanted: number): AsyncGenerator<AgentPreview> {
  const { doc, clock } = run.request;
  const { signal } = run.request.scope;
  const start = await runBeforeAll(run, { hub, signal });
  if (start.kind === 'redo') yield { ...nothing, end: 'redo' };
  if (start.kind === 'skip') yield { ...nothing, end: 'skipped', reason: start.reason };
  const inputs = start.kind === 'value' ? inputsToRun(start.inputs, doc) : null;
  if (start.kind !== 'value' || inputs === null) return;
  const index = Math.min(wanted, inputs.length - 1);
  const input = inputs[index] ?? null;
  const known = { ...nothing, inputNames: namesOf(inputs), inputCount: inputs.length, index, input };
  yield known;
  const place: StageContext = { hub: hub.scoped({ task: { id: `input:${index}` } }), signal, index };
  const startedAt = clock.now();
  const prepared = await prepareInput(run, { index, input, beforeAll: start.beforeAll, options: start.options }, place);
  const dataMs = elapsedSince(startedAt, clock);
  if (prepared.kind === 'skip') {
    yield { ...known, end: 'skipped', reason: prepared.reason, dataMs };
    return;
  }
  if (prepared.kind === 'ask') {
    yield { ...known, end: 'waiting', reason: prepared.request.title, dataMs };
    return;
  }
  const withData = { ...known, data: prepared.data, dataMs, ...modelIn(prepared.options) };
  yield withData;
  const { messages, prompts, values: scope } = await messagesOf(run, prepared, place);
  const { templates } = run.request.capabilities;
  const contents = prompts.map(({ content }) => content);
  const places = await filledPlaces(contents, doc.prompts, { scope, templates });
  const shown = messages.map(
    ({ role, content, cache, attachments = [] }, at): PreviewMessage => ({
      role,
      content,
      isCached: cache === true,
      attachments: attachments.map(({ fileName }) => fileName),
      // The prompts follow the attachments.
      filled: places[at - (messages.length - prompts.length)] ?? [],
    }),
  );
  yield { ...withData, end: shown.length === 0 ? 'silent' : 'asked', messages: shown };
}

function namesOf(inputs: readonly JsonValue[]): string[] {
  return inputs.slice(0, maxPreviewNames).map((input, index) => inputLabelOf(input) ?? `Input ${index + 1}`);
}

function modelIn(options: Parameters<typeof modelOf>[0]): Pick<AgentPreview, 'model'> {
  const resolved = modelOf(options);
  const { model: name } = options;
  return name === undefined || resolved === undefined ? {} : { model: { name, resolved } };
}

/** A range in a message in UTF-16 units, from 0; the end is exclusive. */
interface FilledSpan {
  readonly start: number;
  readonly end: number;
}

/** Two private-use characters. If values contain them, no positions are reported. */
const [open, close] = ['\uE0F0', '\uE0F1'];

/** A tag that prints a value: not a block, a block end, a comment or a tag that trims white space. */
const printing = /\{\{\{[^{}~]+\}\}\}|\{\{(?![#/^!>~]|\s*else\b)[^{}~]+\}\}/g;

/**
 * Fills the prompts again with marks around all printed values. If a part then differs from `filled`, its positions
 * are omitted because they would be wrong.
 * @param filled message contents in the order of the parts, without blank parts
 */
export async function filledPlaces(
  filled: readonly string[],
  parts: readonly PromptPart[],
  world: { readonly scope: PromptScope; readonly templates: TemplatesCapability },
): Promise<readonly (readonly FilledSpan[])[]> {
  const marked: string[] = [];
  for (const part of parts) {
    const content = await markedContent(part, world);
    if (content !== null && withoutMarks(content).trim() !== '') marked.push(content);
  }
  return filled.map((content, index) => {
    const places = placesOf(marked[index] ?? '');
    return withoutMarks(marked[index] ?? '') === content ? places : [];
  });
}

async function markedContent(
  { content, ...part }: PromptPart,
  { scope, templates }: { readonly scope: PromptScope; readonly templates: TemplatesCapability },
): Promise<string | null> {
  const withMarks = content.replace(printing, (tag) => `${open}${tag}${close}`);
  try {
    const { messages } = await renderMessages([{ ...part, content: withMarks }], scope, templates);
    return messages[0]?.content ?? null;
  } catch {
    // The marks change the meaning of a tag that could be filled without them.
    return content;
  }
}

function withoutMarks(content: string): string {
  return content.replaceAll(open, '').replaceAll(close, '');
}

/** Returns positions in the text without marks. Empty values have no positions. */
function placesOf(content: string): readonly FilledSpan[] {
  const places: FilledSpan[] = [];
  let at = 0;
  let start: number | null = null;
  for (const piece of content.split(/([\uE0F0\uE0F1])/)) {
    if (piece === open) start = at;
    else if (piece !== close) at += piece.length;
    else if (start !== null && start < at) places.push({ start, end: at });
  }
  return places;
}
