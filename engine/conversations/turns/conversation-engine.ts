/**
 * Defines an engine's conversation API for host programs.
 */
import type { RunId, SessionId } from '../../base/ids.ts';
import type { SessionRecord } from '../../history/store/session-row.ts';
import type { OutsideEffect, SessionEnvelope } from '../session/session-event.ts';
import type { UiAction } from '../session/session-state.ts';
import type { MessageView, SessionView } from '../session/session-view.ts';

/** A message, or an action in a form or with a button. At least one of `text` and `action` is required. */
export interface ToSay {
  readonly sessionId: SessionId;
  readonly text?: string;
  /** A flow to start, or slots of a flow on the stack. Needs no model. */
  readonly action?: UiAction;
  /** Set by a caller that may have to send the message again. A message with a known id is ignored. */
  readonly messageId?: string;
}

/** A notification about a conversation that is being watched. */
export type ConversationNotice =
  /** Events, stored before they are delivered, in order and without gaps. */
  | { readonly type: 'events'; readonly events: readonly SessionEnvelope[] }
  /** The complete text of the reply so far. It is not part of the log and is replaced by the turn's `message`. */
  | { readonly type: 'draft'; readonly turnId: string; readonly text: string };

export type ConversationListener = (notice: ConversationNotice) => void;

/**
 * Manages conversations. Requests of their runs are answered with `resumeRun`, like those of any other run. The
 * conversation then continues automatically.
 */
export interface ConversationEngine {
  /**
   * Starts a conversation with the current version of a catalog file.
   * @throws EngineError `dialogue.invalid` with the diagnostics as `details` | `files.*`
   */
  startConversation(request: {
    readonly path: string;
    readonly sessionId?: SessionId;
  }): Promise<{ sessionId: SessionId }>;
  /**
   * Lists all conversations of the workspace, most recently changed first. With a path, lists only that catalog's
   * conversations; with `isGone`, only those whose file is missing.
   */
  listConversations(request?: { readonly path?: string; readonly isGone?: true }): Promise<readonly SessionRecord[]>;
  /**
   * Moves a conversation whose file is missing to the catalog at a path. The conversation keeps its original version,
   * and files named in it are resolved relative to the new file. Returns its previous path; null if it already belongs
   * to this catalog.
   * @throws EngineError `session.not-found` | `session.elsewhere` | `session.other-catalogue` if its own file exists |
   * `files.*`
   */
  moveConversation(request: {
    readonly sessionId: SessionId;
    readonly path: string;
  }): Promise<{ readonly from: string | null }>;
  /**
   * Opens a conversation: resumes an interrupted turn and processes waiting messages.
   * @throws EngineError `session.not-found` | `session.elsewhere` if another process has opened it
   */
  openConversation(sessionId: SessionId): Promise<SessionView>;
  /**
   * Queues a message, which gets its turn after earlier ones. Returns when it is stored.
   * @throws EngineError `session.not-found` | `session.elsewhere` | `message.*`
   */
  sayInConversation(message: ToSay): Promise<{ messageId: string }>;
  /** Cancels the active turn, if there is one, and the runs it waits for. Returns without waiting. */
  cancelTurn(sessionId: SessionId): Promise<void>;
  /**
   * Rolls back a turn and all later ones. Effects of the turns' runs are returned, but not undone.
   * @throws EngineError `session.not-found` | `turn.open` | `turn.unknown`
   */
  rollBackConversation(request: {
    readonly sessionId: SessionId;
    readonly turnId: string;
  }): Promise<{ readonly effects: readonly OutsideEffect[] }>;
  /**
   * Puts the plan in a run's `plan_proposal` on the stack as flows, after a person has approved it. No part of the plan
   * runs earlier.
   * @throws EngineError `plan.not-approved` | `plan.not-found` | `flow.unknown-type`
   */
  runProposedPlan(request: {
    readonly sessionId: SessionId;
    readonly runId: RunId;
    readonly nodeId: string;
  }): Promise<{ messageId: string }>;
  /**
   * Returns a conversation's current state or, with `seq`, the state after that event. Neither changes nor opens the
   * conversation.
   * @throws EngineError `session.not-found`
   */
  readConversation(request: { readonly sessionId: SessionId; readonly seq?: number }): Promise<SessionView>;
  /** Returns the last messages before an event, oldest first. @param request.limit defaults to 50, at most 500 */
  readConversationMessages(request: {
    readonly sessionId: SessionId;
    readonly before?: number;
    readonly limit?: number;
  }): Promise<readonly MessageView[]>;
  /** Returns up to 1,000 events from a sequence number. */
  readConversationEvents(request: {
    readonly sessionId: SessionId;
    readonly fromSeq: number;
  }): Promise<readonly SessionEnvelope[]>;
  /** Resolves when the conversation has no active turn, waiting message or housekeeping in this process. */
  whenConversationRests(sessionId: SessionId): Promise<void>;
  /** Calls the listener with later notifications. Returns a function that unsubscribes. */
  watchConversation(sessionId: SessionId, listener: ConversationListener): () => void;
}
