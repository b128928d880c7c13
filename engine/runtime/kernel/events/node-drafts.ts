/**
 * A run's nodes while a batch of events is folded. Each node is copied on the first write and then modified in place.
 */
import { assertNever } from '../../../base/assert-never.ts';
import type { StageName } from '../../../base/engine-error.ts';
import { taskNameOf } from '../../../base/ids.ts';
import type { SuggestedAction } from '../../../language/flow/autonomy.ts';
import { addUsage } from '../hub/spending.ts';
import { type AskEvent, isLiveKey, withoutLive } from '../requests/ask.ts';
import { suspensionFor } from '../requests/ask-request.ts';
import { PersistentMap } from './persistent-map.ts';
import type { ModelUsage, NodeEvent, SuspensionRequest } from './run-event.ts';
import type { NodeState, NodeStatus } from './run-state.ts';
import type { TaskEnd, TaskStart } from './task-events.ts';

type NodeDraft = { -readonly [Key in keyof NodeState]: NodeState[Key] };

export class NodeDrafts {
  readonly #base: PersistentMap<NodeState>;
  readonly #touched = new Map<string, NodeDraft>();

  constructor(base: ReadonlyMap<string, NodeState>) {
    this.#base = PersistentMap.of(base);
  }

  /** Returns the nodes after the batch. The drafts must not be modified afterward. */
  finished(): ReadonlyMap<string, NodeState> {
    return this.#base.withAll(this.#touched);
  }

  /** Undefined for a node without events. */
  statusOf(nodeId: string): NodeStatus | undefined {
    return this.#known(nodeId)?.status;
  }

  /** Starts a node, or restarts it after an interruption, keeping its attempt number and cost. */
  start(nodeId: string, { nodeType, resumed }: TaskStart, startedAt: number): void {
    const cut = resumed === true ? this.#known(nodeId) : undefined;
    const attempts = cut?.attempts ?? 1;
    const spent = { usage: cut?.usage, costUsd: cut?.costUsd, unpricedCalls: cut?.unpricedCalls };
    // When an agent input that waited for an answer resumes, its name and value are not emitted again.
    const ofInput = nodeType === undefined ? { label: cut?.label, input: cut?.input } : {};
    const kept = { ...spent, asks: cut?.asks && withoutLive(cut.asks), ...ofInput };
    this.#set({ nodeId, nodeType, status: 'running', startedAt, attempts, text: '', ...kept });
  }

  end(nodeId: string, event: TaskEnd, endedAt: number): void {
    const node = this.#draft(nodeId);
    node.endedAt = endedAt;
    node.request = undefined;
    switch (event.type) {
      case 'task:complete':
        node.status = 'completed';
        node.output = event.result;
        node.error = undefined;
        break;
      case 'task:failed':
        node.status = 'failed';
        node.error = event.error;
        break;
      case 'task:cancelled':
        node.status = 'cancelled';
        node.durationMs = Math.max(0, endedAt - (node.startedAt ?? endedAt));
        return;
      case 'task:skipped':
        node.status = 'skipped';
        node.skip = { reason: 'directive', text: event.reason };
        node.durationMs = Math.max(0, endedAt - (node.startedAt ?? endedAt));
        return;
      default:
        assertNever(event);
    }
    node.durationMs = event.durationMs;
    node.attempts = event.attempts;
  }

  apply(event: NodeEvent, at: number): void {
    switch (event.type) {
      case 'node:skipped': {
        const { nodeId, reason, detail, suggestion } = event;
        // The task's event has already reported this, with the reason.
        if (reason === 'directive' && this.#known(nodeId)?.status === 'skipped') return;
        const skip = detail === undefined ? { reason } : { reason, detail };
        const held = suggestion === undefined ? {} : { suggestions: [suggestion] };
        this.#set({ nodeId, status: 'skipped', endedAt: at, attempts: 0, text: '', skip, ...held });
        return;
      }
      case 'node:input': {
        const node = this.#draft(event.nodeId);
        node.input = event.input;
        node.edited = event.edited;
        // A person has allowed it to continue.
        if (node.status === 'suspended') node.status = 'running';
        node.request = undefined;
        return;
      }
      case 'node:retry': {
        const node = this.#draft(event.nodeId);
        node.status = 'retrying';
        node.attempts = event.attempt + 1;
        node.error = event.error;
        return;
      }
      case 'node:reused': {
        this.#reuse(event, at);
        return;
      }
      case 'node:suspended': {
        const node = this.#draft(event.nodeId);
        node.status = 'suspended';
        node.request = event.request;
        return;
      }
      default:
        assertNever(event);
    }
  }

  #reuse(
    { nodeId, fromRunId, fromNodeId, output, given }: Extract<NodeEvent, { type: 'node:reused' }>,
    at: number,
  ): void {
    const name = fromNodeId === undefined ? {} : { fromNodeId };
    const source = fromRunId === undefined ? { isPinned: true as const } : { fromRunId, ...name };
    const end = { nodeId, status: 'reused' as const, output, given, ...source };
    // What the node has done and spent before its output was changed is kept.
    const former = given?.before === undefined ? undefined : this.#known(nodeId);
    this.#set(former === undefined ? { endedAt: at, attempts: 0, text: '', ...end } : { ...former, ...end });
  }

