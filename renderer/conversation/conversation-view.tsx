/**
 * The conversations of a catalog: the list, the chat of one, and its stack beside it.
 */
import { MessagesSquare, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { hasErrors, type MessageView, type SessionId } from '../../engine/isomorphic.ts';
import type { ConversationState } from '../stores/conversations/conversation.ts';
import { type ConversationSummary, noConversations } from '../stores/conversations/conversation.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFile } from '../stores/text/file.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { shortTimeText } from '../ui/quantity-text.ts';
import { Select } from '../ui/select.tsx';
import { useNow } from '../ui/use-now.ts';
import { Composer } from './composer.tsx';
import { wordsOf } from './conversation-words.ts';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { StackPanel } from './stack-panel.tsx';
import { text as words } from './text.ts';
import { Transcript } from './transcript.tsx';
import './conversation-view.css';

export function ConversationView({ file }: { readonly file: OpenFile }) {
  const { conversations } = useStores();
  const { path, text, isDirty } = file;
  const list = useStore(conversations, ({ lists }) => lists.get(path)) ?? noConversations;
  const { items, gone, error, shown } = list;
  const [asked, setAsked] = useState<SessionId | null>(null);
  const lost = gone.find(({ sessionId }) => sessionId === asked);
  const conversation = useStore(conversations, ({ sessions }) => (shown === null ? undefined : sessions.get(shown)));
  useEffect(() => void conversations.getState().load(path), [conversations, path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: if the file on disk changes, the conversation has an older catalog
  useEffect(() => {
    if (shown !== null && !isDirty) conversations.getState().refresh(shown);
  }, [conversations, shown, text, isDirty]);
  const start = <StartButton file={file} />;
  return (
    <div className="conversation">
      {items === null || items.length + gone.length === 0 ? null : (
        <header className="conversation-head">
          <Sessions path={path} items={items} gone={gone} shown={lost?.sessionId ?? shown} onAsk={setAsked} />
          {start}
        </header>
      )}
      {error === null ? null : <Banner tone="error">{error}</Banner>}
      {lost !== undefined ? (
        <Lost path={path} summary={lost} />
      ) : shown !== null && conversation !== undefined ? (
        <Talk key={shown} sessionId={shown} conversation={conversation} start={start} />
      ) : items !== null && shown === null ? (
        <Beginning file={file} />
      ) : null}
    </div>
  );
}

/** Returns a function that checks whether a conversation can start. If not, the problems explain why. */
function useMayStart({ diagnostics }: OpenFile): () => boolean {
  const { panes, notices } = useStores();
  return () => {
    if (!hasErrors(diagnostics)) return true;
    panes.getState().showDock('problems');
    const { hasErrors: title, hasErrorsHint: detail } = words.list;
    notices.getState().add({ tone: 'error', title, detail });
    return false;
  };
}

function StartButton({ file }: { readonly file: OpenFile }) {
  const { conversations } = useStores();
  const mayStart = useMayStart(file);
  const [isStarting, setIsStarting] = useState(false);
  const start = async (): Promise<void> => {
    if (!mayStart()) return;
    setIsStarting(true);
    await conversations.getState().start(file.path);
    setIsStarting(false);
  };
  return (
    <Button
      size="small"
      disabled={isStarting}
      title={file.isDirty ? words.list.startsWithSaved : undefined}
      onClick={() => void start()}
    >
      <Plus aria-hidden size={12} />
      {words.list.start}
    </Button>
  );
}

interface SessionsProps {
  readonly path: string;
  readonly items: readonly ConversationSummary[];
  readonly gone: readonly ConversationSummary[];
  readonly shown: SessionId | null;
  /** Asks how to continue a conversation without a file. Null if there is none. */
  readonly onAsk: (sessionId: SessionId | null) => void;
}

function titleOf({ title }: ConversationSummary): string {
  return title === '' ? words.list.untitled : title;
}

function Sessions({ path, items, gone, shown, onAsk }: SessionsProps) {
  const { conversations } = useStores();
  const now = useNow(true, 60_000);
  const ofThis = items.map((item) => ({
    value: item.sessionId,
    text: titleOf(item),
    hint: shortTimeText(item.changedAt, now),
  }));
  const ofOthers = gone.map((item) => ({
    value: item.sessionId,
    text: titleOf(item),
    hint: item.catalogue.path,
    group: words.list.gone,
  }));
  return (
    <div className="conversation-sessions">
      <Select<SessionId>
        aria-label={words.list.label}
        value={shown ?? ('' as SessionId)}
        placeholder={words.list.placeholder}
        options={[...ofThis, ...ofOthers]}
        onChange={(sessionId) => {
          const isGone = gone.some((item) => item.sessionId === sessionId);
          onAsk(isGone ? sessionId : null);
          if (!isGone) void conversations.getState().show(path, sessionId);
        }}
      />
    </div>
  );
}

/**
 * A conversation without its file. It can continue with the file that is shown, such as the same one under a new name.
 */
function Lost({ path, summary }: { readonly path: string; readonly summary: ConversationSummary }) {
  const { conversations } = useStores();
  const { sessionId, catalogue } = summary;
  return (
    <section className="conversation-chat" aria-label={words.chat.label}>
      <div className="conversation-beginning">
        <EmptyState
          icon={<MessagesSquare aria-hidden size={20} />}
          title={titleOf(summary)}
          actions={
            <Button variant="primary" onClick={() => void conversations.getState().takeOver(path, sessionId)}>
              {words.list.continueWith({ file: fileNameOf(path) })}
            </Button>
          }
        >
          {words.list.isGone({ file: catalogue.path, path })}
        </EmptyState>
      </div>
    </section>
  );
}

/** Shown before the first conversation: examples, and a field for the first message. */
function Beginning({ file }: { readonly file: OpenFile }) {
  const { conversations } = useStores();
  const { path, catalogue } = file;
  const mayStart = useMayStart(file);
  const text = useStore(conversations, ({ unsent }) => unsent.get(path)) ?? '';
  const field = useRef<HTMLTextAreaElement>(null);
  const [isStarting, setIsStarting] = useState(false);
  useEffect(() => field.current?.focus(), []);
  const say = async (said: string): Promise<void> => {
    const message = said.trim();
    if (message === '' || isStarting || !mayStart()) return;
    setIsStarting(true);
    await conversations.getState().startWith(path, message);
    setIsStarting(false);
  };
  const examples = (catalogue?.flows ?? []).flatMap((flow) => flow.examples ?? []).slice(0, 4);
  return (
    <section className="conversation-chat" aria-label={words.chat.label}>
      <div className="conversation-beginning">
        <EmptyState
          icon={<MessagesSquare aria-hidden size={20} />}
          title={words.chat.talkTo({ name: catalogue?.name ?? path })}
          actions={examples.map((example) => (
            <Button key={example} size="small" disabled={isStarting} onClick={() => void say(example)}>
              {example}
            </Button>
          ))}
        >
          {examples.length === 0 ? words.chat.beginning : words.chat.beginningWithExamples}
        </EmptyState>
      </div>
      <Composer
        field={field}
        text={text}
        hint={file.isDirty ? words.list.startsWithSaved : undefined}
        lockedReason={null}
        onText={(typed) => conversations.getState().type(path, typed)}
        onSay={() => void say(text)}
        onCancel={null}
      />
    </section>
  );
}

interface TalkProps {
  readonly sessionId: SessionId;
  readonly conversation: ConversationState;
  readonly start: ReactNode;
}

function Talk({ sessionId, conversation, start }: TalkProps) {
  const { conversations } = useStores();
  const text = useStore(conversations, ({ unsent }) => unsent.get(sessionId)) ?? '';
  const setText = (typed: string): void => conversations.getState().type(sessionId, typed);
  const [takenBack, setTakenBack] = useState<MessageView | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { view, lockedReason } = conversation;
  useEffect(() => field.current?.focus(), []);
  // The focused element, such as a form, may have disappeared. Keys typed next are meant for the chat, not for
  // shortcuts of the window.
  useEffect(() => {
    const isNowhere = document.activeElement === document.body;
    if (isNowhere && getSelection()?.isCollapsed !== false) field.current?.focus();
  });
  const say = (): void => {
    const message = text.trim();
    if (message !== '') void conversations.getState().say(sessionId, message);
  };
  const rollBack = async (message: MessageView): Promise<void> => {
    setTakenBack(null);
    const effects = await conversations.getState().rollBack(sessionId, message.turnId ?? '');
    if (effects === null) return;
    setText(wordsOf(message));
    requestAnimationFrame(() => field.current?.focus());
  };
  return (
    <div className="conversation-body">
      <section className="conversation-chat" aria-label={words.chat.label}>
        {view.isCatalogueChanged ? (
          <Banner tone="info" actions={start}>
            {words.list.changed}
          </Banner>
        ) : null}
        {lockedReason === null ? null : <Banner tone="warning">{lockedReason}</Banner>}
        <Transcript sessionId={sessionId} conversation={conversation} onRollBack={setTakenBack} />
        <Composer
          field={field}
          text={text}
          lockedReason={lockedReason}
          onText={setText}
          onSay={say}
          onCancel={view.turnId === null ? null : () => void conversations.getState().cancel(sessionId)}
        />
      </section>
      <aside className="conversation-side" aria-label={words.panel.label}>
        <StackPanel sessionId={sessionId} conversation={conversation} />
      </aside>
      <RollBackDialog
        message={takenBack}
        conversation={conversation}
        onClose={() => setTakenBack(null)}
        onRollBack={(message) => void rollBack(message)}
      />
    </div>
  );
}
