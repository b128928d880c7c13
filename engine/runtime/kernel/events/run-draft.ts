/**
 * One run while a batch of events is folded. Affected parts are copied once and then modified in place.
 */

import { type RunId, taskNameOf } from '../../../base/ids.ts';
import { addUsage } from '../hub/spending.ts';
import type { RefusedAnswerEvent } from '../requests/ask.ts';
import type { AgentEvent } from './agent-event.ts';
import { type HeldEvent, HeldNodes, resumedFields } from './held-nodes.ts';
import { LoopDrafts, startsLoop } from './loop-drafts.ts';
import { noLoopTallies } from './loop-tallies.ts';
import { NodeDrafts } from './node-drafts.ts';
import { PersistentSet } from './persistent-set.ts';
import { withPin } from './pin-list.ts';
import { endOfRefused } from './refused-run.ts';
import type {
  CallEvent,
  EdgeEvent,
  EventEnvelope,
  GovernanceEvent,
  ModelEvent,
  NodeEvent,
  NoteEvent,
  PhaseEvent,
  RunEndEvent,
  RunKind,
  RunStartEvent,
  StageEvent,
  SuspensionRequest,
  TaskEvent,
} from './run-event.ts';
import { copyOfRun, type MutableRun, type RunState } from './run-state.ts';
import type { StepEvent } from './step-event.ts';
import { nameOfTask } from './task-events.ts';
import type { ToolEvent } from './tool-event.ts';

type ModelResponse = Extract<ModelEvent, { type: 'model:response' }>;
type WorkEvent = AgentEvent | CallEvent | GovernanceEvent | ModelEvent | RefusedAnswerEvent | StepEvent | ToolEvent;
type InnerEvent = HeldEvent | NoteEvent | PhaseEvent | StageEvent | WorkEvent;

export class RunDraft {
  readonly #run: MutableRun;
  /** For a root run. */
  readonly held: HeldNodes;
  readonly #nodes: NodeDrafts;
  /** Created on demand, because most events do not concern loops. */
  #loops: LoopDrafts | undefined;

  constructor(base: RunState) {
    this.#run = copyOfRun(base);
    this.#nodes = new NodeDrafts(base.nodes);
    this.held = new HeldNodes(base.held);
  }

  get seq(): number {
    return this.#run.seq;
  }

  get runId(): RunId | null {
    return this.#run.runId;
  }

  get kind(): RunKind {
    return this.#run.kind;
  }

  get parentRunId(): RunId | null {
    return this.#run.parentRunId;
  }

  get parentTaskId(): string | null {
    return this.#run.parentTaskId;
  }

  /** Returns the state after all applied events. The draft must not be modified afterward. */
  finished(): MutableRun {
    this.#run.nodes = this.#nodes.finished();
    this.#run.held = this.held.list;
    if (this.#loops !== undefined) this.#run.tallies = this.#loops.finished();
    return this.#run;
  }

  /** Uses only the event's number. */
  passOver({ seq }: EventEnvelope): void {
    this.#run.seq = seq;
  }

  apply(envelope: EventEnvelope): void {
    const { event } = envelope;
    this.#run.seq = envelope.seq;
    switch (event.type) {
      case 'run:start':
        this.#startRun(envelope, event);
        break;
      case 'run:suspended':
        this.#run.status = 'suspended';
        this.#run.pause = this.held.placeOf(event);
        break;
      case 'run:resumed':
        Object.assign(this.#run, resumedFields(event, this.#run.budget));
        break;
      case 'run:refused':
        this.#run.runId = envelope.runId;
        this.#endRun(endOfRefused(event));
        break;
      case 'run:end':
        this.#endRun(event);
        break;
      case 'task:start':
      case 'task:complete':
      case 'task:failed':
      case 'task:cancelled':
      case 'task:skipped':
        this.#applyTask(event, envelope.at);
        break;
      case 'node:skipped':
      case 'node:input':
      case 'node:retry':
      case 'node:reused':
        this.#tally(event);
        this.#nodes.apply(event, envelope.at);
        break;
      case 'node:suspended':
        this.#suspend(event, envelope.at);
        break;
      case 'approval:requested':
      case 'input:requested':
      case 'approval:resolved':
      case 'input:received':
        this.#nodes.applyAsk(event, envelope.at);
        break;
      case 'edge:fired':
      case 'edge:skipped':
        this.#applyEdge(event);
        break;
      default:
        this.#applyWithin(envelope, event);
    }
  }

  /** Applies events inside tasks and phases. */
  #applyWithin(envelope: EventEnvelope, event: InnerEvent): void {
    switch (event.type) {
      case 'agent:start':
        this.#addText(envelope, '');
        break;
      case 'agent:text':
        this.#addText(envelope, event.content);
        break;
      case 'model:request':
        this.#nodes.breakText(envelope.context.task?.id);
        break;
      case 'model:response':
        this.addSpending(event, envelope.context.task?.id ?? null);
        break;
      case 'stage:start':
        if (event.taskId === undefined) this.#run.stageRequest = undefined;
        else this.#nodes.setStage(event.taskId, event.stage);
        break;
      case 'label':
        if (event.taskId === undefined) this.#run.label = event.text;
        else this.#nodes.setLabel(event.taskId, event.text);
        break;
      case 'pin': {
        const { type: _, ...pin } = event;
        this.#run.pins = withPin(this.#run.pins, pin);
        break;
      }
      case 'agent:complete':
      case 'agent:failed':
      case 'agent:thinking':
      case 'call:complete':
      case 'phase:start':
      case 'phase:complete':
      case 'phase:failed':
      case 'phase:cancelled':
      case 'node:held':
      case 'stage:end':
      case 'log':
      case 'trace':
        break;
      case 'governance:decision':
        this.#nodes.addSuggestion(envelope.context.task?.id, event.suggestion);
        break;
      default:
        passOver(event);
    }
  }

  /**
   * Adds a response's cost; replayed responses cost nothing.
   * @param taskId the task to which the cost is also added
   */
  addSpending({ usage, costUsd, fromCassette }: ModelResponse, taskId: string | null): void {
    if (fromCassette === true) return;
    if (costUsd === undefined) this.#run.unpricedCalls += 1;
    else this.#run.costUsd = (this.#run.costUsd ?? 0) + costUsd;
    if (usage !== undefined) this.#run.usage = addUsage(this.#run.usage, usage);
    const spent = { ...(usage === undefined ? {} : { usage }), ...(costUsd === undefined ? {} : { costUsd }) };
    if (taskId !== null) this.#nodes.addSpending(taskNameOf(taskId), spent);
  }

  /** Adds the text of an agent called by a node to the node's progress. */
  addProgressOf({ runId, context: { node, task }, event }: EventEnvelope): void {
    if (node === undefined || event.type !== 'agent:text') return;
    this.#nodes.addText(node.id, event.content, `${runId} ${task?.id ?? ''}`);
  }

  #startRun({ runId, parentRunId, at }: EventEnvelope, event: RunStartEvent): void {
    this.#run.runId = runId;
    this.#run.kind = event.kind;
    this.#run.name = event.name;
    this.#run.sourcePath = event.sourcePath;
    this.#run.status = 'running';
    this.#run.startedAt = at;
    this.#run.inputs = event.inputs;
    this.#run.redoOf = event.redoOf ?? null;
    this.#run.redoCount = event.redoCount ?? 0;
    this.#run.rerunOf = event.rerunOf ?? null;
    this.#run.rerunFromNode = event.rerunFromNode ?? null;
    this.#run.scope = event.scope ?? null;
    this.#run.pinned = event.pinned ?? [];
    this.#run.startedBy = event.startedBy ?? null;
    this.#run.autonomy = event.autonomy ?? null;
    this.#run.budget = event.budget;
    this.#run.parentRunId = parentRunId ?? null;
    this.#run.parentTaskId = event.parentTaskId ?? null;
  }