  /** Applies a node's request, or an answer after which the node continues. */
  applyAsk(event: AskEvent, at: number): void {
    const node = this.#draft(event.nodeId);
    const { key, requestHash } = event;
    const { asks = [] } = node;
    if ('request' in event) {
      const others = asks.filter((ask) => ask.key !== key);
      const ask = { key, requestHash, request: event.request, askedAt: at };
      node.asks = [...others, ask];
      // No other event reports that the node waits, because it keeps running.
      if (isLiveKey(key)) {
        node.status = 'suspended';
        node.request = suspensionFor([ask]);
      }
      return;
    }
    const { payload, by } = event;
    const answer = { payload, at: event.at, ...(by === undefined ? {} : { by }) };
    node.asks = asks.map((ask) => (ask.key === key && ask.requestHash === requestHash ? { ...ask, answer } : ask));
    if (node.status === 'suspended') node.status = 'running';
    node.request = undefined;
  }

  /** Sets the request of the node's child run; undefined if the node continues. */
  setCallRequest(nodeId: string, request: SuspensionRequest | undefined): void {
    const node = this.#draft(nodeId);
    node.status = request === undefined ? 'running' : 'suspended';
    node.request = request;
  }

  /** Returns the first request among waiting nodes. */
  firstRequest(): SuspensionRequest | undefined {
    for (const { request } of this.finished().values()) if (request !== undefined) return request;
    return undefined;
  }

  /** @param speaker distinguishes text sources for one node; each source's text starts on a new line */
  addText(nodeId: string, content: string, speaker?: string): void {
    const node = this.#draft(nodeId);
    // A failed attempt's text remains readable until the next attempt emits text.
    if (node.status === 'retrying') {
      node.status = 'running';
      node.text = '';
      node.error = undefined;
    }
    if (node.text !== '' && node.speaker !== speaker) node.text += '\n';
    node.speaker = speaker;
    node.text += content;
  }

  /** Makes the next text of a task's node start on a new line, because another model call writes it. */
  breakText(taskId: string | undefined): void {
    const nodeId = taskId === undefined ? undefined : taskNameOf(taskId);
    if (nodeId === undefined || (this.#known(nodeId)?.text ?? '') === '') return;
    this.#draft(nodeId).speaker = 'another call';
  }

  /** Sets an agent input's stage. The input continues if it was waiting. */
  setStage(nodeId: string, stage: StageName): void {
    const node = this.#draft(nodeId);
    node.stage = stage;
    if (node.status !== 'suspended') return;
    node.status = 'running';
    node.request = undefined;
  }

  /** Stores a tool call by the task's model that was held back. */
  addSuggestion(taskId: string | undefined, suggestion: SuggestedAction | undefined): void {
    if (taskId === undefined || suggestion === undefined) return;
    const node = this.#draft(taskNameOf(taskId));
    node.suggestions = [...(node.suggestions ?? []), suggestion];
  }

  setLabel(nodeId: string, label: string): void {
    this.#draft(nodeId).label = label;
  }

  /** Adds the cost of a model call to the node. */
  addSpending(nodeId: string, { usage, costUsd }: { readonly usage?: ModelUsage; readonly costUsd?: number }): void {
    const node = this.#draft(nodeId);
    if (usage !== undefined) node.usage = node.usage === undefined ? usage : addUsage(node.usage, usage);
    if (costUsd === undefined) node.unpricedCalls = (node.unpricedCalls ?? 0) + 1;
    else node.costUsd = (node.costUsd ?? 0) + costUsd;
  }

  #known(nodeId: string): NodeState | undefined {
    return this.#touched.get(nodeId) ?? this.#base.get(nodeId);
  }

  #draft(nodeId: string): NodeDraft {
    const touched = this.#touched.get(nodeId);
    if (touched !== undefined) return touched;
    const known = this.#base.get(nodeId);
    return this.#set(known ?? { nodeId, status: 'running', attempts: 1, text: '' });
  }

  #set(node: NodeState): NodeDraft {
    const draft = copyOf(node);
    this.#touched.set(node.nodeId, draft);
    return draft;
  }
}

/**
 * Copies all fields, including absent ones, so that all nodes have the same hidden class. This makes access several
 * times faster.
 */
function copyOf(node: NodeState): NodeDraft {
  return {
    nodeId: node.nodeId,
    nodeType: node.nodeType,
    status: node.status,
    startedAt: node.startedAt,
    endedAt: node.endedAt,
    durationMs: node.durationMs,
    attempts: node.attempts,
    input: node.input,
    output: node.output,
    error: node.error,
    text: node.text,
    skip: node.skip,
    suggestions: node.suggestions,
    usage: node.usage,
    costUsd: node.costUsd,
    unpricedCalls: node.unpricedCalls,
    request: node.request,
    fromRunId: node.fromRunId,
    fromNodeId: node.fromNodeId,
    isPinned: node.isPinned,
    given: node.given,
    edited: node.edited,
    stage: node.stage,
    label: node.label,
    asks: node.asks,
    speaker: node.speaker,
  } satisfies Record<keyof NodeState, unknown>;
}
