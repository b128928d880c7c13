/**
 * What n8n triggers become: inputs of the flow, and triggers that a person has to switch on. Also the node that answers
 * the caller of a webhook.
 */
import type { InputDoc } from '../../flow/flow-interface.ts';
import { parseJson } from '../../json/exact-json.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { parseCron } from '../../triggers/cron.ts';
import { isTimeZone } from '../../triggers/next-times.ts';
import {
  durationMs,
  isWebhookPath,
  type ScheduleDoc,
  type TriggerDoc,
  type WebhookTriggerDoc,
} from '../../triggers/trigger-doc.ts';
import { isResponseHeader, respondType } from '../../triggers/trigger-findings.ts';
import { inputNameOf } from '../ids.ts';
import type { MappingContext, TypeMapping } from '../mapping.ts';
import { at, deepAt, entryOf, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding } from '../texts.ts';
import { passingNode } from './n8n-node.ts';

/** A trigger without its ID. */
type NewTrigger = Omit<TriggerDoc, 'id'>;

/** The triggers of a node, and what was lost. */
interface FoundTriggers {
  readonly triggers?: readonly NewTrigger[];
  readonly lost?: readonly string[];
}

interface TriggerParts {
  readonly inputs?: (params: JsonMap) => readonly (readonly [string, InputDoc])[];
  readonly find?: (params: JsonMap, node: SourceNode, context: MappingContext) => FoundTriggers;
}

