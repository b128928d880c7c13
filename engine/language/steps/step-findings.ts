/**
 * Finds problems in a step flow's structure, based on its schema and on the rules between its parts. Paths are those of
 * the file.
 */
import type { DiagnosticCode } from '../findings/diagnostic.ts';
import { nameOf } from '../findings/document-findings.ts';
import type { Finding } from '../findings/finding.ts';
import { didYouMean } from '../findings/nearest.ts';
import { MAX_PROBLEMS } from '../flow/flow-limits.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { problemsOf, type SchemaMismatch, type ValuePath, valueAt } from '../schema/schema-problems.ts';
import { knownKeysAt } from '../schema/schema-shape.ts';
import { fixedInputKeys, hasRequestText, inputRequestSchema } from './input-request.ts';
import { stepFlowSchema, stepIdSchema, stepTypes } from './step-flow-doc.ts';
import { holdsTemplate } from './step-templates.ts';

/** Returns all errors that prevent a file's step flow from running. */
export function stepFlowFindings(root: JsonMap): readonly Finding[] {
  const steps = stepsOf(root);
  return [
    // All of them are errors, and computing suggestions takes time.
    ...problemsOf(stepFlowSchema(), root)
      .slice(0, MAX_PROBLEMS)
      .map((problem) => findingOf(problem, root)),
    ...(root['id'] === undefined && root['name'] === undefined ? [missing(['id'], 'id', flowIdHint)] : []),
    ...idFindings(steps),
    ...steps.flatMap((step, index) => (isJsonMap(step) ? stepFindings(step, ['steps', index]) : [])),
  ];
}

/** Returns the steps as written in the file. */
export function stepsOf(root: JsonMap): readonly JsonValue[] {
  return isJsonList(root['steps']) ? root['steps'] : [];
}

/**
 * Returns a step's ID: its explicit ID, otherwise its name, otherwise `step_` and its index. Undefined for an ID that
 * is not text.
 */
export function stepIdOf(step: JsonMap, index: number): string | undefined {
  const { id = step['name'] ?? `step_${index}` } = step;
  return typeof id === 'string' ? id : undefined;
}

const flowIdHint = ' A step flow is identified by its id: write id: my_flow at the top.';

const missingHints: Readonly<Record<string, string>> = {
  type: ` Use one of ${stepTypes.join(', ')}.`,
  steps: ' List the steps under it, each with a type.',
};

const kindCodes: Readonly<Record<SchemaMismatch['kind'], DiagnosticCode>> = {
  missing: 'flow.missing-key',
  'wrong-type': 'flow.wrong-type',
  'bad-value': 'flow.bad-value',
  'unknown-key': 'flow.unknown-key',
};

function findingOf(problem: SchemaMismatch, root: JsonMap): Finding {
  const { path, kind } = problem;
  const last = String(path.at(-1));
  const isInStep = path[0] === 'steps' && path.length === 3;
  if (kind === 'unknown-key') return { ...unknownKey(path, stepFlowSchema()), path, focus: 'key' };
  if (kind === 'missing') return missing(path, last, missingHints[last] ?? '');
  const value = valueAt(root, path);
  if (isInStep && last === 'type' && typeof value === 'string') return unknownType(value, path);
  const isBadId = isInStep && last === 'id' && kind === 'bad-value';
  const code = isBadId ? 'node.bad-id' : kindCodes[kind];
  return { code, severity: 'error', message: `${nameOf(path)} ${problem.message}.`, path };
}

function missing(path: ValuePath, key: string, hint = ''): Finding {
  return { code: 'flow.missing-key', severity: 'error', message: `The key "${key}" is missing.${hint}`, path };
}

const callingTypes: ReadonlySet<string> = new Set(['flow', 'subflow', 'sub_flow', 'call_flow', 'run_flow']);

function unknownType(type: string, path: ValuePath): Finding {
  if (callingTypes.has(type.toLowerCase())) {
    const message = `Step flows cannot call other flows: a step of type "${type}" is not allowed. The flow is chosen when a run starts; put the steps of the other flow here, or run that flow separately.`;
    return { code: 'step.calls-flow', severity: 'error', message, path };
  }
  const message = `Step type "${type}" does not exist. Use one of ${stepTypes.join(', ')}.${didYouMean(type, stepTypes)}`;
  return { code: 'node.unknown-type', severity: 'error', message, path };
}

const callKeys = 'flow subflow sub_flow flow_id call_flow goto_flow';
const logicKeys =
  'when if unless condition then else switch case branch next next_step goto jump loop foreach for_each while parallel depends_on on_error on_failure continue_on_error continueOnError';
