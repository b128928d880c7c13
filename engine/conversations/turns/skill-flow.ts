/**
 * The flow that runs a skill, and what its run stores. A prompt responds with a result, or names a flow that has to run first. In that
 * case, the run waits for the result of that flow and sends the prompt again.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { AskRequest } from '../../runtime/kernel/requests/ask.ts';
import { conversationRequestKey } from '../../runtime/kernel/requests/ask-request.ts';

/** IDs of the nodes. */
export const skillNodes = { first: 'prompt', need: 'needs', last: 'again' } as const;

/** The response of a prompt node. */
interface PromptOutput extends JsonMap {
  readonly value: JsonValue;
}

/** Names the flow in a response that has to run first. */
interface NeedingResponse extends JsonMap {
  readonly stack_on: { readonly flow: string; readonly slots?: JsonMap };
  readonly reason?: string;
}

/** The outputs of the run: the first response, and the response after another flow had to run. */
interface SkillOutputs extends JsonMap {
  readonly said: JsonValue;
  readonly again: JsonValue;
}

/** Another flow that has to run before the skill can continue. */
export interface Need {
  readonly flow: string;
  readonly slots: JsonMap;
  readonly reason: string;
}

/** Builds the text of the flow. @param config of its prompts */
export function skillFlow(name: string, config: JsonMap): string {
  const { first, need, last } = skillNodes;
  const input = { system: '{{flow.input.system}}', prompt: '{{flow.input.prompt}}' };
  const prompt = `{{flow.input.prompt}}\n\nResult of the flow you requested: {{${need}.values.found}}`;
  const schema = { type: 'object', properties: { found: {} }, [conversationRequestKey]: true };
  const nodes = [
    { id: first, type: 'prompt', input, config },
    { id: need, type: 'user_input', input: { title: 'Another flow must run first', schema } },
    { id: last, type: 'prompt', input: { ...input, prompt }, config },
  ];
  const edges = [
    { from: first, to: need, when: { exists: `${first}.value.stack_on.flow` } },
    { from: need, to: last, when: { exists: `${need}.values` } },
  ];
  const outputs: SkillOutputs = { said: `{{${first}.value}}`, again: `{{?${last}.value}}` };
  return JSON.stringify({ flow: { name, outputs }, nodes, edges }, null, 2);
}

/** Returns whether a node waits for another flow. */
export function isNeed({
  name,
  request,
}: {
  readonly name: string;
  readonly request?: AskRequest | undefined;
}): boolean {
  return name === skillNodes.need && request?.kind === 'input' && request.schema[conversationRequestKey] === true;
}

/** Returns the flow that the first response names, if it names one. @param output of the node `skillNodes.first` */
export function neededFlow(output: JsonValue | undefined): Need | undefined {
  const { value } = mapOf<PromptOutput>(output);
  const { stack_on, reason } = mapOf<NeedingResponse>(value);
  const { flow, slots = {} } = mapOf<NeedingResponse['stack_on']>(stack_on);
  if (typeof flow !== 'string') return undefined;
  return { flow, slots: isJsonMap(slots) ? slots : {}, reason: typeof reason === 'string' ? reason : '' };
}

/** Returns the answer to the node `skillNodes.need`. @param found result of the other flow */
export function answerOfNeed(found: JsonValue): JsonMap {
  return { values: { found } };
}

/** Returns the last response of a completed run. @param outputs of the run */
export function lastResponse(outputs: JsonValue): JsonValue {
  if (!isJsonMap(outputs)) return outputs;
  const { said = null, again = null } = mapOf<SkillOutputs>(outputs);
  return isJsonMap(again) ? again : said;
}

/** Responses and stored outputs may have any shape, so each member is checked when it is read. */
function mapOf<Shape extends JsonMap>(value: JsonValue | undefined): Partial<Shape> {
  return isJsonMap(value ?? null) ? (value as Partial<Shape>) : {};
}
