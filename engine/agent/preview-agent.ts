/**
 * What an agent would ask its model about one input. Runs Before All and Data and fills the prompts, as a dry run does,
 * and leaves no trace: it is no run of its own.
 */
import { elapsedSince } from '../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isCancelledStop } from '../kernel/cancel-scope.ts';
import type { DryEffect, TemplatesCapability } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import { RunAsks } from '../kernel/run-asks.ts';
import { Spending } from '../kernel/spending.ts';
import type { PromptPart } from './agent-doc.ts';
import { modelOf } from './agent-options.ts';
import type { AgentRequest, AgentRun } from './agent-request.ts';
import { runContextOf, type StageContext } from './agent-stage.ts';
import { messagesOf } from './ask-for-input.ts';
import { inputsToRun, runBeforeAll } from './before-all.ts';
import { inputLabelOf } from './input-label.ts';
import { type PromptScope, renderMessages } from './prompt-messages.ts';
import { prepareInput } from './run-input.ts';

/** A message as the model would get it. */
interface PreviewMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** The provider would be asked to keep everything up to its end. */
  readonly isCached: boolean;
  /** Names of the files that go with it. */
  readonly attachments: readonly string[];
  /** Where values stand that were filled in, as far as that is known; absent = it is not. */
  readonly filled?: readonly FilledSpan[];
}

/** How far a preview came. */
export interface AgentPreview {
  /**
   * `asked`: there are messages. `silent`: no prompt is left, so no model would be asked. `skipped` and `redo`: a script
   * said so. `waiting`: Data asks a person first. `idle`: the agent does nothing for any input. `failed`: `error` says why.
   */
  readonly end: 'asked' | 'silent' | 'skipped' | 'waiting' | 'redo' | 'idle' | 'failed';
  /** With `stage` and, for scripts and prompts, the `line` of the file. */
  readonly error?: ErrorRecord;
  /** Why a script skipped, which may be empty; or what it asks. */
  readonly reason?: string;
  /** What the inputs are called, in their order; at most `maxPreviewNames` of them. */
  readonly inputNames: readonly string[];
  readonly inputCount: number;
  /** The input that is shown, from 0. */
  readonly index: number;
  /** As Data gets it. */
  readonly input: JsonValue;
  /** What Data has returned; null = nothing, or it did not come so far. */
  readonly data: JsonValue;
  /** Milliseconds that Data took. */
  readonly dataMs: number;
  /** As it is set, and as it is when aliases are resolved; absent = none is set. */
  readonly model?: { readonly name: string; readonly resolved: string };
  readonly messages: readonly PreviewMessage[];
  /** What a run would have done outside until then: files that it would change, and commands and requests that were left out. */
  readonly effects: readonly DryEffect[];
}

/** Names of inputs that a preview holds at most. */
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
 * Previews one input of an agent; expected failures are part of the result.
 * @param request with `dry: 'req'` and the dry run that its scripts have in place of effects
 * @param hub where scripts emit; nobody needs to listen
 * @param index of the input, from 0; the last one for a higher number
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

/** What is known after each step; one that throws leaves what the former ones gave. */
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
      // The prompts stand behind what is attached.
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

/** UTF-16 units of a message, from 0; the end is not included. */
interface FilledSpan {
  readonly start: number;
  readonly end: number;
}

/** Two signs for private use. Where the values have them as well, no places are reported. */
const [open, close] = ['\uE0F0', '\uE0F1'];

/** A tag that prints something; neither a block, nor its end, nor a comment, nor one that takes blanks away. */
const printing = /\{\{\{[^{}~]+\}\}\}|\{\{(?![#/^!>~]|\s*else\b)[^{}~]+\}\}/g;

/**
 * Fills the prompts once more, with marks around all that is printed. A part for which that gives another text than `filled`
 * has no places: nothing is reported rather than something wrong.
 * @param filled the contents of the messages, in the order of the parts; those of blank parts are left out
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
    // A tag in a place where marks change what it means; without them it could be filled.
    return content;
  }
}

function withoutMarks(content: string): string {
  return content.replaceAll(open, '').replaceAll(close, '');
}

/** Places in the text without marks. Values that are empty have none. */
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
