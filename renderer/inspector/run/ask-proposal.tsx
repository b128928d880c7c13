/**
 * The proposal of a request, shown before the fields for the answer. All of it is shown as text, because its content is
 * not trusted.
 */
import { useState } from 'react';
import { useStore } from 'zustand';
import { type AskRequest, isJsonMap, type JsonValue, type RunId } from '../../../engine/isomorphic.ts';
import { useReadValue, useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { fullDateTimeText, shortTimeText } from '../../ui/quantity-text.ts';
import { useNow } from '../../ui/use-now.ts';
import { ValueView } from '../values/value-view.tsx';
import { text } from './text.ts';
import '../ask-form.css';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A longer message is shown like other long values. */
const longestMessage = 2000;

function Message({ message }: { message: string }) {
  const readLarge = useReadValue();
  if (message.length > longestMessage)
    return <ValueView label={text.request.message} value={message} readLarge={readLarge} />;
  return (
    <p className="ask-message" data-selectable>
      {message}
    </p>
  );
}

/**
 * For a request without a title, the first line of the message is the title. Removes it from the message, so that it is
 * shown once.
 */
function withoutTitle(body: string, title: string): string {
  if (body === title) return '';
  return body.startsWith(`${title}\n`) ? body.slice(title.length).trimStart() : body;
}

/** The content of the request, before the fields for the answer. */
export function Proposal({ request, askedAt }: { request: AskRequest; askedAt: number }) {
  const { title, message, deadlineAt } = request;
  const now = useNow(deadlineAt !== undefined, minuteMs);
  const isApproval = request.kind === 'approval';
  const details = withoutTitle(message ?? '', title);
  return (
    <>
      <h3 className="ask-title" data-selectable>
        {title}
      </h3>
      <p className="ask-facts">
        {isApproval && request.askedBy !== undefined ? `${text.request.requestedBy({ name: request.askedBy })} · ` : ''}
        <span title={fullDateTimeText(askedAt)}>{text.request.since({ time: shortTimeText(askedAt, now) })}</span>
        {deadlineAt === undefined ? '' : ` · ${dueText(deadlineAt, now)}`}
      </p>
      {details === '' ? null : <Message message={details} />}
      {isApproval && request.action !== undefined ? <Action action={request.action} /> : null}
      {isApproval && request.diff !== undefined ? <DiffLines diff={request.diff} /> : null}
      {isApproval && request.notes !== undefined && request.notes.length > 0 ? (
        <ul className="ask-notes" aria-label={text.request.notes} data-selectable>
          {request.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** The proposed action: a tool with its origin and risk, or anything else. */
function Action({ action }: { action: JsonValue }) {
  const readLarge = useReadValue();
  if (!isJsonMap(action) || typeof action['tool'] !== 'string') {
    return <ValueView label={text.request.proposedAction} value={action} readLarge={readLarge} />;
  }
  const { tool, risk, source, params } = action;
  return (
    <>
      <dl className="ask-tool" aria-label={text.request.toolCall}>
        <div>
          <dt>{text.request.tool}</dt>
          <dd>
            <code>{tool}</code>
          </dd>
        </div>
        {typeof source === 'string' ? (
          <div>
            <dt>{text.request.source}</dt>
            <dd>{source === 'core' ? 'Millrace' : source}</dd>
          </div>
        ) : null}
        {typeof risk === 'string' ? (
          <div>
            <dt>{text.request.risk}</dt>
            <dd data-risk={risk}>{risk}</dd>
          </div>
        ) : null}
      </dl>
      {params === undefined ? null : <ValueView label={text.request.input} value={params} readLarge={readLarge} />}
    </>
  );
}

/** Maximum number of characters to show of the last response. */
const longestSaid = 1200;

/** The response of the model before the node made this request, which often explains it. */
export function EarlierProposalMessages({ runId, nodeId }: { runId: RunId; nodeId: string }) {
  const { liveRuns } = useStores();
  const said = useStore(
    liveRuns,
    ({ runs }) =>
      runs
        .get(runId)
        ?.state.nodes.get(nodeId.split('/')[0] ?? '')
        ?.text?.trim() ?? '',
  );
  if (said === '') return null;
  return (
    <blockquote className="ask-said" aria-label={text.request.responseBefore} data-selectable>
      {said.length > longestSaid ? `… ${said.slice(-longestSaid)}` : said}
    </blockquote>
  );
}

function dueText(deadlineAt: number, now: number): string {
  return text.request.due({ time: fullDateTimeText(deadlineAt), left: deadlineText(deadlineAt, now) });
}

/** Returns the time until a deadline, in minutes or larger units. Seconds would only create pressure. */
export function deadlineText(deadlineAt: number, now: number): string {
  const left = deadlineAt - now;
  if (left <= 0) return text.request.overdue;
  if (left < hourMs) return text.request.dueInMinutes({ minutes: Math.ceil(left / minuteMs) });
  if (left >= 48 * hourMs) return text.request.dueInDays({ days: Math.floor(left / (24 * hourMs)) });
  const minutes = Math.floor((left % hourMs) / minuteMs);
  return text.request.dueInHours({ hours: Math.floor(left / hourMs), minutes });
}

/** Number of lines rendered at first. The rest is rendered on demand. */
const mostLines = 400;

function toneOf(line: string): 'head' | 'added' | 'removed' | 'same' {
  if (/^(?:---|\+\+\+|@@|diff |index )/.test(line)) return 'head';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** A unified diff. It keeps its plus and minus signs, so that lines are not distinguished by color alone. */
function DiffLines({ diff }: { diff: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = diff.split('\n');
  const drawn = isWhole ? lines : lines.slice(0, mostLines);
  return (
    <div>
      <pre className="ask-diff" data-selectable>
        {drawn.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified only by their position, which never changes
          <span key={index} data-tone={toneOf(line)}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
      {drawn.length === lines.length ? null : (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          {text.request.showAllLines({ count: lines.length })}
        </Button>
      )}
    </div>
  );
}

/** Returns whether the request is about a tool call. */
export function isOfTool(request: AskRequest): boolean {
  return request.kind === 'approval' && isJsonMap(request.action) && typeof request.action['tool'] === 'string';
}
