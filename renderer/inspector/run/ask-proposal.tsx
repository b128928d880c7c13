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
import { ValueView } from '../../ui/value-view.tsx';
import '../ask-form.css';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A longer message is shown like other long values. */
const longestMessage = 2000;

function Message({ text }: { text: string }) {
  const readLarge = useReadValue();
  if (text.length > longestMessage) return <ValueView label="Message" value={text} readLarge={readLarge} />;
  return (
    <p className="ask-message" data-selectable>
      {text}
    </p>
  );
}

/**
 * For a request without a title, the first line of the message is the title. Removes it from the message, so that it is
 * shown once.
 */
function withoutTitle(text: string, title: string): string {
  if (text === title) return '';
  return text.startsWith(`${title}\n`) ? text.slice(title.length).trimStart() : text;
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
        {isApproval && request.askedBy !== undefined ? `${request.askedBy} asks · ` : ''}
        <span title={fullDateTimeText(askedAt)}>since {shortTimeText(askedAt, now)}</span>
        {deadlineAt === undefined ? '' : ` · by ${fullDateTimeText(deadlineAt)}, ${deadlineText(deadlineAt, now)}`}
      </p>
      {details === '' ? null : <Message text={details} />}
      {isApproval && request.action !== undefined ? <Action action={request.action} /> : null}
      {isApproval && request.diff !== undefined ? <DiffLines text={request.diff} /> : null}
      {isApproval && request.notes !== undefined && request.notes.length > 0 ? (
        <ul className="ask-notes" aria-label="Notes" data-selectable>
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
    return <ValueView label="What is proposed" value={action} readLarge={readLarge} />;
  }
  const { tool, risk, source, params } = action;
  return (
    <>
      <dl className="ask-tool" aria-label="The tool">
        <div>
          <dt>Tool</dt>
          <dd>
            <code>{tool}</code>
          </dd>
        </div>
        {typeof source === 'string' ? (
          <div>
            <dt>From</dt>
            <dd>{source === 'core' ? 'Millrace' : source}</dd>
          </div>
        ) : null}
        {typeof risk === 'string' ? (
          <div>
            <dt>Risk</dt>
            <dd data-risk={risk}>{risk}</dd>
          </div>
        ) : null}
      </dl>
      {params === undefined ? null : <ValueView label="Input" value={params} readLarge={readLarge} />}
    </>
  );
}

/** Maximum number of characters to show of the last response. */
const longestSaid = 1200;

/** The response of the model before the node made this request, which often explains it. */
export function EarlierProposalMessages({ runId, nodeId }: { runId: RunId; nodeId: string }) {
  const { liveRuns } = useStores();
  const text = useStore(liveRuns, ({ runs }) => runs.get(runId)?.state.nodes.get(nodeId.split('/')[0] ?? '')?.text);
  const said = text?.trim() ?? '';
  if (said === '') return null;
  return (
    <blockquote className="ask-said" aria-label="What was said before" data-selectable>
      {said.length > longestSaid ? `… ${said.slice(-longestSaid)}` : said}
    </blockquote>
  );
}

/** Returns the time until a deadline, in minutes or larger units. Seconds would only create pressure. */
export function deadlineText(deadlineAt: number, now: number): string {
  const left = deadlineAt - now;
  if (left <= 0) return 'which is over';
  if (left < hourMs) return `in ${Math.ceil(left / minuteMs)} min`;
  if (left < 48 * hourMs) return `in ${Math.floor(left / hourMs)} h ${Math.floor((left % hourMs) / minuteMs)} min`;
  return `in ${Math.floor(left / (24 * hourMs))} days`;
}

/** Number of lines rendered at first. The rest is rendered on demand. */
const mostLines = 400;

function toneOf(line: string): 'head' | 'added' | 'removed' | 'same' {
  if (/^(?:---|\+\+\+|@@|diff |index )/.test(line)) return 'head';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** A unified diff. It keeps its plus and minus signs, so that lines are not distinguished by color alone. */
function DiffLines({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = text.split('\n');
  const drawn = isWhole ? lines : lines.slice(0, mostLines);
  return (
    <div>
      <pre className="ask-diff" data-selectable>
        {drawn.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
          <span key={index} data-tone={toneOf(line)}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
      {drawn.length === lines.length ? null : (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          Show all {lines.length.toLocaleString()} lines
        </Button>
      )}
    </div>
  );
}

/** Returns whether the request is about a tool call. */
export function isOfTool(request: AskRequest): boolean {
  return request.kind === 'approval' && isJsonMap(request.action) && typeof request.action['tool'] === 'string';
}
