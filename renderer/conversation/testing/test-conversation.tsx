/**
 * For tests: the conversations of a catalog in a window with a simulated engine, and functions to interact with them.
 */
import { act } from 'react';
import {
  asSessionId,
  type FlowView,
  type MessageView,
  type SessionEnvelope,
  type SessionEvent,
  type SessionView,
} from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { EngineAnswers } from '../../bridge/testing/engine-stand-in.ts';
import { uncheckedText } from '../../stores/text/check.ts';
import { loadingFile } from '../../stores/text/file.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { ConversationView } from '../conversation-view.tsx';

const path = 'desk.dialogue.yaml';
export const sessionId = asSessionId('s1');
const catalogue = { path, hash: 'h', name: 'Desk' };

export let window: TestWindow;
export let element: HTMLElement;
/** The requests sent to the engine, by call. */
export let asked: (readonly [call: string, request: unknown])[];

export function flow(flowName: string, more: Partial<FlowView> = {}): FlowView {
  const base = { flowId: flowName, flowName, description: '', intent: 'Read', status: 'Active', planId: null } as const;
  return {
    ...base,
    stackedOn: null,
    runId: null,
    waitsFor: null,
    slots: [],
    stage: '',
    turnIds: [],
    dependsOn: [],
    ...more,
  };
}

export function slot(name: string, more: Partial<FlowView['slots'][number]> = {}): FlowView['slots'][number] {
  const base = { name, typeName: 'exact', priority: 'required', description: '', schema: { type: 'string' } } as const;
  return { ...base, value: null, isFilled: false, isMissing: true, ...more };
}

export const said = (seq: number, from: MessageView['from'], text: string, turnId = 't1'): MessageView => ({
  ...{ seq, at: seq, from, text, turnId },
});

export function view(more: Partial<SessionView> = {}): SessionView {
  const base = { sessionId, seq: 9, lastSeq: 9, catalogue, isCatalogueChanged: false, turnId: null, turnCount: 1 };
  const nothing = { messages: [], queue: [], stack: [], background: [], plans: [], prediction: null, ambiguity: null };
  return { ...base, ...nothing, scratchpad: [], summary: '', hasIssues: false, ...more };
}

export const envelope = (seq: number, event: SessionEvent, turnId = 't1'): SessionEnvelope => ({
  seq,
  at: seq,
  sessionId,
  turnId,
  event,
});

export async function show(
  shown: SessionView | null,
  more: EngineAnswers = {},
  events: readonly SessionEnvelope[] = [],
) {
  asked = [];
  const note =
    <Result,>(call: string, result: Result) =>
    (request: unknown): Result => {
      asked.push([call, request]);
      return result;
    };
  const item = { sessionId, catalogue, startedAt: 1, changedAt: 2, turnCount: 1, title: 'hello' };
  window = openTestWindow({
    listConversations: (request) =>
      shown === null || request?.isGone === true ? [] : [item, { ...item, sessionId: asSessionId('s2'), title: '' }],
    startConversation: note('start', { sessionId }),
    openConversation: () => shown ?? view({ seq: -1, lastSeq: -1 }),
    followConversation: () => undefined,
    leaveConversation: () => undefined,
    readConversation: () => shown ?? view(),
    readConversationEvents: () => events,
    sayInConversation: note('say', { messageId: 'm' }),
    rollBackConversation: note('rollBack', { effects: [] }),
    cancelTurn: note('cancel', undefined),
    ...more,
  });
  window.engine.connect();
  element = window.draw(
    <ConversationView file={{ ...loadingFile(path, 'dialogue'), ...uncheckedText, status: 'ready' }} />,
  );
  await window.settle();
  await window.settle();
}

export function button(name: string | RegExp): HTMLButtonElement {
  const all = [...document.querySelectorAll<HTMLButtonElement>('button')];
  const found = all.find((one) => {
    const label = one.getAttribute('aria-label') ?? one.textContent ?? '';
    return typeof name === 'string' ? label === name : name.test(label);
  });
  if (found === undefined) throw new Error(`No button ${name}`);
  return found;
}

export async function click(target: HTMLElement): Promise<void> {
  act(() => target.click());
  await window.settle();
}

export async function type(field: HTMLInputElement | HTMLTextAreaElement | null, value: string): Promise<void> {
  if (field === null) throw new Error('No field');
  act(() => {
    field.focus();
    typeInto(field, value);
  });
  await window.settle();
}

export async function press(field: HTMLElement | null, key: string): Promise<void> {
  act(() => void field?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
  await window.settle();
}

export const composer = () => element.querySelector<HTMLTextAreaElement>('[aria-label="Message"]');

export function birth(flowName: string) {
  const base = { flowId: flowName, flowName, intent: 'Read', metadata: {}, planId: null, stackedOn: null } as const;
  return { ...base, fallbackFrom: [], by: 'user', isUncertain: false } as const;
}
