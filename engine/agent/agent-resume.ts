/**
 * Going on with an agent's run that was cut: what of it asks a person, and which runs its scripts had called.
 */
import { EngineError } from '../base/engine-error.ts';
import { isJsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { closeCalls } from '../kernel/called-runs.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { AgentCall, ScriptCalls } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import { isAnswered, type ResumePoint } from '../kernel/resume-point.ts';
import type { SuspensionRequest } from '../kernel/run-event.ts';
import type { AgentRequest } from './agent-request.ts';

/**
 * What becomes of an input or a stage that was cut: nobody knows how far it had come, and what acts outside may have acted.
 * @param name the input's task, or the stage
 */
export function verdictOn({ resume, dry }: AgentRequest, name: string): 'again' | 'rejected' | 'asks' {
  // A dry run acts nowhere.
  if (dry === 'req' || resume?.repeatsCut === true) return 'again';
  if (!isAnswered(name, resume?.point)) return 'asks';
  return resume?.point.answer?.decision === 'reject' ? 'rejected' : 'again';
}

/** What a person is asked about a cut input or stage; `subject` names it, for example `Input 2`. */
export function cutRequest(subject: string, { place }: AgentRequest): SuspensionRequest {
  const what = `${subject} of agent "${place.name}" was running when the program stopped, and may have done its work or a part of it.`;
  return {
    reason: 'operator',
    message: `${what} Approve to run it again, its questions to the model included, or reject to let it fail.`,
  };
}

/** Why a cut input or stage fails that a person does not want to be run again. */
export function rejectedCut(subject: string): EngineError {
  const message = `${subject} was cut when the program stopped, and running it again was rejected.`;
  return new EngineError({ code: 'node.cut', message });
}

/**
 * The calls of one input or stage. Each is named by what it asks for and by how many equal ones came before, so that a
 * script that runs again finds the runs that it had called: what they had done is neither done nor paid again.
 */
export class CallsOfScripts implements ScriptCalls {
  readonly #sha256: (text: string) => string;
  readonly #former = new Map<string, ResumePoint>();
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor({ resume, capabilities }: AgentRequest, name: string) {
    this.#sha256 = capabilities.hash.sha256;
    for (const call of resume?.point.calls.get(name) ?? []) this.#former.set(call.start?.callKey ?? call.runId, call);
  }

  next({ agent, inputs, options, baseFolder }: AgentCall): ReturnType<ScriptCalls['next']> {
    const asked = canonicalText([agent, inputs === null ? null : [...inputs], options ?? null, baseFolder ?? null]);
    const hash = this.#sha256(asked);
    const count = this.#counts.get(hash) ?? 0;
    this.#counts.set(hash, count + 1);
    const callKey = `agent:${hash}:${count}`;
    const former = this.#former.get(callKey);
    this.#former.delete(callKey);
    return { callKey, former };
  }

  hold(call: Promise<unknown>): void {
    this.#underWay.add(call);
    const letGo = () => this.#underWay.delete(call);
    call.then(letGo, letGo);
  }

  /** Resolves when nothing is under way that was called: a script that is stopped leaves it to end by itself. */
  async whenEnded(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** Ends the runs that were not called again. `hub` tells in the context of the input or stage. */
  close(hub: Hub): void {
    closeCalls([...this.#former.values()], hub, cancellation());
    this.#former.clear();
  }
}

/** Lua's tables have no order. */
function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: JsonValue) =>
    isJsonMap(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
