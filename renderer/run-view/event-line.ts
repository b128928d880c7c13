/**
 * Converts events to lines of a log: node and text.
 */
import { assertNever, baseNodeId, type EventEnvelope } from '../../engine/isomorphic.ts';
import { nodeOfTask } from '../stores/runs/live/event-place.ts';
import { toolAnswer } from '../stores/runs/live/tool-calls.ts';
import { durationText } from '../ui/quantity-text.ts';
import { shortValue } from './log/short-value.ts';
import { text } from './log/text.ts';
import {
  askLine,
  heldText,
  inputText,
  type LineText,
  notReachedText,
  reusedText,
  skippedText,
  stopLine,
  withDetail,
} from './people-lines.ts';

interface EventLine extends Omit<LineText, 'nodeId'> {
  readonly seq: number;
  /** Milliseconds since the run began. */
  readonly offsetMs: number;
  /** Node that the event is about, if any. */
  readonly nodeId: string | null;
}

function startedText(type: string | undefined, resumed: boolean): string {
  const { started, startedAs, startedAgain, startedAgainAs } = text.node;
  if (type === undefined) return resumed ? startedAgain : started;
  return resumed ? startedAgainAs({ type }) : startedAs({ type });
}

function triedOf({ durationMs, attempts }: { readonly durationMs: number; readonly attempts: number }) {
  return { duration: durationText(durationMs), attempts };
}

function taskLine(event: Extract<EventEnvelope['event'], { type: `task:${string}` }>): LineText {
  const { nodeId } = event;
  switch (event.type) {
    case 'task:start':
      return { nodeId, tone: 'plain', text: startedText(event.nodeType, event.resumed === true) };
    case 'task:complete':
      return {
        nodeId,
        tone: 'good',
        text: withDetail(text.node.completed(triedOf(event)), shortValue(event.result)),
      };
    case 'task:failed':
      return {
        nodeId,
        tone: 'bad',
        text: withDetail(text.node.failed(triedOf(event)), event.error.message),
      };
    case 'task:cancelled':
      return {
        nodeId,
        tone: 'quiet',
        text: event.reason === 'cancel' ? text.node.canceled : text.node.canceledByFailure,
      };
    case 'task:skipped':
      return { nodeId, tone: 'quiet', text: withDetail(text.node.skipped, event.reason) };
    default:
      return assertNever(event);
  }
}

function nodeLine(event: Extract<EventEnvelope['event'], { type: `node:${string}` | `edge:${string}` }>): LineText {
  switch (event.type) {
    case 'node:skipped':
      return { nodeId: event.nodeId, tone: 'quiet', text: skippedText(event) };
    case 'node:input':
      return { nodeId: event.nodeId, tone: 'quiet', text: inputText(event, shortValue(event.input)) };
    case 'node:retry':
      return {
        nodeId: event.nodeId,
        tone: 'bad',
        text: withDetail(
          text.node.retry({ attempt: event.attempt, duration: durationText(event.delayMs) }),
          event.error.message,
        ),
      };
    case 'node:reused':
      return {
        nodeId: event.nodeId,
        tone: 'good',
        text: withDetail(reusedText(event), shortValue(event.output)),
      };
    case 'node:held':
      return { nodeId: event.nodeId, tone: 'plain', text: heldText(event) };
    case 'node:suspended':
      return { nodeId: event.nodeId, tone: 'plain', text: withDetail(text.node.waits, event.request.message) };
    case 'edge:fired':
      return { nodeId: event.to, tone: 'quiet', text: text.node.reached({ node: baseNodeId(event.from) }) };
    case 'edge:skipped':
      return { nodeId: event.to, tone: 'quiet', text: notReachedText(event) };
    default:
      return assertNever(event);
  }
}

function workLine(
  event: Exclude<
    Extract<EventEnvelope['event'], { type: `${'agent' | 'model' | 'call' | 'step' | 'plan'}:${string}` | 'trace' }>,
    { type: `agent:tool:${string}` }
  >,
): LineText {
  switch (event.type) {
    case 'agent:start':
      return { tone: 'quiet', text: text.agent.started({ name: event.agentName }) };
    case 'agent:complete':
      return { tone: 'quiet', text: text.agent.ended({ name: event.agentName }) };
    case 'agent:failed':
      return { tone: 'bad', text: withDetail(text.agent.failed({ name: event.agentName }), event.error.message) };
    case 'agent:text':
    case 'agent:thinking':
      return { tone: 'quiet', text: event.content };
    case 'model:request':
      return { tone: 'quiet', text: text.agent.prompt(event) };
    case 'model:response': {
      const facts = { duration: durationText(event.durationMs), reason: event.finishReason };
      const tokens = event.usage?.completionTokens;
      const { response, responseOf } = text.agent;
      return { tone: 'quiet', text: tokens === undefined ? response(facts) : responseOf({ ...facts, tokens }) };
    }
    case 'trace':
      return { tone: 'plain', text: withDetail(text.agent.trace(event), shortValue(event.data)) };
    case 'call:complete':
      return {
        tone: 'quiet',
        text: text.agent.callResult({ name: event.callKey.split(':')[0] ?? '', value: shortValue(event.result) }),
      };
    case 'step:meta':
      return { tone: 'quiet', text: withDetail(text.agent.stepMeta, shortValue(event.meta)) };
    case 'plan:proposed':
      return { tone: 'plain', text: withDetail(text.agent.plan, event.plan.summary) };
    case 'plan:invalid':
      return { tone: 'bad', text: withDetail(text.agent.invalidPlan, event.error) };
    default:
      return assertNever(event);
  }
}

