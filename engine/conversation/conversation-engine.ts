/**
 * What a host program may ask of an engine about conversations.
 */
import type { RunId, SessionId } from '../base/ids.ts';
import type { OutsideEffect, SessionEnvelope } from '../dialogue/session-event.ts';
import type { UiAction } from '../dialogue/session-state.ts';
import type { MessageView, SessionView } from '../dialogue/session-view.ts';
import type { SessionRecord } from '../store/session-row.ts';

/** What somebody says, or does in a form or with a button. One of `text` and `action` at least. */
export interface ToSay {
  readonly sessionId: SessionId;
  readonly text?: string;
  /** A flow to begin, or slots of a flow that is on the stack: needs no model. */
  readonly action?: UiAction;
  /** Chosen by the caller where it may have to send the message again: one with a known id is not taken twice. */
  readonly messageId?: string;
}

/** What happens in a conversation while somebody looks at it. */
export type ConversationNotice =
  /** Facts, stored before they are told, in order and without gaps. */
  | { readonly type: 'events'; readonly events: readonly SessionEnvelope[] }
  /** The reply as far as it is written: all of it, not what is new. It is in no log; the `message` of the turn takes its place. */
  | { readonly type: 'draft'; readonly turnId: string; readonly text: string };

export type ConversationListener = (notice: ConversationNotice) => void;

/**
 * Conversations. Approvals and inputs that the runs of a conversation wait for are answered like any other, with `resumeRun`; the
 * conversation goes on by itself then.
 */
export interface ConversationEngine {
  /**
   * Begins a conversation with a catalogue, in the version that its file has now.
   * @throws EngineError `dialogue.invalid` with the diagnostics as `details` | `files.*`
   */
  startConversation(request: {
    readonly path: string;
    readonly sessionId?: SessionId;
  }): Promise<{ sessionId: SessionId }>;
  /**
   * All conversations of the workspace, the one that changed last first; with a path, those of that catalogue; with `isGone`, only those
   * whose file is not there any more.
   */
  listConversations(request?: { readonly path?: string; readonly isGone?: true }): Promise<readonly SessionRecord[]>;
  /**
   * Makes a conversation one of the catalogue at a path, where its own file is gone: it keeps the version that it began with, and what that
   * names is looked for beside the new file. Gives the path that it had; null = it is one of this catalogue already.
   * @throws EngineError `session.not-found` | `session.elsewhere` | `session.other-catalogue` while its own file is there | `files.*`
   */
  moveConversation(request: {
    readonly sessionId: SessionId;
    readonly path: string;
  }): Promise<{ readonly from: string | null }>;
  /**
   * Takes up a conversation: a turn that was cut goes on, messages that wait get their turn.
   * @throws EngineError `session.not-found` | `session.elsewhere` while another process has it
   */
  openConversation(sessionId: SessionId): Promise<SessionView>;
  /**
   * Takes a message; it gets its turn when those before it have had theirs. Returns when it is stored.
   * @throws EngineError `session.not-found` | `session.elsewhere` | `message.*`
   */
  sayInConversation(message: ToSay): Promise<{ messageId: string }>;
  /** Ends the turn that is under way, and the runs that it waits for; does nothing where there is none. Does not wait for anything. */
  cancelTurn(sessionId: SessionId): Promise<void>;
  /**
   * Takes back a turn and all after it. What the runs of those turns have done outside stays, and is listed.
   * @throws EngineError `session.not-found` | `turn.open` | `turn.unknown`
   */
  rollBackConversation(request: {
    readonly sessionId: SessionId;
    readonly turnId: string;
  }): Promise<{ readonly effects: readonly OutsideEffect[] }>;
  /**
   * Begins the plan that a `plan_proposal` of a run has proposed and a person has approved, as flows on the stack. Nothing of it runs
   * before.
   * @throws EngineError `plan.not-approved` | `plan.not-found` | `flow.unknown-type`
   */
  runProposedPlan(request: {
    readonly sessionId: SessionId;
    readonly runId: RunId;
    readonly nodeId: string;
  }): Promise<{ messageId: string }>;
  /**
   * What is true of a conversation now or, with `seq`, was true behind that event. Changes nothing, and takes nothing up.
   * @throws EngineError `session.not-found`
   */
  readConversation(request: { readonly sessionId: SessionId; readonly seq?: number }): Promise<SessionView>;
  /** Messages before an event, the latest ones, oldest first. @param request.limit 50 when absent, 500 at most */
  readConversationMessages(request: {
    readonly sessionId: SessionId;
    readonly before?: number;
    readonly limit?: number;
  }): Promise<readonly MessageView[]>;
  /** Events from a number on, at most 1,000. */
  readConversationEvents(request: {
    readonly sessionId: SessionId;
    readonly fromSeq: number;
  }): Promise<readonly SessionEnvelope[]>;
  /** Resolves when no turn of it is under way here, no message waits and no housekeeping runs. */
  whenConversationRests(sessionId: SessionId): Promise<void>;
  /** Tells what happens in a conversation from now on. Returns the subscription's end. */
  watchConversation(sessionId: SessionId, listener: ConversationListener): () => void;
}
