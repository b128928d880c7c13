/** Resumes an interrupted agent run: determines what a person must confirm, and which runs its scripts had started. */
import { EngineError, type StageName } from '../../base/engine-error.ts';
import type { AgentCall, ScriptCalls } from '../kernel/capabilities/capabilities.ts';
import type { SuspensionRequest } from '../kernel/events/run-event.ts';
import { cancellation } from '../kernel/hub/cancel-scope.ts';
import { Suspension } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { type AnswerSource, canonicalText } from '../kernel/requests/ask.ts';
import { closeCalls } from '../kernel/resume/called-runs.ts';
import { isAnswered, type ResumePoint } from '../kernel/resume/resume-point.ts';
import type { AgentRequest } from './agent-request.ts';

/**
 * Decides how to handle an interrupted input or stage. It is unknown how far it got, so its effects may have happened.
 * @param name the input's task, or the stage
 */
export function verdictOn({ resume, dry, dryRun }: AgentRequest, name: string): 'again' | 'rejected' | 'asks' {
  // A dry run has no permanent effects.
  if (dry === 'req' || dryRun !== undefined || resume?.repeatsCut === true) return 'again';
  if (!isAnswered(name, resume?.point)) return 'asks';
  return resume?.point.answer?.decision === 'reject' ? 'rejected' : 'again';
}

/** Creates the request about an interrupted input or stage. `subject` names it, such as `Input 2`. */
export function cutRequest(subject: string, { place }: AgentRequest): SuspensionRequest {
  const what = `${subject} of agent "${place.name}" was running when the program stopped, and may have finished some or all of its work.`;
  return {
    reason: 'operator',
    message: `${what} Approve to run it again with the model responses received so far, or reject to let it fail.`,
  };
}

/** Creates the error for an interrupted input or stage that a person chose not to repeat. */
export function rejectedStageRetryError(subject: string): EngineError {
  const message = `${subject} was interrupted when the program stopped, and running it again was rejected.`;
  return new EngineError({ code: 'node.cut', message });
}

interface CallsBefore {
  /** Runs previously started by this input or stage. */
  readonly former: readonly ResumePoint[];
  /** Answers for its child runs. */
  readonly answers: AnswerSource | undefined;
  readonly loneStage?: ScriptCalls['loneStage'];
}

/**
 * Tracks the child runs of one input or stage. A call is identified by its arguments and the number of identical
 * earlier calls. A script that runs again therefore finds the runs it had started, and their work is not repeated or
 * paid for twice.
 */
export class CallsOfScripts implements ScriptCalls {
  readonly answers: AnswerSource | undefined;
  readonly loneStage: ScriptCalls['loneStage'];
  readonly #sha256: (text: string) => string;
  readonly #former = new Map<string, ResumePoint>();
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();
  #stage: StageName | undefined;
  #suspension: Suspension | undefined;
  #stop: (() => void) | undefined;

  constructor({ capabilities }: Pick<AgentRequest, 'capabilities'>, { former, answers, loneStage }: CallsBefore) {
    this.answers = answers;
    this.loneStage = loneStage;
    this.#sha256 = capabilities.hash.sha256;
    for (const call of former) this.#former.set(call.start?.callKey ?? call.runId, call);
  }

  /** Thrown by a child run that waits for a person. */
  get suspension(): Suspension | undefined {
    return this.#suspension;
  }

  /**
   * Calls `stop` as soon as a child run waits for a person. The calling script then ends, and runs again once there is
   * an answer.
   */
  onSuspension(stop: () => void): void {
    this.#stop = stop;
  }

  /** Counts this stage's calls separately, because the stage may run again without the other stages. */
  inStage(stage: StageName): void {
    this.#stage = stage;
  }

  next({ agent, inputs, options, baseFolder }: AgentCall): ReturnType<ScriptCalls['next']> {
    const apart = this.#stage === undefined ? [] : [this.#stage];
    const call = [agent, inputs === null ? null : [...inputs], options ?? null, baseFolder ?? null, ...apart];
    const hash = this.#sha256(canonicalText(call));
    const count = this.#counts.get(hash) ?? 0;
    this.#counts.set(hash, count + 1);
    const callKey = `agent:${hash}:${count}`;
    const former = this.#former.get(callKey);
    this.#former.delete(callKey);
    return { callKey, former };
  }

  /** Removes and returns the resume points of a tool call that continues. */
  takeOfTool(callKey: string): readonly ResumePoint[] {
    const former = this.#former.get(callKey);
    if (former?.start === undefined) return [];
    this.#former.delete(callKey);
    return [former];
  }

  hold(call: Promise<unknown>): void {
    this.#underWay.add(call);
    const letGo = () => this.#underWay.delete(call);
    call.then(letGo, (thrown: unknown) => {
      letGo();
      if (!(thrown instanceof Suspension)) return;
      this.#suspension ??= thrown;
      this.#stop?.();
    });
  }

  /** Resolves when no child run is active. The child runs of a stopped script end on their own. */
  async whenEnded(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /**
   * Ends the child runs that the script did not call again. `hub` emits events in the context of the input or stage.
   */
  close(hub: Hub): void {
    if (this.#former.size === 0) return;
    closeCalls([...this.#former.values()], hub, cancellation());
    this.#former.clear();
  }
}
