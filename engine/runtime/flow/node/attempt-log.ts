/**
 * The events of an attempt that its host keeps in parts: what the attempt has begun, so that it can be resumed, and the
 * requests in its child runs.
 */
import type { RunId } from '../../../base/ids.ts';
import { applyCallEvent, startedTask } from '../../kernel/events/open-calls.ts';
import type { RunEvent } from '../../kernel/events/run-event.ts';
import { isAboutCall } from '../../kernel/hub/hub-hooks.ts';
import type { Ask } from '../../kernel/requests/ask.ts';
import { callerNameOf } from '../../kernel/requests/waiting-requests.ts';
import { CallTracker } from '../../kernel/resume/called-runs.ts';
import { type ResumePoint, type SuspensionAnswer, waitingNames } from '../../kernel/resume/resume-point.ts';
import type { RecordedEvent } from './event-recorder.ts';
import type { BegunWork, NodeJob } from './node-job.ts';

/** Where an event was emitted. */
interface EmittingPlace {
  readonly runId: RunId;
  readonly taskId: string | undefined;
}

export class AttemptLog {
  readonly #job: NodeJob;
  readonly #calls: CallTracker;
  readonly #task = startedTask(undefined, undefined);
  /** The runs that are known to have a caller. */
  readonly #children = new Set<RunId>();
  /** Texts of child runs, by hash. */
  readonly #definitions = new Map<string, string>();
  readonly #readDefinition = (hash: string): string | undefined => this.#definitions.get(hash);
  #answer: SuspensionAnswer | undefined;

  /** @param former child runs of an earlier call of the node */
  constructor(job: NodeJob, former: readonly ResumePoint[]) {
    this.#job = job;
    this.#noteFormer(former);
    this.#calls = new CallTracker(job.hub, job.place.scope.run.host, former, this.#readDefinition);
  }

  /** Takes the events of the next part. */
  take(told: readonly RecordedEvent[]): void {
    for (const one of told) {
      if ('definition' in one) this.#noteDefinition(one.definition);
      else this.#takeEvent(one.event, this.#placeOf(one));
    }
    if (!this.#isAwaited(this.#answer)) this.#answer = undefined;
    if (told.some(isRequest)) this.#expectAnswers(this.calls(), this.#job.name);
  }

  /** Records a person's decision about interrupted work in a child run. It applies until that work has started. */
  answer(answer: SuspensionAnswer): void {
    this.#answer = answer;
  }

  #isAwaited(answer: SuspensionAnswer | undefined): boolean {
    if (answer === undefined) return false;
    const names = this.calls().flatMap((run) => (run.end === undefined ? waitingNames(run) : []));
    return names.some((name) => `${this.#job.name}/${name}` === answer.nodeId);
  }

  /** Returns the child runs with their progress. */
  calls(): readonly ResumePoint[] {
    return this.#calls.list(this.#answer);
  }

  /** Returns a copy, because the attempt that goes on from here adds events to this log. */
  begun(): BegunWork {
    const copy = new CallTracker(this.#job.hub, this.#job.place.scope.run.host, this.calls(), this.#readDefinition);
    return { calls: copy.list(this.#answer), cutTools: new Map(this.#task.cutTools) };
  }

  #takeEvent(event: RunEvent, place: EmittingPlace): void {
    const isOwn = place.runId === this.#job.hub.runId;
    if (isOwn) applyCallEvent(this.#task, event);
    if (!isOwn || isAboutCall(event)) this.#calls.take(event, place);
  }

  #placeOf({ way }: RecordedEvent): EmittingPlace {
    const { hub } = this.#job;
    let place: EmittingPlace = { runId: hub.runId, taskId: hub.taskId };
    for (const step of way) {
      if ('child' in step) {
        if (!this.#children.has(step.child)) this.#calls.noteChild(step.child, place);
        this.#children.add(step.child);
        place = { runId: step.child, taskId: undefined };
      } else if (step.context.task !== undefined) {
        place = { ...place, taskId: step.context.task.id };
      }
    }
    return place;
  }

  #noteDefinition(text: string): void {
    const { hash } = this.#job.place.scope.run.capabilities;
    if (hash !== undefined) this.#definitions.set(hash.sha256(text), text);
  }

  #noteFormer(runs: readonly ResumePoint[]): void {
    for (const { definition, start, calls } of runs) {
      if (definition !== undefined && start !== undefined) this.#definitions.set(start.definitionHash, definition);
      for (const below of calls.values()) this.#noteFormer(below);
    }
  }

  #expectAnswers(runs: readonly ResumePoint[], caller: string): void {
    for (const { start, end, open, calls } of runs) {
      if (start === undefined || end !== undefined) continue;
      for (const [name, { asks }] of open) this.#expect(`${caller}/${name}`, asks.values());
      for (const below of calls.values()) this.#expectBelow(below, caller);
    }
  }

  #expect(name: string, asks: Iterable<Ask>): void {
    const { hostAnswers } = this.#job.place.scope.run;
    for (const ask of asks) if (ask.answer === undefined) hostAnswers?.expect(name, ask);
  }

  #expectBelow(runs: readonly ResumePoint[], caller: string): void {
    for (const run of runs) {
      const name = run.start && callerNameOf(run.start);
      if (name !== undefined) this.#expectAnswers([run], `${caller}/${name}`);
    }
  }
}

function isRequest(one: RecordedEvent): boolean {
  return 'event' in one && (one.event.type === 'approval:requested' || one.event.type === 'input:requested');
}