const codeKeys = 'script code lua js javascript python eval exec command cmd shell run';

/** Keys of other formats, and why step flows do not have them. */
const strangeKeys: ReadonlyMap<string, string> = new Map(
  [
    [callKeys, 'Step flows cannot call other flows: the flow is chosen when a run starts.'],
    [
      logicKeys,
      'Steps run in the order of the list, and a failed step ends the run: a step flow has no conditions, jumps or loops. Use a flow with nodes and edges for these.',
    ],
    [codeKeys, 'A step flow cannot contain code: put the code into an agent or a tool, and refer to it here.'],
    ['input inputs args arguments with', 'Put the input of a step under params.'],
    ['nodes edges layout', 'A step flow has a list of steps instead of nodes and edges.'],
  ].flatMap(([keys = '', why = '']) => keys.split(' ').map((key): [string, string] => [key, why])),
);

function unknownKey(path: ValuePath, schema: Parameters<typeof knownKeysAt>[0]) {
  const key = String(path.at(-1));
  const known = knownKeysAt(schema, path.slice(0, -1));
  const why = strangeKeys.get(key);
  const hint = why === undefined ? didYouMean(key, known) || ` Known keys: ${known.join(', ')}.` : ` ${why}`;
  const isCall = callKeys.split(' ').includes(key) && path.length === 3;
  return {
    code: isCall ? ('step.calls-flow' as const) : ('flow.unknown-key' as const),
    severity: 'error' as const,
    message: `Unknown key "${key}".${hint}`,
  };
}

/** Finds duplicate IDs, and names that do not result in a valid ID. */
function idFindings(steps: readonly JsonValue[]): readonly Finding[] {
  const seen = new Map<string, number>();
  return steps.flatMap((step, index): Finding[] => {
    const id = isJsonMap(step) ? stepIdOf(step, index) : undefined;
    if (!isJsonMap(step) || id === undefined) return [];
    const [code, message] = problemOfId(id, step, seen.get(id)) ?? [];
    if (code === undefined || message === undefined) {
      seen.set(id, index);
      return [];
    }
    const key = ['id', 'name'].find((one) => step[one] !== undefined);
    return [{ code, severity: 'error', message, path: ['steps', index, ...(key === undefined ? [] : [key])] }];
  });
}

/** @param former index of the earlier step with the same ID */
function problemOfId(id: string, step: JsonMap, former: number | undefined): [DiagnosticCode, string] | undefined {
  if (id === '__proto__') return ['node.reserved-id', 'The id "__proto__" is reserved. Choose another id.'];
  if (step['id'] === undefined && !stepIdSchema().safeParse(id).success)
    return ['node.bad-id', `The name ${JSON.stringify(id)} cannot be used as a step id. Add an id to the step.`];
  if (former === undefined) return undefined;
  return ['node.duplicate-id', `Step ${former + 1} already has the id "${id}". Choose another id for this step.`];
}

/** Validates rules about one step beyond its schema. */
function stepFindings(step: JsonMap, base: ValuePath): readonly Finding[] {
  return [
    ...neededFindings(step, base),
    ...nameFindings(step, base),
    ...retryFindings(step, base),
    ...(step['type'] === 'user_input' ? inputFindings(step, base) : []),
    ...(step['type'] === 'human_approval' ? approvalFindings(step, base) : []),
    ...deadlineFindings(step, base),
  ];
}

function neededFindings({ type, agent, tool }: JsonMap, base: ValuePath): readonly Finding[] {
  if ((type === 'agent' || type === 'plan_proposal') && agent === undefined)
    return [missing([...base, 'agent'], 'agent', ` A step of type ${type} must name its agent as product.name.`)];
  if (type === 'tool' && tool === undefined)
    return [missing([...base, 'tool'], 'tool', ' A step of type tool must name its tool as product.name.')];
  return [];
}

/** Finds names that cannot refer to a pure agent or a tool. */
function nameFindings(step: JsonMap, base: ValuePath): readonly Finding[] {
  return ['agent', 'tool'].flatMap((key): Finding[] => {
    const name = step[key];
    if (typeof name !== 'string') return [];
    const path = [...base, key];
    if (/\.(?:ya?ml|json)$/i.test(name) || /(?:^|\/)flows\//.test(name)) {
      const message = `Step flows cannot call other flows: "${name}" is a flow file.`;
      return [{ code: 'step.calls-flow', severity: 'error', message, path }];
    }
    if (key === 'tool' || !/[@/\\]|\.aip$/i.test(name)) return [];
    const message = `"${name}" is an agent of a pack or a file, and such agents can have effects. Name an agent with contract pure as product.name, or run this agent from a tool.`;
    return [{ code: 'step.agent-not-pure', severity: 'error', message, path }];
  });
}

