/**
 * The conversation with the assistant about the open flow.
 */
import { ArrowUp, GitCompare, Sparkles, Square, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { baseNodeId, isInBody } from '../../engine/isomorphic.ts';
import { requestBudget } from '../stores/assistant/assistant.ts';
import type { FactSentence, OpenRequest, Talk, TalkEntry } from '../stores/assistant/talk.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useNodeNames } from '../stores/use-flow.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { leaveByEscape } from '../ui/focus-field.ts';
import { costText } from '../ui/quantity-text.ts';
import { SentData, SentPieces } from './sent-data.tsx';
import { text } from './text.ts';
import './assistant-panel.css';

const MarkdownText = lazy(() => import('../ui/markdown-text.tsx').then((loaded) => ({ default: loaded.MarkdownText })));

const sendKey = 'Enter';

interface AssistantPanelProps {
  readonly path: string;
  /** Opens the settings of models. */
  readonly setUp: ReactNode;
}

export function AssistantPanel({ path, setUp }: AssistantPanelProps) {
  const { assistant } = useStores();
  const { setOpen, clear, hideSent, confirm } = assistant.getState();
  const known = useStore(assistant, ({ talks }) => talks.get(path));
  const talk = known ?? assistant.getState().talkOf(path);
  return (
    <aside className="assistant-panel" aria-label={text.title} onKeyDown={leaveByEscape}>
      <header className="assistant-head">
        <Sparkles aria-hidden size={14} />
        <h2>{text.title}</h2>
        {talk.entries.length === 0 ? null : (
          <IconButton label={text.clear} onClick={() => clear(path)}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )}
        <IconButton label={text.close} onClick={() => setOpen(false)}>
          <X aria-hidden size={14} />
        </IconButton>
      </header>
      <Entries path={path} talk={talk} />
      {talk.sent === null ? null : (
        <SentData
          sent={talk.sent}
          setUp={setUp}
          onSend={talk.isConfirming ? () => void confirm(path) : null}
          onHide={() => hideSent(path)}
        />
      )}
      <Message path={path} talk={talk} />
    </aside>
  );
}

function Entries({ path, talk: { entries, request } }: { path: string; talk: Talk }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isExplained = request === null && entries.at(-1)?.facts !== undefined;
    // The most important facts are the first ones.
    if (isExplained) end.current?.previousElementSibling?.scrollIntoView?.({ block: 'start' });
    else end.current?.scrollIntoView?.({ block: 'nearest' });
  }, [entries, request]);
  return (
    <div className="assistant-entries" role="log" aria-label={text.title}>
      {entries.length === 0 && request === null ? <p className="assistant-empty">{text.empty}</p> : null}
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
        <Entry key={index} path={path} entry={entry} />
      ))}
      {request === null ? null : <Progress path={path} request={request} />}
      <div ref={end} />
    </div>
  );
}

function Entry({ path, entry }: { path: string; entry: TalkEntry }) {
  const { assistant } = useStores();
  const { by, text: said, sent, proposal, problem, facts, tokens, costUsd } = entry;
  if (by === 'person')
    return (
      <div className="assistant-asked">
        <p className="assistant-question" data-selectable>
          {said}
        </p>
        {sent === undefined ? null : <SentPieces sent={sent} />}
      </div>
    );
  if (facts !== undefined) return <Facts path={path} title={said} facts={facts} />;
  return (
    <div className="assistant-answer">
      <Answer path={path} said={said} />
      {problem === undefined ? null : (
        <p className="assistant-problem" role="alert" data-selectable>
          {problem}
        </p>
      )}
      {proposal === undefined ? null : (
        <Button onClick={() => void assistant.getState().openProposal(proposal.id)}>
          <GitCompare aria-hidden size={14} />
          {text.proposal({ title: proposal.title })}
        </Button>
      )}
      {tokens === undefined ? null : <Spent tokens={tokens} costUsd={costUsd} />}
    </div>
  );
}

/** A link that selects a node, or an item of it, and brings it into view. */
function NodeLink({ path, id, name }: { path: string; id: string; name: string }) {
  const { selection } = useStores();
  return (
    <button
      type="button"
      className="assistant-node"
      title={baseNodeId(id)}
      onClick={() => {
        if (isInBody(id)) selection.getState().selectPlace(path, id);
        else selection.getState().selectNode(path, id);
      }}
    >
      {name}
    </button>
  );
}

