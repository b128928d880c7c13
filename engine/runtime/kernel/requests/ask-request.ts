/**
 * Prepares requests before they are made: validates that they can be shown to a person, identifies identical requests,
 * and formats them for the log.
 */
import type { PermissionNeed } from '../../../base/consent.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { SuspendReason, SuspensionRequest } from '../events/run-event.ts';
import type { ResumePoint } from '../resume/resume-point.ts';
import { isMap } from './answer-fields.ts';
import { type Ask, type AskRequest, canonicalText } from './ask.ts';
import { deadlineProblemOf, withoutDeadline } from './ask-deadline.ts';

/** Maximum length in UTF-16 units. */
const longestKey = 200;
const longestTitle = 2000;
/** Maximum size of a request as JSON, in bytes. */
export const mostRequestBytes = 1024 * 1024;

/**
 * Schema key of a request to the run's conversation instead of a person. The run continues when the conversation
 * decides that it should.
 */
export const conversationRequestKey = 'x-asked-of-conversation';

/** Returns the permissions that a request waits for, which no answer can grant; undefined for other requests. */
export function permissionOf(request: AskRequest): readonly PermissionNeed[] | undefined {
  return request.kind === 'approval' ? request.permission : undefined;
}

/** Returns the suspend reason of a run that waits for an answer. */
function reasonOf(request: AskRequest | undefined): SuspendReason {
  if (request?.kind !== 'input') return request?.permission === undefined ? 'approval' : 'permission';
  return request.schema[conversationRequestKey] === true ? 'turn' : 'user_input';
}

/** Returns what is missing in a request; undefined if the request is valid. */
function problemOf(key: unknown, request: JsonMap): string | undefined {
  const { kind, title, schema } = request;
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    return `its key must be a string of 1 to ${longestKey} characters`;
  }
  if (kind !== 'approval' && kind !== 'input') return 'its kind must be approval or input';
  if (request['permission'] !== undefined) return 'only Millrace itself can request a permission';
  if (typeof title !== 'string' || title.trim() === '' || title.length > longestTitle) {
    return `its title must be a string of 1 to ${longestTitle.toLocaleString('en')} characters`;
  }
  const isMap = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  return kind === 'input' && !isMap ? 'it requests values but has no schema for them' : deadlineProblemOf(request);
}

/**
 * Converts JSON to a request.
 * @param asker start of the message if it is invalid: `The node`
 * @throws EngineError `ask.bad-request`
 */
export function requestFrom(key: unknown, given: JsonValue, asker: string): AskRequest {
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given);
  const problem = problemOf(key, isMap ? (given as JsonMap) : {});
  if (problem !== undefined) throw badRequest(problem, asker);
  return given as unknown as AskRequest;
}

/**
 * Creates the error for a request that cannot be shown to a person. @param problem continuation of the sentence after a
 * colon
 */
export function badRequest(problem: string, asker: string): EngineError {
  const message = `${asker} sent an invalid request to a person: ${problem}.`;
  return new EngineError({ code: 'ask.bad-request', message });
}

/** Creates the error for a key that was used twice. @param asker start of the message: `The node` */
export function duplicateKey(key: string, asker: string): EngineError {
  const message = `${asker} uses the key "${key}" for two questions. Give each question its own key.`;
  return new EngineError({ code: 'ask.duplicate-key', message });
}

/**
 * Returns text that is the same for equal requests. Ignores the deadline.
 * @param place distinguishes equal requests that need separate answers; absent if there is only one place
 */
export function textOfRequest(request: AskRequest, place?: JsonValue): string {
  const text = canonicalText(withoutDeadline(request) as unknown as JsonValue);
  return place === undefined ? text : `${text}\n${canonicalText(place)}`;
}

/** Maximum number of characters of a tool's arguments. The answer form shows all of them. */
const longestArguments = 200;

/**
 * Returns the request on one line for lists and messages; for a tool call, includes the tool, its risk and its
 * arguments.
 */
export function lineOfRequest(request: AskRequest): string {
  const facts = toolFactsOf(request, longestArguments);
  return facts === undefined ? request.title : `${request.title} ${facts}`;
}

/**
 * Returns a request's information about a tool, except its title: `files.write, high risk, with {"path":"a.txt"}`.
 * Undefined if the request does not concern a tool.
 * @param mostArguments maximum number of characters
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
  // Stored separately because of its size; see `ValueHandle`.
  if (isMap(params) && typeof params['$value'] === 'string') return 'arguments that are too long for one line';
  const text = JSON.stringify(params);
  return text.length <= most
    ? text
    : `${text.slice(0, most)}… (${(text.length - most).toLocaleString('en')} more characters)`;
}

function oldestOf(asks: readonly Ask[]): Ask | undefined {
  return [...asks].sort((a, b) => a.askedAt - b.askedAt)[0];
}

/** Returns the suspension for open requests, based on the oldest request. */
export function suspensionFor(asks: readonly Ask[]): SuspensionRequest {
  const { request } = oldestOf(asks) ?? {};
  return { reason: reasonOf(request), message: request === undefined ? '' : lineOfRequest(request) };
}

/** Returns why a node with these requests waits, and since when, in epoch milliseconds; empty if all are answered. */
export function waitFor(asks: readonly Ask[]): { readonly reason?: SuspendReason; readonly since?: number } {
  const oldest = oldestOf(asks.filter(({ answer }) => answer === undefined));
  return oldest === undefined ? {} : { reason: reasonOf(oldest.request), since: oldest.askedAt };
}

interface OldestAsk {
  /** Full name of the requesting node, relative to the given runs. */
  readonly name: string;
  readonly reason: SuspendReason;
  /** Time of the request, in epoch milliseconds. */
  readonly since: number;
}

/** Returns the request that has waited longest in child runs that have not ended. */
export function oldestOpenRequest(runs: readonly ResumePoint[]): OldestAsk | undefined {
  const all = runs.flatMap(({ end, open, calls }): readonly OldestAsk[] => {
    if (end !== undefined) return [];
    const own = [...open].flatMap(([name, { asks }]): readonly OldestAsk[] => {
      const { reason, since } = waitFor([...asks.values()]);
      return reason === undefined || since === undefined ? [] : [{ name, reason, since }];
    });
    const below = [...calls].flatMap(([task, called]): readonly OldestAsk[] => {
      const oldest = oldestOpenRequest(called);
      return oldest === undefined ? [] : [{ ...oldest, name: `${task}/${oldest.name}` }];
    });
    return [...own, ...below];
  });
  return all.sort((a, b) => a.since - b.since)[0];
}
