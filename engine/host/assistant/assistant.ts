/**
 * The assistant: a model that answers requests about one flow and can propose changes of it. A person decides about
 * each proposal.
 */

import type { RunId } from '../../base/ids.ts';
import type { BudgetDoc } from '../../language/triggers/budget-doc.ts';
import type { ProposalSummary } from '../proposals/proposal.ts';

/** The flow that a request is about, as the person sees it. */
export interface AssistantSubject {
  /** Path of the flow, relative to the workspace. */
  readonly file: string;
  /** Text of the flow, including changes that are not saved. */
  readonly text: string;
  /** IDs of the selected nodes. */
  readonly selection?: readonly string[];
  /** The run that is shown; if it failed, the model receives its errors. */
  readonly runId?: RunId;
  /** `provider::model` or an alias; absent for the default model. */
  readonly model?: string;
}

/** An earlier part of the conversation. */
export interface AssistantTurn {
  readonly by: 'person' | 'assistant';
  readonly text: string;
}

export interface AssistantRequest extends AssistantSubject {
  /** Identifies the request in its progress. */
  readonly id: string;
  readonly message: string;
  /** Oldest first. */
  readonly earlier?: readonly AssistantTurn[];
  /**
   * What the request may use. The response that exceeds it is the last one. US dollars are refused for a model without
   * a known price; seconds are those of the whole request.
   */
  readonly budget: BudgetDoc;
  /** The data that the person has seen. If it differs by now, nothing is sent, with the problem `assistant.changed`. */
  readonly seen?: string;
}

/** What a model receives in addition to a request. */
export interface AssistantContext {
  /** The model that would be used; null without one. */
  readonly model: string | null;
  /** Why the model cannot be used; absent if it can. */
  readonly problem?: { readonly code: string; readonly message: string };
  /** Whether the cost of the model is known. */
  readonly isPriced: boolean;
  /** The instructions, the same for all requests. */
  readonly instructions: string;
  /** The data about the flow, exactly as it is sent. */
  readonly data: string;
}

/** Progress of a request. */
export type AssistantProgress = { readonly id: string } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly tool: string }
  | { readonly type: 'spent'; readonly tokens: number; readonly costUsd?: number }
);

/** The outcome of a request. */
export interface AssistantAnswer {
  /** The model's last response; empty if there is none. */
  readonly text: string;
  /** The stored proposal, which is pending. */
  readonly proposal?: ProposalSummary;
  /** Why the request ended early. */
  readonly problem?: { readonly code: string; readonly message: string };
  readonly tokens: number;
  /** Cost in US dollars; absent if the price is not known. */
  readonly costUsd?: number;
}

/** The part of an engine that answers requests about flows. None of its methods changes a flow. */
export interface AssistantEngine {
  /** Returns exactly what a request would send. Sends nothing. */
  previewAssistance(subject: AssistantSubject): Promise<AssistantContext>;
  /**
   * Answers a request. Failures of the model are part of the answer.
   * @throws EngineError `assistant.unavailable` | `assistant.no-price` | `assistant.bad-request` | `files.*`, or the
   * signal's reason when it aborts
   */
  assist(request: AssistantRequest, signal: AbortSignal): Promise<AssistantAnswer>;
  /** Calls the listener with the progress of all requests. Returns a function that ends the subscription. */
  watchAssistance(listener: (progress: AssistantProgress) => void): () => void;
}