type ToolWords = Extract<EventEnvelope['event'], { type: `agent:tool:${string}` | `tool:${string}` }>;

/** Lines for tool calls and their results. */
function toolLine(event: ToolWords): LineText {
  switch (event.type) {
    case 'agent:tool:start':
      return { tone: 'plain', text: text.tool.requested({ name: event.toolName, value: shortValue(event.input) }) };
    case 'agent:tool:complete':
      return {
        tone: event.isError ? 'bad' : 'quiet',
        text: withDetail(text.tool.reported({ name: event.toolName }), shortValue(event.result)),
      };
    case 'tool:attempt':
      return { tone: 'quiet', text: text.tool.called({ name: event.tool, value: shortValue(event.params) }) };
    case 'tool:retry':
      return {
        tone: 'bad',
        text: withDetail(
          text.tool.retry({ name: event.tool, attempt: event.attempt, duration: durationText(event.delayMs) }),
          event.error.message,
        ),
      };
    case 'tool:result': {
      const { tool: name, isError } = event;
      const facts = { name, value: shortValue(toolAnswer(event.result)), duration: durationText(event.durationMs) };
      return {
        tone: isError ? 'bad' : 'good',
        text: isError ? text.tool.failed(facts) : text.tool.returned(facts),
      };
    }
    default:
      return assertNever(event);
  }
}

type OwnWords = Extract<
  EventEnvelope['event'],
  { type: `stage:${string}` | 'pin' | 'label' | 'log' | 'governance:decision' }
>;

/** Lines for the actions and output of an agent's scripts. */
function scriptLine(event: OwnWords): LineText {
  switch (event.type) {
    case 'stage:start':
      return { tone: 'quiet', text: text.agent.started({ name: event.stage }) };
    case 'stage:end':
      return { tone: 'quiet', text: text.agent.endedAfter({ name: event.stage, duration: durationText(event.ms) }) };
    case 'pin':
      return { tone: 'plain', text: withDetail(text.agent.pinned({ name: event.label ?? event.iden }), event.content) };
    case 'label':
      return { tone: 'quiet', text: text.agent.label({ name: event.text }) };
    case 'log':
      return {
        tone: event.level === 'warn' || event.level === 'error' ? 'bad' : event.level === 'print' ? 'plain' : 'quiet',
        text: event.text,
      };
    case 'governance:decision': {
      const { effect, target, place, allowed } = event;
      const rule = [event.rule, place].filter(Boolean).join(', ');
      return {
        tone: allowed ? 'quiet' : 'bad',
        text: (allowed ? text.decision.allowed : text.decision.denied)({ effect, target, rule }),
      };
    }
    default:
      return assertNever(event);
  }
}

function phaseLine(event: Extract<EventEnvelope['event'], { type: `phase:${string}` }>): LineText {
  switch (event.type) {
    case 'phase:start':
      return { tone: 'quiet', text: text.phase.started(event) };
    case 'phase:complete':
      return { tone: 'quiet', text: text.phase.completed(event) };
    case 'phase:cancelled':
      return { tone: 'quiet', text: text.phase.cancelled(event) };
    case 'phase:failed':
      return { tone: 'bad', text: withDetail(text.phase.failed(event), event.error.message) };
    default:
      return assertNever(event);
  }
}

function endLine({ status, durationMs, error }: Extract<EventEnvelope['event'], { type: 'run:end' }>): LineText {
  return {
    tone: status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'quiet',
    text: withDetail(text.run[status]({ duration: durationText(durationMs) }), error?.message),
  };
}

function lineOf(event: EventEnvelope['event']): LineText {
  switch (event.type) {
    case 'run:start':
      return { tone: 'plain', text: text.run.started({ path: event.sourcePath, inputs: shortValue(event.inputs) }) };
    case 'run:end':
      return endLine(event);
    case 'run:refused':
    case 'run:suspended':
    case 'run:resumed':
      return stopLine(event);
    case 'phase:start':
    case 'phase:complete':
    case 'phase:cancelled':
    case 'phase:failed':
      return phaseLine(event);
    case 'task:start':
    case 'task:complete':
    case 'task:failed':
    case 'task:cancelled':
    case 'task:skipped':
      return taskLine(event);
    case 'node:skipped':
    case 'node:input':
    case 'node:retry':
    case 'node:reused':
    case 'node:held':
    case 'node:suspended':
    case 'edge:fired':
    case 'edge:skipped':
      return nodeLine(event);
    case 'approval:requested':
    case 'input:requested':
    case 'approval:resolved':
    case 'input:received':
    case 'input:refused':
      return askLine(event);
    case 'stage:start':
    case 'stage:end':
    case 'pin':
    case 'label':
    case 'log':
    case 'governance:decision':
      return scriptLine(event);
    case 'agent:tool:start':
    case 'agent:tool:complete':
    case 'tool:attempt':
    case 'tool:retry':
    case 'tool:result':
      return toolLine(event);
    default:
      return workLine(event);
  }
}

/** Converts an event to a line. `startedAt` is when the run began (epoch milliseconds). */
export function eventLine(envelope: EventEnvelope, startedAt: number): EventLine {
  const { nodeId, tone, text: line } = lineOf(envelope.event);
  return {
    seq: envelope.seq,
    offsetMs: envelope.at - startedAt,
    nodeId: nodeId ?? nodeOfTask(envelope),
    tone,
    text: line,
  };
}