  /** Sets a task's wait for a child run. @param request the child run's request; undefined if the task continues */
  setCallRequest(taskId: string, request: SuspensionRequest | undefined): void {
    this.#nodes.setCallRequest(taskNameOf(taskId), request);
  }

  /** The first request to a person in this run. */
  get request(): SuspensionRequest | undefined {
    return this.#run.stageRequest?.request ?? this.#nodes.firstRequest();
  }

  #suspend(event: Extract<NodeEvent, { type: 'node:suspended' }>, at: number): void {
    const { nodeId: stage, request } = event;
    const isStage = stage === 'BeforeAll' || stage === 'AfterAll';
    if (isStage && this.#run.kind === 'agent') this.#run.stageRequest = { stage, request };
    else {
      this.#tally(event);
      this.#nodes.apply(event, at);
    }
  }

  #endRun(event: RunEndEvent): void {
    this.#run.stageRequest = undefined;
    this.#run.pause = undefined;
    if (!this.held.isEmpty) this.held.removeBelow('');
    this.#run.status = event.status;
    this.#run.durationMs = event.durationMs;
    this.#run.output = event.output;
    this.#run.error = event.error;
    this.#run.failedNodes = PersistentSet.of(event.failedNodes);
    this.#run.redoRequested = event.redoRequested === true;
    this.#run.skipReason = event.skipReason;
    this.#run.endReason = event.reason;
  }

  #applyTask(event: TaskEvent, at: number): void {
    const name = nameOfTask(event);
    this.#tally(event);
    if (event.type === 'task:start') this.#nodes.start(name, event, at);
    else this.#nodes.end(name, event, at);
    if (event.type === 'task:failed') this.#run.failedNodes = PersistentSet.of(this.#run.failedNodes).with(name);
  }

  #applyEdge(event: EdgeEvent): void {
    const [edgeId, isFired] = [event.edgeId, event.type === 'edge:fired'];
    const now = isFired ? 'firedEdges' : 'skippedEdges';
    const before = isFired ? 'skippedEdges' : 'firedEdges';
    this.#run[now] = PersistentSet.of(this.#run[now]).with(edgeId);
    if (this.#run[before].has(edgeId))
      this.#run[before] = new Set([...this.#run[before]].filter((id) => id !== edgeId));
    if (isFired && this.#hasLoops) this.#loopDrafts().takeEdge(event);
  }

  /** Counts events of nodes in loop bodies before the nodes change. */
  #tally(event: TaskEvent | NodeEvent): void {
    // A node whose output is changed has ended before.
    if (event.type === 'node:reused' && event.given?.before !== undefined) return;
    if (this.#hasLoops || startsLoop(event)) this.#loopDrafts().take(event);
  }

  /** Nodes in a loop body run only after the loop has started. */
  get #hasLoops(): boolean {
    return this.#loops !== undefined || this.#run.tallies !== noLoopTallies;
  }

  #loopDrafts(): LoopDrafts {
    this.#loops ??= new LoopDrafts(this.#run, this.#nodes);
    return this.#loops;
  }

  #addText({ context: { task } }: EventEnvelope, content: string): void {
    if (task !== undefined) this.#nodes.addText(taskNameOf(task.id), content);
  }
}

/**
 * Events that do not affect the state. The compiler reports forgotten types; at run time, event types of later versions
 * may occur.
 */
function passOver(_event: RefusedAnswerEvent | StepEvent | ToolEvent): void {}
