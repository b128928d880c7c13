/**
 * The conversations with a catalogue: which there are, the chat of one, and its stack beside it.
 */
import { MessagesSquare, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type CatalogueDoc, hasErrors, type MessageView, type SessionId } from '../../engine/isomorphic.ts';
import type { Conversation } from '../stores/conversations/conversation.ts';
import { type ConversationSummary, noConversations } from '../stores/conversations/conversations.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFile } from '../stores/text/file.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { momentText } from '../ui/quantity-text.ts';
import { Select } from '../ui/select.tsx';
import { useNow } from '../ui/use-now.ts';
import { Composer } from './composer.tsx';
import { wordsOf } from './conversation-words.ts';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { StackPanel } from './stack-panel.tsx';
import { Transcript } from './transcript.tsx';
import './conversation-view.css';

export function ConversationView({ file }: { readonly file: OpenFile }) {
  const { conversations } = useStores();
  const { path, catalogue, text, isDirty } = file;
  const list = useStore(conversations, ({ lists }) => lists.get(path)) ?? noConversations;
  const { items, error, shown } = list;
  const conversation = useStore(conversations, ({ sessions }) => (shown === null ? undefined : sessions.get(shown)));
  useEffect(() => void conversations.getState().load(path), [conversations, path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another text on the disk, the conversation has an older catalogue
  useEffect(() => {
    if (shown !== null && !isDirty) conversations.getState().refresh(shown);
  }, [conversations, shown, text, isDirty]);
  const start = <StartButton file={file} isPrimary={shown === null} />;
  return (
    <div className="conversation">
      {items === null || items.length === 0 ? null : (
        <header className="conversation-head">
          <Sessions path={path} items={items} shown={shown} />
          {start}
        </header>
      )}
      {error === null ? null : <Banner tone="error">{error}</Banner>}
      {shown !== null && conversation !== undefined ? (
        <Talk key={shown} sessionId={shown} conversation={conversation} start={start} />
      ) : items !== null && items.length === 0 ? (
        <Beginning catalogue={catalogue} path={path} start={start} />
      ) : null}
    </div>
  );
}

function StartButton({ file, isPrimary }: { readonly file: OpenFile; readonly isPrimary: boolean }) {
  const { conversations, panes, notices } = useStores();
  const [isStarting, setIsStarting] = useState(false);
  const start = async (): Promise<void> => {
    if (hasErrors(file.diagnostics)) {
      panes.getState().showDock('problems');
      const detail = 'The problems list says what to mend, and where.';
      notices.getState().add({ tone: 'error', title: 'This catalogue has errors', detail });
      return;
    }
    setIsStarting(true);
    await conversations.getState().start(file.path);
    setIsStarting(false);
  };
  return (
    <Button
      size={isPrimary ? 'normal' : 'small'}
      variant={isPrimary ? 'primary' : 'normal'}
      disabled={isStarting}
      title={file.isDirty ? 'It begins with the file as it is saved' : undefined}
      onClick={() => void start()}
    >
      <Plus aria-hidden size={12} />
      New conversation
    </Button>
  );
}

interface SessionsProps {
  readonly path: string;
  readonly items: readonly ConversationSummary[];
  readonly shown: SessionId | null;
}

function Sessions({ path, items, shown }: SessionsProps) {
  const { conversations } = useStores();
  const now = useNow(true, 60_000);
  return (
    <div className="conversation-sessions">
      <Select<SessionId>
        aria-label="Conversation"
        value={shown ?? ('' as SessionId)}
        placeholder="Choose a conversation"
        options={items.map(({ sessionId, title, changedAt }) => ({
          value: sessionId,
          text: title === '' ? 'Nothing was said yet' : title,
          hint: momentText(changedAt, now),
        }))}
        onChange={(sessionId) => void conversations.getState().show(path, sessionId)}
      />
    </div>
  );
}

interface BeginningProps {
  readonly catalogue: CatalogueDoc | null;
  readonly path: string;
  readonly start: ReactNode;
}

/** Before the first conversation: what may be asked for. */
function Beginning({ catalogue, path, start }: BeginningProps) {
  const examples = (catalogue?.flows ?? []).flatMap((flow) => flow.examples ?? []).slice(0, 4);
  return (
    <EmptyState
      icon={<MessagesSquare aria-hidden size={20} />}
      title={`Talk to ${catalogue?.name ?? path}`}
      actions={start}
    >
      {examples.length === 0
        ? 'Say what you want; what is under way stands beside the chat.'
        : `For example: ${examples.map((example) => `“${example}”`).join(', ')}.`}
    </EmptyState>
  );
}

interface TalkProps {
  readonly sessionId: SessionId;
  readonly conversation: Conversation;
  readonly start: ReactNode;
}

function Talk({ sessionId, conversation, start }: TalkProps) {
  const { conversations } = useStores();
  const [text, setText] = useState('');
  const [takenBack, setTakenBack] = useState<MessageView | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { view, lockedReason } = conversation;
  useEffect(() => field.current?.focus(), []);
  const say = async (): Promise<void> => {
    const words = text.trim();
    if (words === '') return;
    setText('');
    if (!(await conversations.getState().say(sessionId, words))) setText(words);
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
      <section className="conversation-chat" aria-label="Chat">
        {view.isCatalogueChanged ? (
          <Banner tone="info" actions={start}>
            The catalogue has changed. This conversation keeps the version that it began with.
          </Banner>
        ) : null}
        {lockedReason === null ? null : <Banner tone="warning">{lockedReason}</Banner>}
        <Transcript sessionId={sessionId} conversation={conversation} onRollBack={setTakenBack} />
        <Composer
          field={field}
          text={text}
          lockedReason={lockedReason}
          isBusy={view.turnId !== null}
          onText={setText}
          onSay={() => void say()}
          onCancel={() => void conversations.getState().cancel(sessionId)}
        />
      </section>
      <aside className="conversation-side" aria-label="Stack">
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
