/**
 * Records call results in the log, so that a repeated attempt receives the earlier results and no request is sent
 * twice.
 */

import type { Capabilities } from '../../kernel/capabilities/capabilities.ts';
import { ReportingModel } from '../../kernel/models/reporting-model.ts';
import { CallKeys } from '../../kernel/resume/call-keys.ts';
import type { AttemptEvents } from './attempt-events.ts';
import type { NodeJob } from './node-job.ts';

type Method = (...given: never[]) => Promise<unknown>;
/**
 * Returns a call's request as JSON; undefined if it cannot be distinguished from other requests or its result is
 * delivered elsewhere.
 */
type RequestOf = (...given: never[]) => unknown;

/** Calls with JSON results. Reads can be repeated, and `model` emits its own events. */
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
 * Wraps capabilities so that calls emit events with their keys: always for models, otherwise only if the node may make
 * requests and is called again after an answer. Earlier calls return their recorded results.
 */
export function withReportedCalls(
  can: Partial<Capabilities>,
  job: NodeJob,
  events: AttemptEvents,
): Partial<Capabilities> {
  const { run } = job.place.scope;
  const { hash } = run.capabilities;
  const { secrets } = run;
  const isAsker = job.prepared.nodeType.capabilities.includes('ask');
  if (hash === undefined || (can.model === undefined && !isAsker)) return can;
  const { sha256 } = hash;
  const finished = run.calls.of(job.name);
  const calls = new CallKeys(finished, { sha256, mask: secrets && ((value) => secrets.mask(value)) });
  const told = { hub: events.hub, hash, clock: run.clock, calls };
  const model = can.model === undefined ? {} : { model: new ReportingModel(can.model, told) };
  return { ...can, ...(isAsker ? observedCapabilities(can, calls, events) : {}), ...model };
}

function observedCapabilities(
  can: Partial<Capabilities>,
  calls: CallKeys,
  events: AttemptEvents,
): Partial<Capabilities> {
  const known = Object.entries(can).filter(([name]) => name in callsOfAskers);
  return Object.fromEntries(
    known.map(([name, capability]) => {
      const methods = callsOfAskers[name] ?? {};
      return [
        name,
        observedCapability(capability, (call, method) => {
          const requestOf = methods[method];
          return requestOf && observedCall(call, { kind: `${name}.${method}`, requestOf, calls, events });
        }),
      ];
    }),
  );
}

/** @param told replaced methods; undefined if the method is unchanged */
function observedCapability<T extends object>(
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

interface ObservedCall {
  readonly kind: string;
  readonly requestOf: RequestOf;
  readonly calls: CallKeys;
  readonly events: AttemptEvents;
}

function observedCall(call: Method, { kind, requestOf, calls, events }: ObservedCall): Method {
  return async (...given) => {
    const request = requestOf(...given);
    if (request === undefined) return await call(...given);
    const { callKey, finished } = calls.next(kind, request);
    if (finished?.type === 'call:complete') return finished.result;
    const result = await call(...given);
    const event = events.emitCall(callKey, result);
    return event === undefined ? result : calls.note(event).result;
  };
}
