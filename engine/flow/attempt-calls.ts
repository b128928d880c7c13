/**
 * What attempts call: the results are facts of the log, so that an attempt whose work is done again gets what it had, and nothing goes
 * out twice.
 */
import { CallKeys, type FinishedCall, finishedBy } from '../kernel/call-keys.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { RunEvent } from '../kernel/run-event.ts';
import { ToldModel } from '../kernel/told-model.ts';
import type { AttemptHub } from './attempt-hub.ts';
import type { NodeJob } from './node-job.ts';

/** What is known of attempts of one run that have not ended: they are called again. Nodes are named by their place in the run. */
export class RunCalls {
  readonly #finished = new Map<string, Map<string, FinishedCall>>();
  /** By place and call key: how often a call of a tool was begun that acts outside and has no result. */
  readonly #cutTools = new Map<string, ReadonlyMap<string, number>>();
  /** Of nodes that wait: how many attempts had failed before. */
  readonly #attemptsMade = new Map<string, number>();

  constructor(resume: ResumePoint | undefined) {
    for (const [name, { finished, cutTools }] of resume?.open ?? []) {
      if (finished.size > 0) this.#finished.set(name, new Map(finished));
      if (cutTools.size > 0) this.#cutTools.set(name, cutTools);
    }
  }

  /** How often an earlier process has begun a call of a tool whose result nobody knows. */
  cutAttempts(name: string, callKey: string): number {
    return this.#cutTools.get(name)?.get(callKey) ?? 0;
  }

  /** Those of the node's attempt that goes on, by call key. */
  of(name: string): Map<string, FinishedCall> {
    const known = this.#finished.get(name);
    if (known !== undefined) return known;
    const finished = new Map<string, FinishedCall>();
    this.#finished.set(name, finished);
    return finished;
  }

  /** Takes what an attempt has told. */
  note(name: string, event: RunEvent): void {
    const finished = finishedBy(event);
    if (finished !== undefined) this.of(name).set(...finished);
  }

  /** The node waits in an attempt behind so many that have failed. */
  wait(name: string, attemptsMade: number): void {
    this.#attemptsMade.set(name, attemptsMade);
  }

  /** How many attempts of a node that has waited in this process had failed before. */
  attemptsMade(name: string): number | undefined {
    return this.#attemptsMade.get(name);
  }

  /** The attempt has ended: the next one calls anew. */
  leave(name: string): void {
    this.#finished.delete(name);
    this.#cutTools.delete(name);
    this.#attemptsMade.delete(name);
  }
}

type Method = (...given: never[]) => Promise<unknown>;
/** What a call asks for, as JSON; undefined when it cannot be told from others, or its answer goes elsewhere. */
type RequestOf = (...given: never[]) => unknown;

/** Calls whose results are JSON. What only reads may be read again, and `model` tells for itself. */
const callsOfAskers: Readonly<Record<string, Readonly<Record<string, RequestOf>>>> = {
  web: { send: webRequest },
  commands: { run: commandRequest },
  files: { writeText: (path: string, text: string, mode: string) => [path, text, mode] },
  code: { run: (script: object) => script },
  agents: { run: (call: object) => call },
  flows: { run: (call: object) => call },
};

function webRequest({
  secrets: _,
  admitRedirect: _admit,
  sink,
  form,
  ...request
}: Parameters<Capabilities['web']['send']>[0]): unknown {
  return sink === undefined && form === undefined ? request : undefined;
}

function commandRequest(asked: Parameters<Capabilities['commands']['run']>[0]): unknown {
  const { secrets: _secrets, decisions: _decisions, onOutput, ...request } = asked;
  return onOutput === undefined ? request : undefined;
}

/**
 * The same abilities, whose calls are told with their keys: those of models always, others where the node may ask people and is then
 * called again. What was called before gives what it gave.
 */
export function withToldCalls(can: Partial<Capabilities>, job: NodeJob, hub: AttemptHub): Partial<Capabilities> {
  const { run } = job.place.scope;
  const { hash } = run.capabilities;
  const { secrets } = run;
  const isAsker = job.prepared.nodeType.capabilities.includes('ask');
  if (hash === undefined || (can.model === undefined && !isAsker)) return can;
  const { sha256 } = hash;
  const finished = run.calls.of(job.name);
  const calls = new CallKeys(finished, { sha256, mask: secrets && ((value) => secrets.mask(value)) });
  const told = { hub, hash, clock: run.clock, calls };
  const model = can.model === undefined ? {} : { model: new ToldModel(can.model, told) };
  return { ...can, ...(isAsker ? toldCapabilities(can, calls, hub) : {}), ...model };
}

function toldCapabilities(can: Partial<Capabilities>, calls: CallKeys, hub: AttemptHub): Partial<Capabilities> {
  const known = Object.entries(can).filter(([name]) => name in callsOfAskers);
  return Object.fromEntries(
    known.map(([name, capability]) => {
      const methods = callsOfAskers[name] ?? {};
      return [
        name,
        toldCapability(capability, (call, method) => {
          const requestOf = methods[method];
          return requestOf && toldCall(call, { kind: `${name}.${method}`, requestOf, calls, hub });
        }),
      ];
    }),
  );
}

/** @param told in place of a method; undefined = it stays as it is */
function toldCapability<T extends object>(
  capability: T,
  told: (call: Method, method: string) => Method | undefined,
): T {
  return new Proxy(capability, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const call = member.bind(target) as Method;
      return told(call, String(key)) ?? call;
    },
  });
}

interface ToldCall {
  readonly kind: string;
  readonly requestOf: RequestOf;
  readonly calls: CallKeys;
  readonly hub: AttemptHub;
}

function toldCall(call: Method, { kind, requestOf, calls, hub }: ToldCall): Method {
  return async (...given) => {
    const request = requestOf(...given);
    if (request === undefined) return await call(...given);
    const { callKey, finished } = calls.next(kind, request);
    if (finished?.type === 'call:complete') return finished.result;
    const result = await call(...given);
    const event = hub.tellCall(callKey, result);
    return event === undefined ? result : calls.note(event).result;
  };
}
