/**
 * One model call: what the model received, its thinking and its response as they arrive, and what it cost.
 */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import type { ModelCall } from '../../stores/runs/live/model-calls.ts';
import { useReadValue } from '../../stores/stores-context.tsx';
import { costText, durationText } from '../../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../../ui/state-icon.tsx';
import { isLargeValue } from '../../ui/value-parts.ts';
import { StreamedText } from '../values/value-text.tsx';
import { ValueView } from '../values/value-view.tsx';
import { text } from './text.ts';
import './model-call.css';

const words = text.model;

/** Longer messages of a user are folded. */
const shortMessage = 600;
const previewLength = 160;

/** Returns the start of a value on one line. */
function previewOf(value: JsonValue): string {
  const whole = isLargeValue(value) ? value.preview : typeof value === 'string' ? value : JSON.stringify(value);
  return whole.slice(0, previewLength).replaceAll(/\s+/g, ' ').trim();
}

interface CallPartProps {
  readonly label: string;
  /** Shown while it is folded. */
  readonly preview: string;
  /** Whether it is unfolded until the user folds it. */
  readonly isOpenFirst: boolean;
  readonly children: ReactNode;
}

/** A part of a call that can be folded. */
function CallPart({ label, preview, isOpenFirst, children }: CallPartProps) {
  const [chosen, choose] = useState<boolean | null>(null);
  const isOpen = chosen ?? isOpenFirst;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="call-part">
      <button type="button" className="call-part-head" aria-expanded={isOpen} onClick={() => choose(!isOpen)}>
        <Chevron aria-hidden size={12} />
        <span className="call-part-label">{label}</span>
        {isOpen ? null : <span className="call-part-preview">{preview}</span>}
      </button>
      {isOpen ? <div className="call-part-body">{children}</div> : null}
    </div>
  );
}

interface ValuePartProps {
  readonly label: string;
  readonly value: JsonValue;
  readonly isOpenFirst: boolean;
}

function ValuePart({ label, value, isOpenFirst }: ValuePartProps) {
  const readLarge = useReadValue();
  return (
    <CallPart label={label} preview={previewOf(value)} isOpenFirst={isOpenFirst}>
      <ValueView label={label} value={value} readLarge={readLarge} />
    </CallPart>
  );
}

/** Returns the label of a message's role. A role of a newer version is its own label. */
function roleText(role: JsonValue | undefined): string {
  return words.roles[role as keyof typeof words.roles] ?? String(role ?? '');
}

/** Attachments and tool calls are shown as values, after the text. */
function MessagePart({ message }: { readonly message: JsonMap }) {
  const { role, content = '', attachments, toolCalls } = message;
  const isShort = typeof content === 'string' && content.length <= shortMessage;
  return (
    <>
      {content === '' ? null : (
        <ValuePart label={roleText(role)} value={content} isOpenFirst={role === 'user' && isShort} />
      )}
      {attachments === undefined ? null : (
        <ValuePart label={words.attachments} value={attachments} isOpenFirst={false} />
      )}
      {toolCalls === undefined ? null : <ValuePart label={words.toolCalls} value={toolCalls} isOpenFirst={false} />}
    </>
  );
}

/** What the model received. A list that is stored elsewhere, or is not as expected, is shown as it is. */
const Messages = memo(function Messages({ messages }: { readonly messages: JsonValue }) {
  if (!Array.isArray(messages)) return <ValuePart label={words.messages} value={messages} isOpenFirst={false} />;
  return messages.map((message, index) =>
    isJsonMap(message) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a call never change
      <MessagePart key={index} message={message} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a call never change
      <ValuePart key={index} label={words.messages} value={message} isOpenFirst={false} />
    ),
  );
});

interface ResponsePartProps {
  readonly label: string;
  readonly value: JsonValue;
  /** Whether the rest is still to come. */
  readonly isLive: boolean;
  readonly isOpenFirst: boolean;
}

/** Thinking or the text of a response. Empty if there is none. */
function ResponsePart({ label, value, isLive, isOpenFirst }: ResponsePartProps) {
  if (value === '') return null;
  if (typeof value !== 'string' || !isLive) return <ValuePart label={label} value={value} isOpenFirst={isOpenFirst} />;
  return (
    <CallPart label={label} preview={previewOf(value)} isOpenFirst={isOpenFirst}>
      <section aria-label={label}>
        <StreamedText text={value} isLive />
      </section>
    </CallPart>
  );
}

type CallMark = 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled';

