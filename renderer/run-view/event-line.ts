/**
 * Converts events to lines of a log: node and text.
 */
import { assertNever, type EventEnvelope, explainWhen, type JsonValue } from '../../engine/isomorphic.ts';
import { nodeOfTask } from '../stores/runs/live/event-place.ts';
import { toolAnswer } from '../stores/runs/live/tool-calls.ts';
import { durationText } from '../ui/quantity-text.ts';
import { askLine, type LineText, stopLine } from './people-lines.ts';

interface EventLine extends Omit<LineText, 'nodeId'> {
  readonly seq: number;
  /** Milliseconds since the run began. */
  readonly offsetMs: number;
  /** Node that the event is about, if any. */
  readonly nodeId: string | null;
}

const longestValue = 160;

/** Returns a value in one line, truncated. */
function shortValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

function attemptsText(attempts: number): string {
  return attempts > 1 ? ` in attempt ${attempts}` : '';
}

function taskLine(event: Extract<EventEnvelope['event'], { type: `task:${string}` }>): LineText {
  const { nodeId } = event;
  switch (event.type) {
    case 'task:start':
      return {
        nodeId,
        tone: 'plain',
        text: `${event.resumed ? 'started again' : 'started'}${event.nodeType === undefined ? '' : `, ${event.nodeType}`}`,
      };
    case 'task:complete':
      return {
        nodeId,
        tone: 'good',
        text: `completed after ${durationText(event.durationMs)}${attemptsText(event.attempts)}: ${shortValue(event.result)}`,
      };
    case 'task:failed':
      return {
        nodeId,
        tone: 'bad',
        text: `failed after ${durationText(event.durationMs)}${attemptsText(event.attempts)}: ${event.error.message}`,
      };
    case 'task:cancelled':
      return {
        nodeId,
        tone: 'quiet',
        text: event.reason === 'cancel' ? 'cancelled' : 'cancelled, another node failed',
      };
    case 'task:skipped':
      return { nodeId, tone: 'quiet', text: `skipped${event.reason === '' ? '' : `: ${event.reason}`}` };
    default:
      return assertNever(event);
  }
}

function nodeLine(event: Extract<EventEnvelope['event'], { type: `node:${string}` | `edge:${string}` }>): LineText {
  switch (event.type) {
    case 'node:skipped':
      return { nodeId: event.nodeId, tone: 'quiet', text: `skipped: ${event.reason}` };
    case 'node:input':
      return { nodeId: event.nodeId, tone: 'quiet', text: `got ${shortValue(event.input)}` };
    case 'node:retry':
      return {
        nodeId: event.nodeId,
        tone: 'bad',
        text: `attempt ${event.attempt} failed, the next one in ${durationText(event.delayMs)}: ${event.error.message}`,
      };
    case 'node:reused':
      return {
        nodeId: event.nodeId,
        tone: 'good',
        text: `${event.pin === true ? 'pinned' : 'reused'}: ${shortValue(event.output)}`,
      };
    case 'node:suspended':
      return { nodeId: event.nodeId, tone: 'plain', text: `waits for a person: ${event.request.message}` };
    case 'edge:fired':
      return { nodeId: event.to, tone: 'quiet', text: `reached from ${event.from}` };
    case 'edge:skipped': {
      const cause = event.detail === undefined ? '' : `: ${explainWhen(event.detail)}`;
      return { nodeId: event.to, tone: 'quiet', text: `not reached from ${event.from}${cause}` };
    }
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
      return { tone: 'quiet', text: `${event.agentName} began` };
    case 'agent:complete':
      return { tone: 'quiet', text: `${event.agentName} ended` };
    case 'agent:failed':
      return { tone: 'bad', text: `${event.agentName} failed: ${event.error.message}` };
    case 'agent:text':
    case 'agent:thinking':
      return { tone: 'quiet', text: event.content };
    case 'model:request':
      return { tone: 'quiet', text: `asked ${event.provider} for ${event.model}` };
    case 'model:response': {
      const tokens = event.usage === undefined ? '' : `, ${event.usage.completionTokens} tokens`;
      return { tone: 'quiet', text: `answered in ${durationText(event.durationMs)}${tokens}, ${event.finishReason}` };
    }
    case 'trace':
      return { tone: 'plain', text: `tells ${event.name}: ${shortValue(event.data)}` };
    case 'call:complete':
      return { tone: 'quiet', text: `${event.callKey.split(':')[0]} gave ${shortValue(event.result)}` };
    case 'step:meta':
      return { tone: 'quiet', text: `notes ${shortValue(event.meta)}` };
    case 'plan:proposed':
      return { tone: 'plain', text: `proposes a plan: ${event.plan.summary}` };
    case 'plan:invalid':
      return { tone: 'bad', text: `proposes no plan: ${event.error}` };
    default:
      return assertNever(event);
  }
}