/** A trigger: its data becomes the flow's input. */
function triggerNode({ inputs = () => [], find = () => ({}) }: TriggerParts): TypeMapping {
  return {
    isPart: () => true,
    map(node, context) {
      const params = mapAt(node.settings, 'parameters');
      const found = find(params, node, context);
      const isOff = node.isDisabled && found.triggers !== undefined;
      const { triggers, lost = [] } = isOff ? { lost: ['It is disabled, so it is not a trigger of the flow.'] } : found;
      const parts = { inputs: Object.fromEntries(inputs(params)), lost };
      return { as: 'inputs', ...parts, ...(triggers === undefined ? {} : { triggers }) };
    },
    at: ({ rest: [first, ...rest], isList }) =>
      isList === true || first === undefined ? undefined : ['flow', 'input', inputNameOf(first), ...rest],
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const answers: Readonly<Record<string, WebhookTriggerDoc['answer']>> = { lastNode: 'result', responseNode: 'respond' };

function findWebhook(params: JsonMap, node: SourceNode, context: MappingContext): FoundTriggers {
  const wanted = at(params, 'httpMethod') ?? 'GET';
  const method = methods.find((one) => one === wanted);
  const path = textAt(params, 'path').replace(/^\/+|\/+$/g, '');
  if (method === undefined || !isWebhookPath(path))
    return { lost: ['Its method or path cannot be that of a webhook here. Add a trigger to the flow.'] };
  const answer = entryOf(answers, textAt(params, 'responseMode'));
  const hasResponse = context.flow.nodes.some(
    ({ type, isDisabled }) => /\.respondToWebhook$/.test(type) && !isDisabled,
  );
  const answered = answer === undefined || (answer === 'respond' && !hasResponse) ? {} : { answer };
  const inputs = Object.fromEntries(['body', 'headers', 'query'].map((name) => [name, `{{event.${name}}}`]));
  const { secret, lost } = protectionOf(params, context.idOf(node));
  const options = Object.keys(mapAt(params, 'options'));
  if (options.length > 0) lost.push(`Not imported: the options ${options.join(', ')}.`);
  return { triggers: [{ webhook: { path, method, ...secret, ...answered }, inputs, overlap: 'queue' }], lost };
}

/** A webhook that checked its callers must not become one that anyone can call. */
function protectionOf(params: JsonMap, id: string): { readonly secret: { readonly secret?: string }; lost: string[] } {
  if (['', 'none'].includes(textAt(params, 'authentication'))) return { secret: {}, lost: [] };
  const name = `${id.toUpperCase()}_SECRET`;
  const lost = [
    `Its authentication became the secret ${name}. Callers send it as X-Webhook-Secret or as Authorization: Bearer.`,
  ];
  return { secret: { secret: `{{secret.${name}}}` }, lost };
}

/** When a rule is due, as written for a flow. */
interface RuleTimes {
  readonly cron?: string;
  readonly every?: string;
  readonly lost?: string;
}

type TimeRule = (rule: JsonMap) => RuleTimes;

const times: Readonly<Record<string, TimeRule>> = {
  seconds: (rule) => ({ every: `${numberOf(rule, 'secondsInterval', 30)}s` }),
  minutes: (rule) => ({ every: `${numberOf(rule, 'minutesInterval', 5)}m` }),
  hours(rule) {
    const step = numberOf(rule, 'hoursInterval', 1);
    if (24 % step !== 0) return { every: `${step}h` };
    return { cron: `${numberOf(rule, 'triggerAtMinute', 0)} ${stepText(step)} * * *` };
  },
  days(rule) {
    const step = numberOf(rule, 'daysInterval', 1);
    const lost = step === 1 ? {} : { lost: `Its interval of ${step} days starts again each month.` };
    return { cron: `${timeOf(rule)} ${stepText(step)} * *`, ...lost };
  },
  weeks(rule) {
    const days = rule['triggerAtDay'];
    const isEachWeek = numberOf(rule, 'weeksInterval', 1) === 1;
    return isEachWeek
      ? { cron: `${timeOf(rule)} * * ${isJsonList(days) && days.length > 0 ? days.join(',') : 0}` }
      : {};
  },
  months(rule) {
    const step = numberOf(rule, 'monthsInterval', 1);
    const lost = 12 % step === 0 ? {} : { lost: `Its interval of ${step} months starts again each year.` };
    return { cron: `${timeOf(rule)} ${numberOf(rule, 'triggerAtDayOfMonth', 1)} ${stepText(step)} *`, ...lost };
  },
  cronExpression: (rule) => writtenTimes(textAt(rule, 'expression')),
};

/** The rules of the older Cron node. */
const olderTimes: Readonly<Record<string, TimeRule>> = {
  everyMinute: () => ({ cron: '* * * * *' }),
  everyHour: (rule) => ({ cron: `${numberOf(rule, 'minute', 0)} * * * *` }),
  everyDay: (rule) => ({ cron: `${olderTimeOf(rule)} * * *` }),
  everyWeek: (rule) => ({ cron: `${olderTimeOf(rule)} * * ${numberOf(rule, 'weekday', 1)}` }),
  everyMonth: (rule) => ({ cron: `${olderTimeOf(rule)} ${numberOf(rule, 'dayOfMonth', 1)} * *` }),
  everyX: (rule) => ({ every: everyText(rule, 'value', 'hours') }),
  custom: (rule) => writtenTimes(textAt(rule, 'cronExpression')),
};

/** Returns a setting; not a number if an expression computes it, which no schedule accepts. */
function numberOf(rule: JsonMap, name: string, otherwise: number): number {
  return at(rule, name) === undefined ? otherwise : (numberAt(rule, name) ?? Number.NaN);
}

function stepText(step: number): string {
  return step === 1 ? '*' : `*/${step}`;
}

function timeOf(rule: JsonMap): string {
  return `${numberOf(rule, 'triggerAtMinute', 0)} ${numberOf(rule, 'triggerAtHour', 0)}`;
}

function olderTimeOf(rule: JsonMap): string {
  return `${numberOf(rule, 'minute', 0)} ${numberOf(rule, 'hour', 14)}`;
}

function everyText(rule: JsonMap, name: string, unit: string): string {
  return `${numberOf(rule, name, name === 'value' ? 2 : 1)}${(textAt(rule, 'unit') || unit).charAt(0)}`;
}

/** Six fields begin with seconds. */
function writtenTimes(text: string): RuleTimes {
  const cron = text.replace(/^=/, '').trim();
  const [, seconds, rest] = /^(\d+)\s+((?:\S+\s+){4}\S+)$/.exec(cron) ?? [];
  if (rest === undefined) return { cron };
  return { cron: rest, ...(Number(seconds) === 0 ? {} : { lost: 'It starts at full minutes.' }) };
}

/** Returns one trigger for each rule that a schedule can express. */
function schedulesOf(rules: readonly RuleTimes[], { flow }: MappingContext): FoundTriggers {
  const zone = flow.timeZone !== undefined && isTimeZone(flow.timeZone) ? flow.timeZone : 'UTC';
  const found = rules.flatMap(({ cron, every }): ScheduleDoc[] => {
    if (every !== undefined) return durationMs(every) === undefined ? [] : [{ every }];
    return cron !== undefined && parseCron(cron).ok ? [{ cron, timezone: zone }] : [];
  });
  const missing = rules.length - found.length;
  const lost = rules.flatMap((rule) => rule.lost ?? []);
  if (found.length === 0 || missing > 0)
    lost.push(found.length === 0 ? noSchedule : `${missing} of its ${rules.length} rules cannot be imported.`);
  if (flow.timeZone !== zone && found.some((one) => 'cron' in one))
    lost.push('Its times are in UTC, because the workflow does not name a time zone.');
  const inputs = { timestamp: '{{event.dueAt}}' };
  return { ...(found.length === 0 ? {} : { triggers: found.map((schedule) => ({ schedule, inputs })) }), lost };
}

const noSchedule = 'The schedule was not imported. Add a trigger to the flow.';

function ruleTimes(table: Readonly<Record<string, TimeRule>>, rule: JsonMap, kind: string): RuleTimes {
  return entryOf(table, kind)?.(rule) ?? {};
}

const byHand = triggerNode({});
const bySchedule = triggerNode({
  find(params, _, context) {
    const rules = mapsAt(mapAt(params, 'rule'), 'interval');
    return schedulesOf(
      rules.map((rule) => ruleTimes(times, rule, textAt(rule, 'field') || 'days')),
      context,
    );
  },
});
const byCron = triggerNode({
  find(params, _, context) {
    const rules = mapsAt(mapAt(params, 'triggerTimes'), 'item');
    return schedulesOf(
      rules.map((rule) => ruleTimes(olderTimes, rule, textAt(rule, 'mode') || 'everyDay')),
      context,
    );
  },
});
const byInterval = triggerNode({
  find: (params, _, context) => schedulesOf([{ every: everyText(params, 'interval', 'seconds') }], context),
});
const byChat = triggerNode({
  inputs: () => [['chatInput', { type: 'string', description: 'Message', required: true }]],
});
const byForm = triggerNode({
  inputs: (params) =>
    mapsAt(mapAt(params, 'formFields'), 'values').flatMap((field) => {
      const label = textAt(field, 'fieldLabel') || textAt(field, 'fieldName');
      const isRequired = field['requiredField'] === true;
      const doc: InputDoc = {
        type: textAt(field, 'fieldType') === 'number' ? 'number' : 'string',
        description: label,
        ...(isRequired ? { required: true } : {}),
      };
      return label === '' ? [] : [[inputNameOf(label), doc] as const];
    }),
});
const inputTypes: Readonly<Record<string, InputDoc['type']>> = {
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};
const byWorkflow = triggerNode({
  inputs: (params) =>
    mapsAt(mapAt(params, 'workflowInputs'), 'values').map((field) => {
      const doc: InputDoc = { type: entryOf(inputTypes, textAt(field, 'type')) ?? 'string' };
      return [inputNameOf(textAt(field, 'name')), doc] as const;
    }),
});

const respond = passingNode({
  known: ['respondWith', 'responseBody', 'redirectURL', 'options'],
  convert({ params, texts }) {
    const kind = textAt(params, 'respondWith') || 'firstIncomingItem';
    const incoming = kind === 'allIncomingItems' ? texts.list() : texts.current([]);
    const received = (): JsonValue => (incoming === undefined ? null : binding(incoming));
    const written = (): JsonValue => texts.value(at(params, 'responseBody') ?? '');
    const bodies: Readonly<Record<string, () => JsonValue>> = {
      firstIncomingItem: received,
      allIncomingItems: received,
      json: () => parsed(written()),
      text: written,
      noData: () => null,
      redirect: () => null,
    };
    const body = entryOf(bodies, kind)?.();
    if (body === undefined) return { why: 'A flow cannot respond with a file or a token.' };
    const entries = mapsAt(deepAt(params, 'options', 'responseHeaders') ?? null, 'entries');
    const headers = {
      ...(kind === 'json' && typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...(kind === 'redirect' ? { location: texts.text(textAt(params, 'redirectURL')) } : {}),
      ...Object.fromEntries(
        entries
          .map((entry) => [textAt(entry, 'name').toLowerCase(), texts.text(textAt(entry, 'value'))] as const)
          .filter(([name]) => isResponseHeader(name)),
      ),
    };
    const names = entries.map((entry) => textAt(entry, 'name')).filter((name) => !isResponseHeader(name));
    const lost = names.length === 0 ? [] : [`Not imported: the headers ${names.join(', ')}.`];
    const status = numberAt(mapAt(params, 'options'), 'responseCode') ?? (kind === 'redirect' ? 307 : 200);
    return { type: respondType, input: { status, headers, body }, lost };
  },
});

/** JSON is often written as text with expressions in it. */
function parsed(body: JsonValue): JsonValue {
  return typeof body === 'string' ? (parseJson(body) ?? body) : body;
}

/** Mappings by the name of the type, without its prefix. */
export const n8nTriggerTypes: Readonly<Record<string, TypeMapping>> = {
  manualTrigger: byHand,
  start: byHand,
  scheduleTrigger: bySchedule,
  cron: byCron,
  interval: byInterval,
  webhook: triggerNode({ find: findWebhook }),
  chatTrigger: byChat,
  manualChatTrigger: byChat,
  formTrigger: byForm,
  executeWorkflowTrigger: byWorkflow,
  respondToWebhook: respond,
};
