/**
 * Builds the flows in which policies run: a single node with a prompt for a skill or question, or with an agent or
 * script.
 */
import { posix } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { Hook } from '../catalog/base-flow.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { type ModelQuestion, notes, transcript } from '../meaning/slot-prompt.ts';
import type { FlowInstance, SessionState } from '../session/session-state.ts';
import { skillResultSchema } from '../session/skill-result.ts';
import type { HeldCatalogue } from './conversation-world.ts';
import { skillFlow } from './skill-flow.ts';

/** Metadata key of a flow, and policy input, that contains what the person has confirmed. */
export const confirmedKey = 'confirmed';

/** A definition and its inputs. */
export interface PolicyRun {
  /** Name shown in run lists. */
  readonly path: string;
  readonly text: string;
  readonly inputs: JsonMap;
}

/** A flow policy to run, and its context. */
export interface PolicyTask {
  readonly state: SessionState;
  readonly flow: FlowInstance;
  readonly type: FlowType;
  readonly held: HeldCatalogue;
  readonly readText: (path: string) => Promise<string>;
}

/** Resolves a path in a catalog relative to the workspace. @throws EngineError `files.outside` */
export function pathIn(cataloguePath: string, named: string): string {
  const path = posix.normalize(posix.join(posix.dirname(cataloguePath), named.replaceAll('\\', '/')));
  const isOutside = posix.isAbsolute(named) || path === '..' || path.startsWith('../');
  if (!isOutside) return path;
  throw new EngineError({
    code: 'files.outside',
    message: `${cataloguePath} refers to ${named}, which is outside the workspace. Choose a file in the workspace.`,
  });
}

/** Builds the run of a flow's policy. @throws EngineError `files.*` */
export async function policyRun(task: PolicyTask): Promise<PolicyRun> {
  const { type, held } = task;
  const { policy } = type;
  if ('flow' in policy) {
    const path = pathIn(held.path, policy.flow);
    const text = await task.readText(path);
    return { path, text, inputs: acceptedInputs(text, { ...confirmedValue(task), ...slotValues(task) }) };
  }
  if ('agent' in policy) {
    const node = { id: 'agent', type: 'agent', input: { agent: policy.agent, inputs: ['{{flow.input.task}}'] } };
    return { path: held.path, text: flowText(type.name, node), inputs: { task: taskInput(task) } };
  }
  if ('skill' in policy) return skillRun(task, await skillText(task));
  return chatRun(task);
}

/**
 * Returns the instructions of a skill without front matter; empty if the policy is not a skill. @throws EngineError
 * `files.*`
 */
export async function skillText({ type: { policy }, held, readText }: PolicyTask): Promise<string> {
  if (!('skill' in policy)) return '';
  const path = pathIn(held.path, policy.skill);
  const text = await readText(path.endsWith('.md') ? path : posix.join(path, 'SKILL.md'));
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trim();
}

/** Builds a run of a plan policy that asks a model one question. @param skill instructions before the question */
export function questionRun({ type, held }: PolicyTask, question: ModelQuestion, skill: string): PolicyRun {
  const [system, ...said] = question.messages;
  const prompt = said.map(({ content }) => content).join('\n\n');
  const config = { ...modelOf(held), output: { schema: question.schema } };
  const words = [skill, system?.content ?? ''].filter((part) => part !== '').join('\n\n');
  return { path: held.path, text: promptText(type.name, config), inputs: { system: words, prompt } };
}

/** Builds the run of a hook at a point of a turn. @throws EngineError `files.*` */
export async function hookRun(
  hook: Hook,
  given: JsonMap,
  { held, readText, name }: Pick<PolicyTask, 'held' | 'readText'> & { readonly name: string },
): Promise<PolicyRun> {
  if ('agent' in hook) {
    const node = { id: 'agent', type: 'agent', input: { agent: hook.agent, inputs: ['{{flow.input.given}}'] } };
    return { path: held.path, text: flowText(name, node), inputs: { given } };
  }
  const code = await readText(pathIn(held.path, hook.script));
  const type = hook.script.endsWith('.js') || hook.script.endsWith('.mjs') ? 'script.js' : 'script.lua';
  const node = { id: 'script', type, input: { given: '{{flow.input.given}}' }, config: { code } };
  return { path: held.path, text: flowText(name, node), inputs: { given } };
}