type ToolWords = Extract<EventEnvelope['event'], { type: `agent:tool:${string}` | `tool:${string}` }>;

/** Lines for tool calls and their results. */
function toolLine(event: ToolWords): LineText {
  switch (event.type) {
    case 'agent:tool:start':
      return { tone: 'plain', text: `the model asks for ${event.toolName} with ${shortValue(event.input)}` };
    case 'agent:tool:complete':
      return {
        tone: event.isError ? 'bad' : 'quiet',
        text: `the model is told of ${event.toolName}: ${shortValue(event.result)}`,
      };
    case 'tool:attempt':
      return { tone: 'quiet', text: `calls ${event.tool} with ${shortValue(event.params)}` };
    case 'tool:retry':
      return {
        tone: 'bad',
        text: `${event.tool} failed, attempt ${event.attempt} in ${durationText(event.delayMs)}: ${event.error.message}`,
      };
    case 'tool:result':
      return {
        tone: event.isError ? 'bad' : 'good',
        text: `${event.tool} ${event.isError ? 'failed with' : 'gave'} ${shortValue(toolAnswer(event.result))} after ${durationText(event.durationMs)}`,
      };
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
      return { tone: 'quiet', text: `${event.stage} began` };
    case 'stage:end':
      return { tone: 'quiet', text: `${event.stage} ended after ${durationText(event.ms)}` };
    case 'pin':
      return { tone: 'plain', text: `pinned ${event.label ?? event.iden}: ${event.content}` };
    case 'label':
      return { tone: 'quiet', text: `is called ${event.text}` };
    case 'log':
      return {
        tone: event.level === 'warn' || event.level === 'error' ? 'bad' : event.level === 'print' ? 'plain' : 'quiet',
        text: event.text,
      };
    case 'governance:decision': {
      const answer = event.allowed ? 'allowed' : 'refused';
      return {
        tone: event.allowed ? 'quiet' : 'bad',
        text: `${answer}: ${event.effect} ${event.target} (${[event.rule, event.place].filter(Boolean).join(', ')})`,
      };
    }
    default:
      return assertNever(event);
  }
}

function phaseLine(event: Extract<EventEnvelope['event'], { type: `phase:${string}` }>): LineText {
  if (event.type === 'phase:failed') return { tone: 'bad', text: `${event.name} failed: ${event.error.message}` };
  return { tone: 'quiet', text: `${event.name}: ${event.type.slice('phase:'.length)}` };
}

function endLine({ status, durationMs, error }: Extract<EventEnvelope['event'], { type: 'run:end' }>): LineText {
  return {
    tone: status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'quiet',
    text: `run ${status} after ${durationText(durationMs)}${error === undefined ? '' : `: ${error.message}`}`,
  };
}

function lineOf(event: EventEnvelope['event']): LineText {
  switch (event.type) {
    case 'run:start':
      return { tone: 'plain', text: `run of ${event.sourcePath} began with ${shortValue(event.inputs)}` };
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
  const { nodeId, tone, text } = lineOf(envelope.event);
  return {
    seq: envelope.seq,
    offsetMs: envelope.at - startedAt,
    nodeId: nodeId ?? nodeOfTask(envelope),
    tone,
    text,
  };
}
