/**
 * Folds events to a conversation's state. The window, the command line, the store and every operation use this
 * function. It accepts any event in any state: an event that cannot be applied, for example because its flow no longer
 * exists, changes nothing.
 */
import { cutText } from '../../base/cut-text.ts';
import { withObjective, withObjectiveMessage } from '../plans/objective.ts';
import { addSubFlows, changePlan, recordPlanProgress, recordPlanRun } from '../plans/plan-record.ts';
import type { SessionEnvelope, SessionEvent } from './session-event.ts';
import {
  type FlowBirth,
  type FlowInstance,
  type FlowStatus,
  isAboutElse,
  isOver,
  isSameQuestion,
  type SessionState,
} from './session-state.ts';

/** Maximum number of scratchpad entries. The least recently used one is removed first. */
const scratchpadSize = 64;

const keptMessages = 20;
const keptTurnIds = 50;
/** Maximum number of characters in a message that is part of the state. The log contains the full text. */
const keptText = 4000;

/**
 * Returns the state after an event. An event that is already included (by `seq`) or has an unknown type changes at most
 * the number. Never modifies `state`, and never throws.
 */
export function foldSession(state: SessionState, { seq, event }: Pick<SessionEnvelope, 'seq' | 'event'>): SessionState {
  return seq <= state.seq ? state : { ...applyEvent(state, event), seq };
}

/** Returns the state after an event without a number. */
export function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  const apply = Object.hasOwn(appliers, event.type) ? (appliers[event.type] as Applier) : undefined;
  return apply === undefined ? state : apply(state, event);
}

type Applier = (state: SessionState, event: SessionEvent) => SessionState;
type Appliers = {
  readonly [T in SessionEvent['type']]: (
    state: SessionState,
    event: Extract<SessionEvent, { readonly type: T }>,
  ) => SessionState;
};

/** Returns the initial state of a flow. */
export function newFlow(birth: FlowBirth): FlowInstance {
  return {
    ...birth,
    status: 'Pending',
    slots: {},
    turnIds: [],
    stage: '',
    result: null,
    dependsOn: [],
    runId: null,
    waitsFor: null,
    recoveries: 0,
  };
}

function changeFlow(
  state: SessionState,
  flowId: string,
  change: (flow: FlowInstance) => Partial<FlowInstance>,
): SessionState {
  const { turn } = state;
  const changed = (flow: FlowInstance): FlowInstance => {
    if (flow.flowId !== flowId) return flow;
    const turnIds = turn === null || flow.turnIds.includes(turn.turnId) ? flow.turnIds : [...flow.turnIds, turn.turnId];
    return { ...flow, ...change(flow), turnIds: turnIds.slice(-keptTurnIds) };
  };
  return { ...state, stack: state.stack.map(changed), internal: state.internal.map(changed) };
}

/** Sets the status of a flow. Final statuses never change, whatever an event requests. */
function setStatus(state: SessionState, flowId: string, status: FlowStatus): SessionState {
  return changeFlow(state, flowId, (flow) => (isOver(flow) ? {} : { status }));
}

function popFlow(state: SessionState, { flowId }: Extract<SessionEvent, { readonly type: 'stack:pop' }>): SessionState {
  const flow = state.stack.find((one) => one.flowId === flowId);
  if (flow === undefined) return state;
  const { turn } = state;
  const popped: SessionState = {
    ...state,
    stack: state.stack.filter((one) => one !== flow),
    plans: state.plans.filter(({ planId }) => planId !== flowId),
    turn: turn === null ? null : { ...turn, popped: [...turn.popped, flow] },
  };
  if (flow.planId === null) return popped;
  return changePlan(popped, flow.planId, ({ subFlows, isReplanDue }) => {
    const part = subFlows.find((sub) => sub.flowId === flowId);
    // A part that the last review has removed contributes nothing new.
    if (part === undefined || part.status === 'pruned') return {};
    return { isReplanDue: isReplanDue || subFlows.some(({ status }) => status === 'pending') };
  });
}

/** Reorders the flows in `order` among their own positions. All others keep theirs. */
function reorderStack(stack: readonly FlowInstance[], order: readonly string[]): readonly FlowInstance[] {
  const moved = order.flatMap((id) => stack.find(({ flowId }) => flowId === id) ?? []);
  const ids = new Set(moved.map(({ flowId }) => flowId));
  return stack.map((flow) => (ids.has(flow.flowId) ? (moved.shift() ?? flow) : flow));
}

