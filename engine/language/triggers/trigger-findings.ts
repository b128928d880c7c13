/**
 * Finds the problems of triggers that their schema does not: times that never come, inputs that the flow does not have,
 * and what belongs together.
 */
import type { Binding } from '../bindings/binding-template.ts';
import { findBindings } from '../bindings/bindings.ts';
import { isSecretName, secretRoot } from '../bindings/secret-bindings.ts';
import type { DiagnosticCode, Severity } from '../findings/diagnostic.ts';
import { type Finding, type Focus, placedAt } from '../findings/finding.ts';
import { type InputHeader, inputMisfits, problemOf } from '../flow/flow-interface.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import { parseCron } from './cron.ts';
import { isTimeZone } from './next-times.ts';
import {
  type FilesTriggerDoc,
  type ScheduleDoc,
  type TriggerDoc,
  type TriggerKind,
  triggerKindOf,
  triggerKinds,
  type WebhookTriggerDoc,
} from './trigger-doc.ts';

/** Type of the node that answers the caller of a webhook. */
export const respondType = 'respond';

/** Headers that a `respond` node can set, besides those that start with `x-`. */
export const responseHeaders = [
  ...['cache-control', 'content-disposition', 'content-language', 'content-type', 'etag', 'expires', 'last-modified'],
  ...['link', 'location', 'retry-after'],
];

/** Names with a meaning for reverse proxies or browsers: files to send, the address of a caller, and protections. */
const reservedNames = /^x-(?:accel|sendfile|lighttpd|real|forwarded|frame|xss|content-type-options|dns|permitted)/;

/** Whether a `respond` node can set a header. Cookies and the service's protections are not for flows to set. */
export function isResponseHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return responseHeaders.includes(lower) || (/^x-[a-z0-9-]{1,60}$/.test(lower) && !reservedNames.test(lower));
}

/** A value with the type of each field; undefined for any value. */
type EventFields = Readonly<Record<string, 'string' | 'object' | 'array' | undefined>>;

const eventFields: Readonly<Record<TriggerKind, EventFields>> = {
  schedule: { trigger: 'string', dueAt: 'string', previousAt: 'string' },
  files: { trigger: 'string', path: 'string', change: 'string', files: 'array' },
  webhook: {
    ...{ trigger: 'string', id: 'string', method: 'string' },
    ...{ body: undefined, headers: 'object', query: 'object' },
  },
  after: { trigger: 'string', runId: 'string', status: 'string', flow: 'string', outputs: 'object' },
};

/** Root of the event in the inputs of a trigger. */
export const eventRoot = 'event';

/** Returns the fields of the event that starts runs of a kind of trigger. */
export function eventFieldsOf(kind: TriggerKind, isBatch = false): readonly string[] {
  const names = Object.keys(eventFields[kind]);
  if (kind !== 'files') return names;
  return names.filter((name) => (isBatch ? name !== 'path' && name !== 'change' : name !== 'files'));
}

/** The flow that triggers start. */
export interface TriggeredFlow {
  readonly header: InputHeader;
  /** Types of the flow's nodes. */
  readonly nodeTypes: ReadonlySet<string>;
}

/** Returns the problems of a list of triggers; paths are relative to it. Their schema has accepted each of them. */
export function triggerFindings(triggers: readonly TriggerDoc[], flow: TriggeredFlow): readonly Finding[] {
  const seen = new Set<string>();
  return triggers.flatMap((trigger, index) => {
    const { id } = trigger;
    const isTaken = seen.has(id);
    seen.add(id);
    const twice = isTaken ? [problem(['id'], `Another trigger already has the id "${id}". Rename one.`)] : [];
    return placedAt([index], [...twice, ...findingsOf(trigger, flow)]);
  });
}

function findingsOf(trigger: TriggerDoc, flow: TriggeredFlow): readonly Finding[] {
  const kinds = triggerKinds.filter((kind) => trigger[kind] !== undefined);
  const [kind, second] = kinds;
  if (kind === undefined) return [problem([], `A trigger needs one of ${triggerKinds.join(', ')}.`)];
  if (second !== undefined) {
    const message = `A trigger has only one of ${triggerKinds.join(', ')}: put ${second} into a separate trigger.`;
    return [{ ...problem([second], message), focus: 'key' }];
  }
  return [
    ...placedAt(['schedule'], trigger.schedule === undefined ? [] : scheduleFindings(trigger.schedule)),
    ...placedAt(['files'], trigger.files === undefined ? [] : filesFindings(trigger.files)),
    ...placedAt(['webhook'], trigger.webhook === undefined ? [] : webhookFindings(trigger.webhook, flow)),
    ...eventFindings(trigger, kind),
    ...inputFindings(trigger, flow.header),
  ];
}

function scheduleFindings(schedule: ScheduleDoc): readonly Finding[] {
  if ('every' in schedule) return [];
  const { cron, timezone } = schedule;
  const parsed = parseCron(cron);
  const ofCron = parsed.ok ? [] : [problem(['cron'], parsed.message, { part: parsed.part })];
  if (timezone === undefined || isTimeZone(timezone)) return ofCron;
  const message = `There is no time zone "${timezone}". Use a name such as Europe/Berlin, America/New_York or UTC.`;
  return [...ofCron, problem(['timezone'], message)];
}

function filesFindings({ glob }: FilesTriggerDoc): readonly Finding[] {
  const isOutside = /^(?:[/\\~]|[A-Za-z]:)/.test(glob) || glob.split(/[/\\]/).includes('..');
  if (!isOutside) return [];
  return [problem(['glob'], 'The pattern must be relative to the workspace and stay in it.')];
}

