/**
 * Converts a step flow to the equivalent flow: a node for each step, and an edge from each to the next. Code for flows
 * can draw, validate and run it, and a position in that flow is one in the file.
 */
import { isAutonomyLevel } from '../flow/autonomy.ts';
import type { EdgeDoc, FlowDoc, NodeDoc } from '../flow/flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { problemsOf, type ValuePath } from '../schema/schema-problems.ts';
import { stepIdOf, stepsOf } from './step-findings.ts';
import {
  type StepDoc,
  type StepFlowDoc,
  type StepRetry,
  type StepType,
  stepRetrySchema,
  stepSchema,
} from './step-flow-doc.ts';

/** The content of a step flow file. */
export interface ReadSteps {
  readonly steps: StepFlowDoc;
  /** The equivalent flow. */
  readonly doc: FlowDoc;
  /** Each step's index in the file. */
  readonly stepIndexes: readonly number[];
}

/**
 * Reads the steps that have a unique ID and a type, with their valid keys. Returns null if there is no list of steps.
 */
export function readSteps(root: JsonMap): ReadSteps | null {
  if (!Array.isArray(root['steps'])) return null;
  const seen = new Set<string>();
  const kept = stepsOf(root).flatMap((raw, index) => {
    const step = isJsonMap(raw) ? readStep(raw, index) : undefined;
    if (step === undefined || seen.has(step.id)) return [];
    seen.add(step.id);
    return [{ step, index }];
  });
  const steps = flowOf(
    root,
    kept.map(({ step }) => step),
  );
  return { steps, doc: projectSteps(steps), stepIndexes: kept.map(({ index }) => index) };
}

function flowOf(root: JsonMap, steps: readonly StepDoc[]): StepFlowDoc {
  const { id, name, description, autonomy_level: level, version, metadata = {} } = root;
  const isName = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';
  return {
    id: isName(id) ? id : isName(name) ? name : '',
    ...(typeof description === 'string' ? { description } : {}),
    autonomy_level: isAutonomyLevel(level) ? level : 'semi_auto',
    version: typeof version === 'string' ? version : 'v1',
    steps,
    metadata: { ...(isName(name) ? { display_name: name } : {}), ...(isJsonMap(metadata) ? metadata : {}) },
  };
}

function readStep(raw: JsonMap, index: number): StepDoc | undefined {
  const { id: _, type, params, retry, ...others } = raw;
  const id = stepIdOf(raw, index);
  if (id === undefined || id === '' || typeof type !== 'string') return undefined;
  const { shape } = stepSchema();
  const right = Object.entries(others).filter(
    ([key, value]) => key in shape && problemsOf(shape[key as keyof typeof shape], value).length === 0,
  );
  return {
    ...(Object.fromEntries(right) as Partial<StepDoc>),
    id,
    // In a file that may run, it is always valid.
    type: type as StepType,
    params: isJsonMap(params) ? params : {},
    ...(isJsonMap(retry) && problemsOf(stepRetrySchema(), retry).length === 0 ? { retry: readRetry(retry) } : {}),
  };
}

function readRetry(retry: JsonMap): StepRetry {
  const { max_attempts = 1, backoff_seconds = 0, retry_on = [], retry_on_codes = retry_on } = retry;
  return { max_attempts, backoff_seconds, retry_on_codes } as unknown as StepRetry;
}

/** Returns the display name of a step flow. */
function displayNameOf({ id, metadata }: StepFlowDoc): string {
  const { display_name: name } = metadata;
  return typeof name === 'string' && name !== '' ? name : id;
}

/** Returns the equivalent flow. A step's settings, except its params, become its node's config. */
function projectSteps(steps: StepFlowDoc): FlowDoc {
  const { description, autonomy_level: autonomy } = steps;
  return {
    flow: {
      name: displayNameOf(steps),
      ...(description === undefined ? {} : { description }),
      policy: { autonomy },
    },
    nodes: steps.steps.map(nodeOf),
    edges: steps.steps.slice(1).map(({ id }, index): EdgeDoc => ({ from: steps.steps[index]?.id ?? '', to: id })),
    steps,
  };
}

function nodeOf({ id, type, name, params, retry, ...settings }: StepDoc): NodeDoc {
  return {
    id,
    type,
    input: params,
    ...(Object.keys(settings).length === 0 ? {} : { config: settings as unknown as JsonMap }),
    ...(name === undefined ? {} : { name }),
    ...(retry === undefined
      ? {}
      : { policy: { retry: { maxAttempts: retry.max_attempts, backoffMs: retry.backoff_seconds * 1000 } } }),
  };
}

const retryKeys: Readonly<Record<string, string>> = { maxAttempts: 'max_attempts', backoffMs: 'backoff_seconds' };

/** Converts a path in the equivalent flow to a path in the file. */
export function pathInSteps(
  path: ValuePath,
  { stepIndexes }: Pick<ReadSteps, 'stepIndexes'>,
  root: JsonMap,
): ValuePath {
  const [list, key, ...rest] = path;
  if (list === undefined) return [];
  if (list === 'flow') return pathOfHeader(key, root);
  if (key === undefined) return ['steps'];
  // An edge's position is the start of its target step.
  const index = Number(key) + (list === 'edges' ? 1 : 0);
  const step: ValuePath = ['steps', stepIndexes[index] ?? index];
  return list === 'edges' ? step : [...step, ...pathInStep(rest)];
}

function pathOfHeader(key: string | number | undefined, root: JsonMap): ValuePath {
  if (key === 'name') return [root['name'] === undefined ? 'id' : 'name'];
  return key === 'description' ? [key] : [];
}

function pathInStep([part, ...rest]: ValuePath): ValuePath {
  switch (part) {
    case undefined:
      return [];
    case 'input':
      return ['params', ...rest];
    case 'config':
      return rest;
    case 'policy':
      return ['retry', ...rest.slice(1).map((key) => retryKeys[key] ?? key)];
    default:
      return [part, ...rest];
  }
}
