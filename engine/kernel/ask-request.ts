/**
 * Questions before they are asked: what can be shown to a person, how equal ones are known, and how the log tells of them.
 */
import type { PermissionNeed } from '../base/consent.ts';
import { EngineError } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { isMap } from './answer-fields.ts';
import { type Ask, type AskRequest, canonicalText } from './ask.ts';
import { deadlineProblemOf, withoutDeadline } from './ask-deadline.ts';
import type { ResumePoint } from './resume-point.ts';
import type { SuspendReason, SuspensionRequest } from './run-event.ts';

/** In UTF-16 units. */
const longestKey = 200;
const longestTitle = 2000;
/** Of a whole request, as JSON text. */
export const mostRequestBytes = 1024 * 1024;

/** Key of the schema of a question that no person is asked, but the conversation that the run is for: it goes on when that says so. */
export const askedOfConversation = 'x-asked-of-conversation';

/** Returns the permissions that a request waits for, which no answer gives; undefined for any other request. */
export function permissionOf(request: AskRequest): readonly PermissionNeed[] | undefined {
  return request.kind === 'approval' ? request.permission : undefined;
}

/** What is said of a run that waits for an answer. */
function reasonOf(request: AskRequest | undefined): SuspendReason {
  if (request?.kind !== 'input') return request?.permission === undefined ? 'approval' : 'permission';
  return request.schema[askedOfConversation] === true ? 'turn' : 'user_input';
}

/** What a request lacks that people and programs need; undefined when there is nothing. */
function problemOf(key: unknown, request: JsonMap): string | undefined {
  const { kind, title, schema } = request;
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    return `its key has to be a text of 1 to ${longestKey} characters`;
  }
  if (kind !== 'approval' && kind !== 'input') return 'its kind is neither approval nor input';
  if (request['permission'] !== undefined) return 'only Millrace itself asks for a permission';
  if (typeof title !== 'string' || title.trim() === '' || title.length > longestTitle) {
    return `its title has to be a text of 1 to ${longestTitle.toLocaleString('en')} characters`;
  }
  const isMap = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  return kind === 'input' && !isMap ? 'it asks for values and has no schema of them' : deadlineProblemOf(request);
}

/**
 * Takes JSON as a request.
 * @param asker begins the message when it cannot be one: `The node`
 * @throws EngineError `ask.bad-request`
 */
export function requestFrom(key: unknown, given: JsonValue, asker: string): AskRequest {
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given);
  const problem = problemOf(key, isMap ? (given as JsonMap) : {});
  if (problem !== undefined) throw badRequest(problem, asker);
  return given as unknown as AskRequest;
}

/** A request that cannot be shown to a person. @param problem completes the sentence after a colon */
export function badRequest(problem: string, asker: string): EngineError {
  const message = `${asker} asks a person in a way that cannot be shown: ${problem}.`;
  return new EngineError({ code: 'ask.bad-request', message });
}

/** A key that was used twice. @param asker begins the message: `The node` */
export function duplicateKey(key: string, asker: string): EngineError {
  const message = `${asker} asks twice under the key "${key}". Give each question a key of its own.`;
  return new EngineError({ code: 'ask.duplicate-key', message });
}

/**
 * Text by which equal requests are known. Until when there is time for an answer does not make one request another.
 * @param place tells apart equal requests of which each is to be answered for itself; absent = there is one place only
 */
export function textOfRequest(request: AskRequest, place?: JsonValue): string {
  const text = canonicalText(withoutDeadline(request) as unknown as JsonValue);
  return place === undefined ? text : `${text}\n${canonicalText(place)}`;
}

/** Of the arguments of a tool, in characters; the form for the answer shows all of them. */
const longestArguments = 200;

/** Returns the request in one line for lists and messages: of a call of a tool also the tool, its risk and its arguments. */
export function lineOfRequest(request: AskRequest): string {
  const facts = toolFactsOf(request, longestArguments);
  return facts === undefined ? request.title : `${request.title} ${facts}`;
}

/**
 * Returns what a request about a tool says beside its title: `files.write, high risk, with {"path":"a.txt"}`. Undefined when it is about
 * no tool.
 * @param mostArguments characters
 */
export function toolFactsOf(request: AskRequest, mostArguments: number): string | undefined {
  if (request.kind !== 'approval' || !isMap(request.action)) return undefined;
  const { tool, risk, source, params = request.params } = request.action;
  if (typeof tool !== 'string') return undefined;
  const isNamed = source === 'core' || (typeof source === 'string' && tool.startsWith(`${source}.`));
  const facts = [
    ...(request.title.includes(tool) ? [] : [tool]),
    ...(typeof source !== 'string' || isNamed ? [] : [`from ${source}`]),
    ...(typeof risk === 'string' ? [`${risk} risk`] : []),
    ...(params === undefined ? [] : [`with ${argumentsText(params, mostArguments)}`]),
  ];
  return facts.join(', ');
}

function argumentsText(params: JsonValue, most: number): string {
  // Stored apart because it is large; see `ValueHandle`.
  if (isMap(params) && typeof params['$value'] === 'string') return 'arguments that are too long for a line';
  const text = JSON.stringify(params);
  return text.length <= most
    ? text
    : `${text.slice(0, most)}… (${(text.length - most).toLocaleString('en')} more characters)`;
}

function oldestOf(asks: readonly Ask[]): Ask | undefined {
  return [...asks].sort((a, b) => a.askedAt - b.askedAt)[0];
}

/** What is said of somebody who waits for answers to all of this: the oldest. */
export function suspensionFor(asks: readonly Ask[]): SuspensionRequest {
  const { request } = oldestOf(asks) ?? {};
  return { reason: reasonOf(request), message: request === undefined ? '' : lineOfRequest(request) };
}

/** Why somebody waits who has asked all of this, and since when, in epoch milliseconds; empty when all is answered. */
export function waitFor(asks: readonly Ask[]): { readonly reason?: SuspendReason; readonly since?: number } {
  const oldest = oldestOf(asks.filter(({ answer }) => answer === undefined));
  return oldest === undefined ? {} : { reason: reasonOf(oldest.request), since: oldest.askedAt };
}

interface OldestAsk {
  /** Full name of who asks, below the runs that were given. */
  readonly name: string;
  readonly reason: SuspendReason;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** What waits longest for an answer in runs that were called, as far as they have no end. */
export function oldestAskIn(runs: readonly ResumePoint[]): OldestAsk | undefined {
  const all = runs.flatMap(({ end, open, calls }): readonly OldestAsk[] => {
    if (end !== undefined) return [];
    const own = [...open].flatMap(([name, { asks }]): readonly OldestAsk[] => {
      const { reason, since } = waitFor([...asks.values()]);
      return reason === undefined || since === undefined ? [] : [{ name, reason, since }];
    });
    const below = [...calls].flatMap(([task, called]): readonly OldestAsk[] => {
      const oldest = oldestAskIn(called);
      return oldest === undefined ? [] : [{ ...oldest, name: `${task}/${oldest.name}` }];
    });
    return [...own, ...below];
  });
  return all.sort((a, b) => a.since - b.since)[0];
}
