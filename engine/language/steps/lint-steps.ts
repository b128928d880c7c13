/**
 * Warnings about questionable parts of a step flow, none of which prevents a run. Paths are those of the equivalent
 * flow.
 */
import type { DiagnosticCode } from '../findings/diagnostic.ts';
import type { Finding } from '../findings/finding.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import type { StepDoc } from './step-flow-doc.ts';
import { strangeTokens } from './step-templates.ts';

/** Number of steps with the same agent in one flow at which the agent has too many responsibilities. */
const manyDuties = 4;

/** Returns warnings about steps, in order. */
export function lintSteps(steps: readonly StepDoc[]): readonly Finding[] {
  return [
    ...steps.flatMap((step, index) => [
      ...bareNameFindings(step, index),
      ...unusedKeyFindings(step, index),
      ...paramsFindings(step, index),
    ]),
    ...dutyFindings(steps),
  ];
}

function warning(code: DiagnosticCode, path: ValuePath, message: string): Finding {
  return { code, severity: 'warning', path, message };
}

/** A name without its product may become ambiguous when a product adds the same name. */
function bareNameFindings(step: StepDoc, index: number): readonly Finding[] {
  return (['agent', 'tool'] as const).flatMap((key) => {
    const name = step[key];
    if (name === undefined || name === '' || name.includes('.')) return [];
    const last = key === 'tool' ? ', then in the workspace' : '';
    const message = `The ${key} "${name}" has no product prefix: it is looked up in the flow's own product first, then in core${last}. Write product.${name} or core.${name}.`;
    return [warning('step.bare-name', ['nodes', index, 'config', key], message)];
  });
}

/** Keys that a step type reads besides id, type, name, params and form, and its retry keys. */
const usedKeys: Readonly<Record<StepDoc['type'], readonly string[]>> = {
  agent: ['agent', 'retry'],
  tool: ['tool', 'retry', 'backend'],
  human_approval: ['message', 'title'],
  user_input: [],
  plan_proposal: ['agent'],
};

function unusedKeyFindings(step: StepDoc, index: number): readonly Finding[] {
  const used = usedKeys[step.type] ?? [];
  return (['agent', 'tool', 'message', 'retry', 'backend'] as const).flatMap((key) => {
    if (step[key] === undefined || used.includes(key)) return [];
    const path = ['nodes', index, ...(key === 'retry' ? ['policy'] : ['config', key])];
    const why =
      key === 'retry'
        ? 'is never retried'
        : `does not read "${key}"${used.length === 0 ? '' : ` (only ${used.join(', ')})`}`;
    return [warning('step.unused-key', path, `A step of type ${step.type} ${why}, so "${key}" has no effect here.`)];
  });
}

const logicKey =
  /^(?:if|else|then|when|unless|condition|switch|case|loop|foreach|for_each|while|goto|next|next_step|on_error|on_failure|retry|script|code|lua|js|javascript|python|eval|exec)$/i;

/** Finds params that look like logic, and braces that are not a template. */
function paramsFindings({ params, type }: StepDoc, index: number): readonly Finding[] {
  return valueFindings(params, ['nodes', index, 'input'], type !== 'user_input');
}

/** @param hasLogic whether keys may look like logic; a form's keys are field names */
function valueFindings(value: JsonValue, path: ValuePath, hasLogic: boolean): readonly Finding[] {
  if (typeof value === 'string') return strangeTokens(value).map((token) => strangeToken(token, path));
  if (isJsonList(value)) return value.flatMap((item, place) => valueFindings(item, [...path, place], hasLogic));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const below = valueFindings(item, [...path, key], hasLogic);
    return hasLogic && logicKey.test(key) ? [logicWarning(key, [...path, key]), ...below] : below;
  });
}

function strangeToken(token: string, path: ValuePath): Finding {
  const message = `${token.length <= 60 ? token : `${token.slice(0, 57)}...`} is not a template of step flows, so it is used as written. Write {{payload.key}} or {{artifacts.key}}, and compute anything else in an agent or a tool.`;
  return { ...warning('step.strange-template', path, message), focus: { part: token } };
}

function logicWarning(key: string, path: ValuePath): Finding {
  const message = `The parameter "${key}" looks like logic. Describe the desired result in params, and let the agent or tool decide how to achieve it.`;
  return { ...warning('step.logic', path, message), focus: 'key' };
}

function dutyFindings(steps: readonly StepDoc[]): readonly Finding[] {
  const places = new Map<string, number[]>();
  for (const [index, { agent, type }] of steps.entries()) {
    if (agent !== undefined && type === 'agent') places.set(agent, [...(places.get(agent) ?? []), index]);
  }
  return [...places].flatMap(([agent, indexes]) => {
    const at = indexes[manyDuties - 1];
    if (at === undefined) return [];
    const message = `"${agent}" runs ${indexes.length} steps of this flow. Agents with one responsibility each are easier to test and to trust.`;
    return [warning('step.many-duties', ['nodes', at, 'config', 'agent'], message)];
  });
}

/**
 * Returns high-risk tools without an approval since the previous tool.
 * @param riskOf returns the risk in a tool's manifest; undefined for an unknown tool
 */
export function riskFindings(
  steps: readonly StepDoc[],
  riskOf: (tool: string) => 'low' | 'medium' | 'high' | undefined,
): readonly Finding[] {
  let isApproved = false;
  return steps.flatMap(({ type, tool }, index) => {
    if (type === 'human_approval') isApproved = true;
    if (type !== 'tool' || tool === undefined) return [];
    const isCovered = isApproved;
    isApproved = false;
    if (isCovered || riskOf(tool) !== 'high') return [];
    const message = `"${tool}" is a high-risk tool, and no approval comes before it. Add a step of type human_approval before it.`;
    return [warning('step.risky-tool', ['nodes', index, 'config', 'tool'], message)];
  });
}