/** A name of a node in a sentence. A link if the flow still has the node. */
function NamedNode({ path, node, words }: { path: string; node: string; words: string | undefined }) {
  const names = useNodeNames(path);
  const id = baseNodeId(node);
  if (!names.has(id)) return <code>{words ?? id}</code>;
  return <NodeLink path={path} id={node} name={words ?? names.get(id) ?? id} />;
}

/** An explanation from the file and the log, in which each sentence is linked to its nodes. */
function Facts({ path, title, facts }: { path: string; title: string; facts: readonly FactSentence[] }) {
  const { assistant } = useStores();
  return (
    <section className="assistant-answer" aria-label={title}>
      <h3>{title}</h3>
      <ul className="assistant-facts" data-selectable>
        {facts.map((parts, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of an explanation never move
          <li key={index}>
            {parts.map((part, at) =>
              typeof part === 'string' ? (
                part
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
                <NamedNode key={at} path={path} node={part.node} words={part.words} />
              ),
            )}
          </li>
        ))}
      </ul>
      <Button
        size="small"
        variant="ghost"
        className="assistant-more"
        onClick={() => assistant.getState().suggest(path, title)}
      >
        <Sparkles aria-hidden size={12} />
        {text.explain.askMore}
      </Button>
    </section>
  );
}

/** An answer of a model. Names of nodes are links; names of anything else stay code. */
function Answer({ path, said }: { path: string; said: string }) {
  const names = useNodeNames(path);
  const codeLink = useCallback(
    (code: string) => (names.has(code) ? <NodeLink path={path} id={code} name={code} /> : null),
    [path, names],
  );
  if (said === '') return null;
  return (
    <Suspense fallback={<p>{said}</p>}>
      <MarkdownText text={said} codeLink={codeLink} />
    </Suspense>
  );
}

function Spent({ tokens, costUsd }: { tokens: number; costUsd: number | undefined }) {
  const cost = costUsd === undefined ? null : costText(costUsd, 0);
  return (
    <p className="assistant-spent">
      <span>{text.tokens({ count: tokens })}</span>
      {cost === null ? null : <span>{text.ofBudget({ cost, budget: costText(requestBudget.usd, 0) })}</span>}
    </p>
  );
}

function Progress({ path, request: { text: said, tools, tokens, costUsd } }: { path: string; request: OpenRequest }) {
  const last = tools.at(-1);
  return (
    <div className="assistant-answer">
      <p className="assistant-working">{last === undefined ? text.working : toolText(last)}</p>
      <Answer path={path} said={said} />
      {tokens === 0 ? null : <Spent tokens={tokens} costUsd={costUsd} />}
    </div>
  );
}

function toolText(tool: string): string {
  return Object.hasOwn(text.tools, tool) ? text.tools[tool as keyof typeof text.tools] : text.tools.other;
}

/** The message field. Enter sends, Shift+Enter starts a new line. */
function Message({ path, talk: { unsent, request, sent } }: { path: string; talk: Talk }) {
  const { assistant } = useStores();
  const { type, ask, cancel, showSent, hideSent, focused } = assistant.getState();
  const isWanted = useStore(assistant, ({ focusIn }) => focusIn === path);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    const end = field.current?.value.length ?? 0;
    field.current?.focus();
    field.current?.setSelectionRange(end, end);
    focused();
  }, [isWanted, focused]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void ask(path);
  };
  return (
    <footer className="assistant-message">
      <div className="assistant-field">
        <textarea
          ref={field}
          className="field-input"
          aria-label={text.message}
          placeholder={text.placeholder}
          rows={2}
          maxLength={20_000}
          value={unsent}
          onChange={(event) => type(path, event.target.value)}
          onKeyDown={onKeyDown}
        />
        {request === null ? (
          <IconButton label={text.send} hint={sendKey} disabled={unsent.trim() === ''} onClick={() => void ask(path)}>
            <ArrowUp aria-hidden size={16} />
          </IconButton>
        ) : (
          <IconButton label={text.cancel} onClick={() => cancel(path)}>
            <Square aria-hidden size={12} />
          </IconButton>
        )}
      </div>
      <p className="assistant-sees">
        <span>{text.sees}</span>
        <Button
          size="small"
          variant="ghost"
          aria-expanded={sent !== null}
          onClick={() => (sent === null ? void showSent(path) : hideSent(path))}
        >
          {sent === null ? text.whatIsSent : text.hideSent}
        </Button>
      </p>
    </footer>
  );
}