function writeNotes(
  state: SessionState,
  event: Extract<SessionEvent, { readonly type: 'scratchpad:write' }>,
): SessionState {
  const { flowId, flowName, entries, replaces } = event;
  // An entry that is written again counts as used.
  const isAgain = (text: string) => entries.some((entry) => entry.text === text);
  const kept = state.scratchpad.filter(({ id, text }) => !replaces.includes(id) && !isAgain(text));
  const written = entries.map(({ id, text }) => ({ id, text, flowId, flowName }));
  return {
    ...state,
    scratchpad: [...kept, ...written].slice(-scratchpadSize),
    noteCount: state.noteCount + entries.length,
  };
}

function say(state: SessionState, from: 'user' | 'assistant', text: string): SessionState {
  return { ...state, messages: [...state.messages, { from, text: cutText(text, keptText) }].slice(-keptMessages) };
}

function startTurn(
  state: SessionState,
  { turnId, messageId }: Extract<SessionEvent, { readonly type: 'turn:start' }>,
): SessionState {
  const message = state.queue.find((queued) => queued.messageId === messageId);
  if (message === undefined) return state;
  return {
    ...(message.text === '' ? state : say(state, 'user', message.text)),
    stack: withObjectiveMessage(state.stack, message.text),
    queue: state.queue.filter((queued) => queued !== message),
    turn: { turnId, message, completed: 0, popped: [] },
    turnCount: state.turnCount + 1,
    keepGoing: false,
    hasIssues: false,
  };
}

/** Counts the turn that first asked a question, and later turns only if they were about it. */
function turnsWithQuestion(state: SessionState): number {
  const { ambiguousTurns } = state;
  return ambiguousTurns > 0 && isAboutElse(state) ? ambiguousTurns : ambiguousTurns + 1;
}