function webhookFindings({ secret, signature, answer }: WebhookTriggerDoc, flow: TriggeredFlow): readonly Finding[] {
  const secrets: Finding[] = [
    ...secretFindings(['secret'], secret),
    ...secretFindings(['signature', 'secret'], signature?.secret),
  ];
  if (secret === undefined && signature === undefined) {
    const message = 'Anyone who can reach the address can start this flow. Add a signature or a secret.';
    secrets.push({ code: 'trigger.unprotected', severity: 'warning', message, path: [] });
  }
  if (answer !== 'respond' || flow.nodeTypes.has(respondType)) return secrets;
  return [
    ...secrets,
    problem(['answer'], `The flow has no node of type ${respondType}, so the caller gets no answer.`),
  ];
}

/** A secret must not be in the file, because files are shared. */
function secretFindings(path: ValuePath, text: string | undefined): readonly Finding[] {
  if (text === undefined || secretNameIn(text) !== undefined) return [];
  return [problem(path, 'Must be the name of a secret, such as {{secret.SHOP}}. Never write the secret itself here.')];
}

/** Returns the names of the secret that callers of a webhook send, and of the one with which they sign. */
export function webhookSecrets({ secret = '', signature }: WebhookTriggerDoc): {
  readonly secret: string | undefined;
  readonly signing: string | undefined;
} {
  return { secret: secretNameIn(secret), signing: secretNameIn(signature?.secret ?? '') };
}

/** Returns the name in text that is a single binding of a secret; undefined for other text. */
function secretNameIn(text: string): string | undefined {
  const [, name = ''] = /^\{\{\s*secret\.(\w+)\s*\}\}$/.exec(text) ?? [];
  return isSecretName(name) ? name : undefined;
}

/** Returns the problems of bindings in the inputs. */
function eventFindings({ inputs, files }: TriggerDoc, kind: TriggerKind): readonly Finding[] {
  const known = eventFieldsOf(kind, files?.batch === true);
  return findBindings(inputs ?? {}).flatMap(({ path, template }): Finding[] => {
    const place = ['inputs', ...path];
    const invalid = template.problems.map(({ code, message, source }) =>
      finding({ code, severity: 'error' }, { path: place, message, focus: { part: source } }),
    );
    const unknown = template.parts.flatMap((part): Finding[] =>
      typeof part === 'string' ? [] : rootFindings(part, place, known),
    );
    return [...invalid, ...unknown];
  });
}

function rootFindings(
  { path: [root = '', field], source }: Binding,
  path: ValuePath,
  known: readonly string[],
): Finding[] {
  const focus = { part: source };
  if (root === secretRoot) {
    const message = 'A trigger cannot pass a secret as an input. Use the secret in the node that needs it.';
    return [finding({ code: 'secret.misplaced', severity: 'error' }, { path, message, focus })];
  }
  const unknown = { code: 'binding.unknown-root', severity: 'error' } as const;
  if (root !== eventRoot) {
    const message = `The inputs of a trigger can read only "${eventRoot}", because no node has run yet.`;
    return [finding(unknown, { path, message, focus })];
  }
  if (field === undefined || known.includes(field)) return [];
  const message = `The event of this trigger has no "${field}".`;
  return [{ ...finding(unknown, { path, message, focus }), mistyped: { word: field, known } }];
}

/** Returns inputs that the flow does not accept or that are missing. */
function inputFindings(trigger: TriggerDoc, { input = {}, inputs: docs }: InputHeader): readonly Finding[] {
  const { inputs: given, webhook } = trigger;
  // Without inputs, the body of a webhook provides them.
  if (docs === undefined || (given === undefined && webhook !== undefined)) return [];
  const kind = triggerKindOf(trigger) ?? 'schedule';
  const isBound = (name: string): boolean =>
    given !== undefined && findBindings({ value: given[name] ?? null }).length > 0;
  return inputMisfits({ inputDocs: docs, inputs: input }, given ?? {}).flatMap(({ name, message }): Finding[] => {
    if (given === undefined || !Object.hasOwn(given, name)) {
      const path = ['inputs', name];
      return [{ ...finding({ code: 'flow.bad-inputs', severity: 'error' }, { path: [], message }), field: path }];
    }
    const type = docs[name]?.type;
    const bound = type === undefined || !isBound(name) ? undefined : boundType(given[name] ?? null, kind);
    // A declared input with a binding has its value only when the event is known.
    if (type !== undefined && isBound(name) && (bound === undefined || fits(bound, type))) return [];
    return [finding({ code: 'flow.bad-inputs', severity: 'error' }, { path: ['inputs', name], message })];
  });
}

const examples: Readonly<Record<string, JsonValue>> = { string: '', object: {}, array: [] };

function fits(bound: string, type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'): boolean {
  return problemOf(examples[bound] ?? null, { type }) === undefined;
}

/** Returns the type of a value with a binding; undefined if it is known only with the event. */
function boundType(value: JsonValue, kind: TriggerKind): 'string' | 'object' | 'array' | undefined {
  if (typeof value !== 'string') return isJsonMap(value) ? 'object' : 'array';
  const [found] = findBindings({ value } satisfies JsonMap);
  const [part, other] = found?.template.parts ?? [];
  if (part === undefined || typeof part === 'string' || other !== undefined) return 'string';
  const [, field = '', inner] = part.path;
  return inner === undefined && 'default' in part === false ? eventFields[kind][field] : undefined;
}

function problem(path: ValuePath, message: string, focus?: Focus): Finding {
  return finding({ code: 'trigger.invalid', severity: 'error' }, { path, message, ...(focus && { focus }) });
}

function finding(
  kind: { readonly code: DiagnosticCode; readonly severity: Severity },
  place: Pick<Finding, 'path' | 'message' | 'focus'>,
): Finding {
  return { ...kind, ...place };
}
