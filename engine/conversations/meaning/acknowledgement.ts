/**
 * Words the acknowledgments in a reply: sentences about changes to the stack and to values.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { OutsideEffect, SessionEvent } from '../session/session-event.ts';
import { activeFlow, type FlowInstance, isOver, type SessionState } from '../session/session-state.ts';
import { predictableFlows } from './nlu-prompt.ts';

/** Maximum number of values in a title, and of characters in each value. */
const mostShown = 2;
const longestShown = 40;

/** Returns the name of a flow for use in a sentence: "refund (AB-12)". */
export function flowTitle({ flowName, slots }: Pick<FlowInstance, 'flowName' | 'slots'>): string {
  const values = Object.values(slots).filter(
    (value) => typeof value !== 'object' && String(value).length <= longestShown,
  );
  const shown = values.slice(0, mostShown).map(String);
  return `${flowName.replaceAll('_', ' ')}${shown.length === 0 ? '' : ` (${shown.join(', ')})`}`;
}

/** Capitalizes text as the start of a sentence. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  if (isJsonMap(value) && Array.isArray(value['chosen'])) return value['chosen'].join(', ');
  return JSON.stringify(value);
}

/** Describes a correction. @param before the flow's earlier values */
export function correctedText(before: JsonMap, labels: JsonMap): string {
  const changes = Object.entries(labels).map(([name, value], index) => {
    const words = name.replaceAll('_', ' ');
    const old = Object.hasOwn(before, name) ? ` instead of ${valueText(before[name] ?? null)}` : '';
    return `${index === 0 ? sentence(words) : words} is now ${valueText(value)}${old}`;
  });
  return `${changes.join(', ')}.`;
}

/** Describes runs' effects as part of a sentence. */
export function effectsText(effects: readonly OutsideEffect[]): string {
  return effects.map(({ tool, target }) => (target === '' ? tool : `${tool} (${target})`)).join(', ');
}

/** Describes canceled flows, and those effects of their runs that cannot be undone. */
export function canceledText(flows: readonly FlowInstance[], effects: readonly OutsideEffect[]): string {
  const titles = flows.map(flowTitle);
  const last = titles.pop() ?? 'nothing';
  const all = titles.length === 0 ? last : `${titles.join(', ')} and ${last}`;
  const stays = effects.length === 0 ? '' : ` Already done and not undone: ${effectsText(effects)}.`;
  return `${sentence(all)} ${titles.length === 0 ? 'is' : 'are'} canceled.${stays}`;
}

/** Lists what the person can request. Used when asking for the meaning again would not help. */
export function helpText(catalogue: Catalogue): string {
  const names = predictableFlows(catalogue).map(({ name }) => name.replaceAll('_', ' '));
  return `I still don't understand. You can ask for: ${names.join(', ')}.`;
}

/** Describes open flows that a turn has put on the stack, to run either later or first. */
export function stackedFlowText(state: SessionState, told: readonly SessionEvent[]): readonly string[] {
  const pushed = new Set(told.flatMap((event) => (event.type === 'stack:push' ? [event.flowId] : [])));
  const active = activeFlow(state);
  return state.stack.flatMap((flow, index) => {
    if (!pushed.has(flow.flowId) || isOver(flow) || flow.planId !== null) return [];
    const below = state.stack.find(({ flowId }) => flowId === flow.stackedOn);
    if (below !== undefined) return [`First ${flowTitle(flow)}, then back to ${flowTitle(below)}.`];
    const above = state.stack[index - 1] ?? active;
    if (flow.status !== 'Pending' || above === undefined) return [];
    return [`I will get to ${flowTitle(flow)} after ${flowTitle(above)}.`];
  });
}

/** Returns the flow that resumed in this turn after the one above it ended; undefined if there is none. */
export function resumedFlow(state: SessionState, told: readonly SessionEvent[]): FlowInstance | undefined {
  const active = activeFlow(state);
  if (active === undefined) return undefined;
  const began = told.findLastIndex((event) => event.type === 'stack:activate' && event.flowId === active.flowId);
  const isNew = told.some((event) => event.type === 'stack:push' && event.flowId === active.flowId);
  return began === -1 || isNew ? undefined : active;
}