const appliers: Appliers = {
  'session:start': (state, { catalogue }) => ({ ...state, catalogue }),
  message(state, event) {
    if (event.from === 'assistant') return say(state, 'assistant', event.text);
    const { messageId, text, action } = event;
    return { ...state, queue: [...state.queue, { messageId, text, ...(action === undefined ? {} : { action }) }] };
  },
  'conversation:summary': (state, { text }) => ({ ...state, summary: cutText(text, keptText) }),
  'nlu:predicted': (state, { type: _, ...prediction }) => ({ ...state, prediction }),
  'step:result': (state) => state,
  'governance:decision': (state) => state,
  'state:flags': (state, { keepGoing = state.keepGoing, hasIssues = state.hasIssues }) => ({
    ...state,
    keepGoing,
    hasIssues,
  }),
  'recovery:step': (state, { flowId, step }) => ({
    ...changeFlow(state, flowId, ({ recoveries }) => ({ recoveries: recoveries + 1 })),
    hasIssues: true,
    keepGoing: state.keepGoing || step === 'skip',
  }),
  'stack:push'(state, { type: _, position, depth: __, ...birth }) {
    const flow = newFlow(withObjective(birth, state));
    const stack = [...state.stack.slice(0, position), flow, ...state.stack.slice(position)];
    return changeFlow({ ...state, stack, flowCount: state.flowCount + 1 }, birth.flowId, () => ({}));
  },
  'stack:cover': (state, { flowId }) => recordPlanProgress(setStatus(state, flowId, 'Pending'), flowId, 'pending'),
  'stack:activate': (state, { flowId }) =>
    recordPlanProgress(setStatus(state, flowId, 'Active'), flowId, 'in_progress'),
  'stack:complete'(state, { flowId, result }) {
    const { turn } = state;
    const ended = changeFlow(state, flowId, (flow) =>
      isOver(flow) ? {} : { status: 'Completed', result, waitsFor: null },
    );
    return {
      ...recordPlanProgress(ended, flowId, 'completed'),
      turn: turn === null ? null : { ...turn, completed: turn.completed + 1 },
      // Flows that wait below continue.
      keepGoing: ended.stack.some((flow) => !isOver(flow)),
    };
  },
  'stack:invalidate'(state, { flowId, reason }) {
    const ended = changeFlow(state, flowId, (flow) => (isOver(flow) ? {} : { status: 'Invalid', waitsFor: null }));
    return reason === 'fallback' ? ended : recordPlanProgress(ended, flowId, reason === 'prune' ? 'pruned' : 'skipped');
  },
  'stack:pop': popFlow,
  'stack:fallback': (state, { fromFlowId, toFlowId, toFlowName }) => ({
    ...state,
    plans: state.plans.map((plan) => ({
      ...plan,
      subFlows: plan.subFlows.map((sub) =>
        sub.flowId === fromFlowId ? { flowId: toFlowId, flowName: toFlowName, status: 'pending' } : sub,
      ),
    })),
  }),
  'slot:filled': (state, { flowId, slot, value }) =>
    changeFlow(state, flowId, ({ slots }) => ({ slots: { ...slots, [slot]: value } })),
  'slot:rejected': (state) => state,
  'flow:run': (state, { flowId, runId }) =>
    recordPlanRun(
      changeFlow(state, flowId, () => ({ runId, waitsFor: null })),
      flowId,
      runId,
    ),
  'flow:stopped': (state, { flowId }) =>
    changeFlow(state, flowId, ({ metadata: { covered_run: _, found: __, ...metadata } }) => ({
      ...{ waitsFor: null, stage: '', metadata },
    })),
  'flow:progress': (state, { flowId, stage, metadata = {} }) =>
    changeFlow(state, flowId, (flow) => ({
      stage: stage ?? flow.stage,
      metadata: { ...flow.metadata, ...metadata },
    })),
  'flow:waits': (state, { flowId, for: waitsFor }) => changeFlow(state, flowId, () => ({ waitsFor })),
  'ambiguity:declared': (state, { type: _, ...record }) => ({
    ...state,
    ambiguity: record,
    ambiguousTurns: isSameQuestion(state.ambiguity, record) ? state.ambiguousTurns : 0,
    ambiguityCounts: { ...state.ambiguityCounts, [record.level]: state.ambiguityCounts[record.level] + 1 },
  }),
  'ambiguity:resolved': (state) => ({ ...state, ambiguity: null, ambiguousTurns: 0 }),
  'plan:decomposed': (state, { planId, subFlows }) => ({ ...addSubFlows(state, planId, subFlows), keepGoing: true }),
  'plan:replan'(state, { planId, decision, after, added }) {
    const looked = changePlan(state, planId, () => ({ isReplanDue: false }));
    if (decision === 'expand') return addSubFlows(looked, planId, added);
    return decision === 'reorder' ? { ...looked, stack: reorderStack(looked.stack, after) } : looked;
  },
  'plan:assessed': (state, { planId, done, newSubFlows }) =>
    done ? state : { ...addSubFlows(state, planId, newSubFlows), keepGoing: true },
  'plan:abandoned': (state, { planId }) => changePlan(state, planId, () => ({ isReplanDue: false })),
  'scratchpad:write': writeNotes,
  'scratchpad:use'(state, { ids }) {
    const used = state.scratchpad.filter(({ id }) => ids.includes(id));
    return { ...state, scratchpad: [...state.scratchpad.filter((entry) => !used.includes(entry)), ...used] };
  },
  'internal:schedule'(state, { flowId, flowName, dependsOn }) {
    const flow = newFlow({
      ...{ flowId, flowName, intent: 'Internal', metadata: {}, planId: null, stackedOn: null },
      ...{ fallbackFrom: [], by: 'agent', isUncertain: false },
    });
    const internal = [...state.internal, { ...flow, dependsOn }];
    return changeFlow({ ...state, internal, flowCount: state.flowCount + 1 }, flowId, () => ({}));
  },
  'internal:start': (state, { flowId }) => setStatus(state, flowId, 'Active'),
  'internal:end': (state, { flowId }) => ({
    ...state,
    internal: state.internal.filter((flow) => flow.flowId !== flowId),
  }),
  'turn:start': startTurn,
  'turn:end': (state) => ({
    ...state,
    turn: null,
    keepGoing: false,
    ambiguousTurns: state.ambiguity === null ? 0 : turnsWithQuestion(state),
  }),
  // Ids of rolled-back flows and notes are never reused, because runs and windows refer to them.
  'turn:rolledback': (state, event) => ({
    ...event.state,
    flowCount: Math.max(state.flowCount, event.state.flowCount),
    noteCount: Math.max(state.noteCount, event.state.noteCount),
  }),
};