function retryFindings({ retry }: JsonMap, base: ValuePath): readonly Finding[] {
  if (!isJsonMap(retry) || retry['retry_on'] === undefined || retry['retry_on_codes'] === undefined) return [];
  const message = '"retry_on" and "retry_on_codes" have the same meaning. Keep only one of them.';
  return [{ code: 'flow.bad-value', severity: 'error', message, path: [...base, 'retry', 'retry_on'] }];
}

/**
 * Validates the params of a step that requests input. Values from templates are validated during the run, except those
 * that identify the answer.
 */
function inputFindings(step: JsonMap, base: ValuePath): readonly Finding[] {
  const { params = {} } = step;
  if (!isJsonMap(params)) return [];
  const at = [...base, 'params'];
  const asked = hasRequestText(params)
    ? []
    : [missing([...at, 'prompt'], 'prompt', ' Write the question in params.prompt or params.title.')];
  const fixed = fixedInputKeys.flatMap((key): Finding[] => {
    if (!holdsTemplate(params[key] ?? null)) return [];
    const message = `"${key}" must be a literal value without a template because it identifies the answer and its destination.`;
    return [{ code: 'flow.bad-value', severity: 'error', message, path: [...at, key] }];
  });
  const problems = problemsOf(inputRequestSchema(), params).flatMap((problem): Finding[] => {
    const value = valueAt(params, problem.path) ?? null;
    const path = [...at, ...problem.path];
    if (problem.kind === 'unknown-key')
      return [{ ...unknownKey(problem.path, inputRequestSchema()), path, focus: 'key' }];
    if (holdsTemplate(value)) return [];
    if (problem.kind === 'missing')
      return [missing(path, String(problem.path.at(-1)), problem.path[0] === 'form_id' ? formIdHint : '')];
    const message = `${nameOf(problem.path)} ${problem.message}.`;
    return [{ code: kindCodes[problem.kind], severity: 'error', message, path }];
  });
  return [...problems, ...asked, ...fixed];
}

const formIdHint = ' The answer is stored under this id: artifacts.user_input.<form_id>.values.';

/** A deadline requires an approval, and a deadline action requires a deadline. */
function deadlineFindings(step: JsonMap, base: ValuePath): readonly Finding[] {
  return ['deadline_ms', 'on_deadline'].flatMap((key): readonly Finding[] => {
    if (step[key] === undefined) return [];
    const path = [...base, key];
    if (step['type'] !== 'human_approval') {
      const message = `"${key}" applies only to steps of type human_approval. Remove it.`;
      return [{ code: 'flow.bad-value', severity: 'error', message, path }];
    }
    if (key !== 'on_deadline' || step['deadline_ms'] !== undefined) return [];
    const message = '"on_deadline" requires deadline_ms: without a deadline it has no effect.';
    return [{ code: 'flow.bad-value', severity: 'error', message, path }];
  });
}

const contextKeys = ['reason', 'decision_notes', 'recommended_action'];

/** An approval's context is in `params.approval_context` or directly in the params. */
function approvalFindings({ params }: JsonMap, base: ValuePath): readonly Finding[] {
  if (!isJsonMap(params)) return [];
  const { approval_context: context } = params;
  const at = [...base, 'params'];
  if (context === undefined) return contextFindings(params, at);
  if (isJsonMap(context)) return contextFindings(context, [...at, 'approval_context']);
  if (holdsTemplate(context)) return [];
  const message = `"approval_context" must be a map with ${contextKeys.join(', ')}.`;
  return [{ code: 'flow.wrong-type', severity: 'error', message, path: [...at, 'approval_context'] }];
}

function contextFindings(context: JsonMap, at: ValuePath): readonly Finding[] {
  return contextKeys.flatMap((key): Finding[] => {
    const value = context[key];
    const isText = (one: JsonValue | undefined): boolean => typeof one === 'string';
    const isNotes = key === 'decision_notes';
    if (value === undefined || isText(value) || (isNotes && isJsonList(value) && value.every(isText))) return [];
    const message = `"${key}" must be ${isNotes ? 'a list of strings' : 'text'}.`;
    return [{ code: 'flow.wrong-type', severity: 'error', message, path: [...at, key] }];
  });
}