function skillRun(task: PolicyTask, skill: string): PolicyRun {
  const { type, held, state, flow } = task;
  const tools = type.tools.length === 0 ? {} : { tools: [...type.tools] };
  const config = { ...modelOf(held), ...tools, output: { schema: skillResultSchema(type.output) } };
  const prompt = [
    `Task: ${type.name}. ${type.description}`.trim(),
    `Given: ${JSON.stringify(slotValues(task))}`,
    ...(flow.stage === '' ? [] : [`So far: ${flow.stage}`]),
    ...foundByOthers(flow),
    ...confirmedWords(flow),
    transcript(state.messages),
    notes(state.scratchpad),
  ].join('\n\n');
  return {
    path: held.path,
    text: skillFlow(type.name, config),
    inputs: { system: `${skill}\n\n${resultWords}`, prompt },
  };
}

const resultWords = [
  'Respond with one JSON object and nothing else, with outcome as one of:',
  '- success, with your result as data and up to five short sentences about it as scratchpad_entries;',
  '- failure, with error_category and message;',
  '- uncertain, with reason and context, if something must be known or done first. If another flow must run before this one, name it: stack_on: { flow, slots }.',
].join('\n');

function confirmedWords({ metadata }: FlowInstance): readonly string[] {
  const { [confirmedKey]: confirmed } = metadata;
  return confirmed === undefined ? [] : [`Confirmed by the user: ${JSON.stringify(confirmed)}`];
}

/** Returns the results of the flows that were stacked on this one. */
function foundByOthers({ metadata }: FlowInstance): readonly string[] {
  const { found } = metadata;
  return found === undefined ? [] : [`Results of other flows: ${JSON.stringify(found)}`];
}

function chatRun({ type, held, state }: PolicyTask): PolicyRun {
  const { description, name } = held.catalogue;
  const system = [
    'Reply to the last message of the user in a few sentences, in their language.',
    ...(name === '' ? [] : [`You are: ${name}. ${description}`.trim()]),
  ].join('\n');
  return {
    path: held.path,
    text: promptText(type.name, modelOf(held)),
    inputs: { system, prompt: `${transcript(state.messages)}\n\n${notes(state.scratchpad)}` },
  };
}

function modelOf({ catalogue: { model } }: HeldCatalogue): { readonly model?: string } {
  return model === undefined ? {} : { model };
}

/** Builds a prompt flow. Text is passed as inputs, so that braces in it are not parsed as bindings. */
function promptText(name: string, config: JsonMap): string {
  const input = { system: '{{flow.input.system}}', prompt: '{{flow.input.prompt}}' };
  return flowText(name, { id: 'prompt', type: 'prompt', input, config });
}

function flowText(name: string, node: JsonMap): string {
  return JSON.stringify({ flow: { name }, nodes: [node], edges: [] }, null, 2);
}

/** Returns what the person has confirmed for the policy, as an input. */
function confirmedValue({ flow: { metadata } }: PolicyTask): JsonMap {
  const { [confirmedKey]: confirmed } = metadata;
  return confirmed === undefined ? {} : { [confirmedKey]: confirmed };
}

function slotValues({ flow, type }: PolicyTask): JsonMap {
  return new type.Flow(flow).slotValues();
}

function taskInput(task: PolicyTask): JsonMap {
  const { state, flow } = task;
  return {
    flow: flow.flowName,
    slots: slotValues(task),
    metadata: flow.metadata,
    messages: state.messages.map((message) => ({ ...message })),
    notes: state.scratchpad.map(({ flowName, text }) => ({ flow: flowName, text })),
  };
}

/** Returns only the inputs that a flow declares, because others would be rejected. */
function acceptedInputs(text: string, slots: JsonMap): JsonMap {
  const declared: JsonValue | undefined = parseFlow(text).doc?.flow.inputs as unknown as JsonValue | undefined;
  if (!isJsonMap(declared ?? null)) return slots;
  return Object.fromEntries(Object.entries(slots).filter(([name]) => Object.hasOwn(declared as JsonMap, name)));
}
