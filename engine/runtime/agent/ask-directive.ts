/**
 * Parses the result of `aip.flow.ask`, a script's question to a person, into a request.
 */

import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { schemaProblems } from '../../language/schema/json-schema.ts';
import type { AskRequest } from '../kernel/requests/ask.ts';
import { badRequest, requestFrom } from '../kernel/requests/ask-request.ts';

/** Makes the stage ask a person and run again once there is an answer. */
export interface AskDirective {
  readonly kind: 'ask';
  readonly key: string;
  readonly request: AskRequest;
  /** Whether the script handles a rejection itself. Otherwise, a rejection fails the input. */
  readonly goesOnRejected: boolean;
}

/** Subject of error messages about invalid requests. */
export const asker = 'The agent';

type FieldCheckKind = 'text' | 'texts' | 'map' | 'any' | readonly string[];

interface FieldRule {
  /** Field name in requests. */
  readonly field: string;
  readonly check: FieldCheckKind;
  /** The only request kind with this field; absent if both kinds have it. */
  readonly of?: AskRequest['kind'];
}

/** Rules by the field names used in scripts. Deadlines are validated with the complete request. */
const rules: Readonly<Record<string, FieldRule>> = {
  message: { field: 'message', check: 'text' },
  deadline_ms: { field: 'deadlineMs', check: 'any' },
  deadline_at: { field: 'deadlineAt', check: 'any' },
  on_deadline: { field: 'onDeadline', check: 'any' },
  action: { field: 'action', check: 'any', of: 'approval' },
  diff: { field: 'diff', check: 'text', of: 'approval' },
  asked_by: { field: 'askedBy', check: 'text', of: 'approval' },
  recommended: { field: 'recommended', check: ['approve', 'reject'], of: 'approval' },
  notes: { field: 'notes', check: 'texts', of: 'approval' },
  params: { field: 'params', check: 'map', of: 'approval' },
  schema: { field: 'schema', check: 'map', of: 'input' },
  defaults: { field: 'defaults', check: 'map', of: 'input' },
};

const steering = ['key', 'kind', 'title', 'on_reject'];
const known = [...steering, ...Object.keys(rules)];

/**
 * Parses the table of `aip.flow.ask`. Unless `kind` is set, a table with a schema asks for values, and a table without
 * one asks for an approval.
 * @param agent name of the agent, used if the script does not name a sender
 * @throws EngineError `ask.bad-request`
 */
export function readAsk(data: JsonValue | undefined, agent: string): AskDirective {
  if (!isJsonMap(data)) throw refused('aip.flow.ask needs a table with key and title');
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw refused(`"${unknown}" is not a known field.${didYouMean(unknown, known)}`);
  const { key, title, on_reject: onReject, kind = given['schema'] === undefined ? 'approval' : 'input' } = given;
  if (kind !== 'approval' && kind !== 'input') throw refused('kind must be "approval" or "input"');
  if (kind === 'input' && given['schema'] === undefined) throw refused('it requests values but has no schema for them');
  const isChoice = onReject === undefined || onReject === 'fail' || onReject === 'continue';
  if (!isChoice || (onReject !== undefined && kind === 'input')) {
    throw refused('on_reject must be "fail" or "continue", and is only for approvals');
  }
  const who = kind === 'approval' ? { askedBy: agent } : {};
  const request = requestFrom(key, { kind, title: title ?? null, ...who, ...fieldsOf(given, kind) }, asker);
  return { kind: 'ask', key: String(key), request, goesOnRejected: onReject === 'continue' };
}

function fieldsOf(given: JsonMap, kind: AskRequest['kind']): JsonMap {
  const entries = Object.entries(rules).flatMap(([name, { field, check, of = kind }]): [string, JsonValue][] => {
    const value = given[name];
    if (value === undefined) return [];
    if (of !== kind) throw refused(`"${name}" is only for requests of kind "${of}"`);
    const problem = problemOf(name, value, check);
    if (problem !== undefined) throw refused(problem);
    return [[field, asList(value, check)]];
  });
  return Object.fromEntries(entries);
}

interface Rule {
  readonly fits: (value: JsonValue) => boolean;
  /** Completes an error message that begins with the field name. */
  readonly otherwise: string;
}

const checks: Readonly<Record<Exclude<FieldCheckKind, readonly string[]>, Rule>> = {
  any: { fits: () => true, otherwise: '' },
  text: { fits: (value) => typeof value === 'string', otherwise: 'must be text' },
  texts: {
    fits: (value) => isJsonList(value) && value.every((one) => typeof one === 'string'),
    otherwise: 'must be a list of strings',
  },
  map: { fits: isJsonMap, otherwise: 'must be a table with names' },
};

function problemOf(name: string, value: JsonValue, check: FieldCheckKind): string | undefined {
  if (typeof check !== 'string') {
    return check.includes(String(value)) ? undefined : `${name} must be one of ${check.join(', ')}`;
  }
  const { fits, otherwise } = checks[check];
  if (!fits(asList(value, check))) return `${name} ${otherwise}`;
  return name === 'schema' ? schemaProblem(value as JsonMap) : undefined;
}

/** Lua cannot distinguish an empty list from an empty table. */
function asList(value: JsonValue, check: FieldCheckKind): JsonValue {
  return check === 'texts' && isJsonMap(value) && Object.keys(value).length === 0 ? [] : value;
}

/** A form requires a map schema with a property for each field. */
function schemaProblem(schema: JsonMap): string | undefined {
  const { properties } = schema;
  if (!isJsonMap(properties ?? null)) return 'schema has no properties: a form needs one for each field';
  const [first] = schemaProblems(schema);
  return first && `schema is not valid: ${[...first.path, ''].join('/')} ${first.message}`;
}

function refused(problem: string): ReturnType<typeof badRequest> {
  return badRequest(problem, asker);
}
