/**
 * Tracks the conversations that one window follows. A newer draft of a reply replaces one that has not been delivered,
 * so a slow window receives fewer drafts but all events.
 */
import type { ConversationNotice, Engine } from '../../engine/index.ts';
import type { SessionId } from '../ipc/engine-base.ts';

interface SessionNotice {
  readonly sessionId: SessionId;
  readonly notice: ConversationNotice;
}

export interface FollowedConversations {
  follow(engine: Pick<Engine, 'watchConversation'>, sessionId: SessionId): void;
  leave(sessionId: SessionId): void;
  /** Delivers notices about the followed conversations, one at a time. Returns a function that stops the delivery. */
  watch(push: (told: SessionNotice) => Promise<void>): () => void;
}

export function createFollowedConversations(): FollowedConversations {
  const ends = new Map<SessionId, () => void>();
  let push: ((told: SessionNotice) => Promise<void>) | undefined;
  let waiting: SessionNotice[] = [];
  let isSending = false;

  const send = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    while (push !== undefined && waiting.length > 0) {
      const [next, ...rest] = waiting;
      waiting = rest;
      if (next !== undefined) await push(next);
    }
    isSending = false;
  };
  const tell = (told: SessionNotice): void => {
    if (push === undefined) return;
    const isDraft = told.notice.type === 'draft';
    waiting = waiting.filter(
      ({ sessionId, notice }) => !(isDraft && notice.type === 'draft' && sessionId === told.sessionId),
    );
    waiting.push(told);
    void send();
  };
  const leave = (sessionId: SessionId): void => {
    ends.get(sessionId)?.();
    ends.delete(sessionId);
  };

  return {
    follow(engine, sessionId) {
      if (ends.has(sessionId)) return;
      ends.set(
        sessionId,
        engine.watchConversation(sessionId, (notice) => tell({ sessionId, notice })),
      );
    },
    leave,
    watch(listener) {
      push = listener;
      return () => {
        push = undefined;
        waiting = [];
        for (const sessionId of [...ends.keys()]) leave(sessionId);
      };
    },
  };
}
