/**
 * Going on with an agent's run that was cut: what of it asks a person, and which runs its scripts had called.
 */
import { EngineError, type StageName } from '../base/engine-error.ts';
import { type AnswerSource, canonicalText } from '../kernel/ask.ts';
import { closeCalls } from '../kernel/called-runs.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { AgentCall, ScriptCalls } from '../kernel/capabilities.ts';
import { Suspension } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import { isAnswered, type ResumePoint } from '../kernel/resume-point.ts';
import type { SuspensionRequest } from '../kernel/run-event.ts';
import type { AgentRequest } from './agent-request.ts';

/**
 * What becomes of an input or a stage that was cut: nobody knows how far it had come, and what acts outside may have acted.
 * @param name the input's task, or the stage
 */
export function verdictOn({ resume, dry, dryRun }: AgentRequest, name: string): 'again' | 'rejected' | 'asks' {
  // Nothing of a dry run lasts.
  if (dry === 'req' || dryRun !== undefined || resume?.repeatsCut === true) return 'again';
  if (!isAnswered(name, resume?.point)) return 'asks';
  return resume?.point.answer?.decision === 'reject' ? 'rejected' : 'again';
}

/** What a person is asked about a cut input or stage; `subject` names it, for example `Input 2`. */
export function cutRequest(subject: string, { place }: AgentRequest): SuspensionRequest {
  const what = `${subject} of agent "${place.name}" was running when the program stopped, and may have done its work or a part of it.`;
  return {
    reason: 'operator',
    message: `${what} Approve to run it again, with what the model has answered so far, or reject to let it fail.`,
  };
}

/** Why a cut input or stage fails that a person does not want to be run again. */
export function rejectedCut(subject: string): EngineError {
  const message = `${subject} was cut when the program stopped, and running it again was rejected.`;
  return new EngineError({ code: 'node.cut', message });
}

interface CallsBefore {
  /** The runs that were called in this input or stage before. */
  readonly former: readonly ResumePoint[];
  /** Answers for the runs that are called. */
  readonly answers: AnswerSource | undefined;
  readonly loneStage?: ScriptCalls['loneStage'];
}

/**
 * The calls of one input or stage. Each is named by what it asks for and by how many equal ones came before, so that a
 * script that runs again finds the runs that it had called: what they had done is neither done nor paid again.
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

  /** Thrown by a called run that waits for a person. */
  get suspension(): Suspension | undefined {
    return this.#suspension;
  }

  /** Calls `stop` as soon as a called run waits for a person: the script that called it ends, and runs again with the answer. */
  onSuspension(stop: () => void): void {
    this.#stop = stop;
  }

  /** The calls of this stage are counted apart from those of other ones: it may run again without them. */
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

  /** What a call of a tool had called, which goes on now. */
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

  /** Resolves when nothing is under way that was called: a script that is stopped leaves it to end by itself. */
  async whenEnded(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** Ends the runs that were not called again. `hub` tells in the context of the input or stage. */
  close(hub: Hub): void {
    if (this.#former.size === 0) return;
    closeCalls([...this.#former.values()], hub, cancellation());
    this.#former.clear();
  }
}