function stateOf({ end }: ModelCall, isActive: boolean): CallMark {
  if (end === undefined) return isActive ? 'running' : 'interrupted';
  if (end.response !== undefined) return 'completed';
  return end.problem === undefined ? 'cancelled' : 'failed';
}

/** Returns what is shown to the right of the name of a call. */
function stateText({ rate, end }: ModelCall, state: CallMark): string {
  if (end?.response !== undefined) return durationText(end.response.durationMs);
  const speed = rate?.tokensPerSecond ?? null;
  if (state === 'running' && speed !== null) return words.streaming({ count: Math.round(speed) });
  return visualStateLabels[state];
}

/** Ways in which responses usually end. */
const usualReasons: ReadonlySet<string> = new Set(['stop', 'tool-calls']);

/** Returns tokens per second of a response, without the wait for its first token. Undefined if that is not known. */
function speedOf({ firstAt, end }: ModelCall): number | undefined {
  const tokens = end?.response?.usage?.completionTokens;
  const ms = (end?.at ?? 0) - (firstAt ?? 0);
  // Responses that were not streamed arrive at once.
  return tokens === undefined || firstAt === undefined || ms < 100 ? undefined : (tokens * 1000) / ms;
}

function factsOf(call: ModelCall): readonly string[] {
  const { startedAt, firstAt, end } = call;
  const { usage, costUsd, finishReason = 'stop', fromCassette = false } = end?.response ?? {};
  const speed = speedOf(call);
  const cost = costText(costUsd, undefined);
  return [
    ...(fromCassette ? [words.replayed] : []),
    ...(firstAt === undefined || fromCassette ? [] : [words.firstToken({ time: durationText(firstAt - startedAt) })]),
    ...(speed === undefined || fromCassette ? [] : [words.speed({ count: Math.round(speed) })]),
    ...(usage === undefined ? [] : [words.prompt({ count: usage.promptTokens })]),
    ...(usage?.cachedTokens ? [words.cached({ count: usage.cachedTokens })] : []),
    ...(usage === undefined ? [] : [words.response({ count: usage.completionTokens })]),
    ...(cost === null ? [] : [cost]),
    ...(usualReasons.has(finishReason) ? [] : [words.ended({ reason: finishReason })]),
  ];
}

const inputTask = 'input:';

/** Returns the attempt if it is not the first one, and the input of the agent that made the call. */
function workOf({ taskId, place }: ModelCall, attempt: number): readonly string[] {
  const isInput = taskId?.startsWith(inputTask) === true && taskId !== place;
  return [
    ...(attempt === 1 ? [] : [words.attempt({ number: attempt })]),
    ...(isInput ? [words.input({ number: Number(taskId.slice(inputTask.length)) + 1 })] : []),
  ];
}

interface ModelCallProps {
  readonly call: ModelCall;
  /** Among the calls of its node, from 1. */
  readonly number: number;
  /** Of its node, from 1. */
  readonly attempt: number;
  /** Whether its node runs. */
  readonly isActive: boolean;
}

/** Ended calls are not rendered again while another one streams. */
export const ModelCallItem = memo(function ModelCallItem({ call, number, attempt, isActive }: ModelCallProps) {
  const { model = '', messages, thinking, text: answer, end } = call;
  const state = stateOf(call, isActive);
  const isLive = state === 'running';
  const title = [words.call({ number }), ...workOf(call, attempt)].join(', ');
  const facts = factsOf(call);
  return (
    <li className="model-call" data-state={state} aria-label={title}>
      <header className="model-call-head">
        <StateIcon state={state} isDecorative />
        <h4 className="model-call-title">{title}</h4>
        <span className="model-call-name" title={model}>
          {model}
        </span>
        <span className="model-call-state">{stateText(call, state)}</span>
      </header>
      {facts.length === 0 ? null : <p className="model-call-facts">{facts.join(' · ')}</p>}
      <Messages messages={messages} />
      <ResponsePart
        label={words.thinking}
        value={thinking}
        isLive={isLive && answer === ''}
        isOpenFirst={isLive && answer === ''}
      />
      <ResponsePart label={words.answer} value={answer} isLive={isLive} isOpenFirst />
      {isLive && thinking === '' && answer === '' ? <p className="inspector-note">{words.waiting}</p> : null}
      {state === 'interrupted' ? <p className="inspector-note">{words.interrupted}</p> : null}
      {end?.problem === undefined ? null : (
        <p className="model-call-problem" data-selectable>
          {end.problem}
        </p>
      )}
    </li>
  );
});
