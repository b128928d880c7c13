/**
 * The addresses of published flows: finds their flows and callers, and starts and finds their runs. A run is recorded
 * together with a firing of the flow's address, whose key contains the caller and its idempotency key.
 */
import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { HonoRequest } from 'hono';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import type { Firing } from '../../history/store/firing-store.ts';
import type { TriggerName } from '../../history/store/trigger-watch.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { canonicalText } from '../../runtime/kernel/requests/ask.ts';
import { type Caller, createCallers } from './callers.ts';
import { createPageSessions, type PageSessions, readServiceKey } from './page-sessions.ts';
import { exposureProblem, openPublishedFlows, type PublishedEntry } from './published-flows.ts';
import type { HttpWorld } from './served.ts';
import { refuseOtherFiles } from './uploads.ts';

/** Name of the address among a flow's triggers, which no trigger of a file can have. */
const addressTrigger = '(address)';

/** A flow that can be called. */
export interface FlowAddress extends PublishedEntry {
  readonly name: string;
  readonly engine: Engine;
}

/** A request of a known caller to a flow. */
export interface AddressCall {
  readonly address: FlowAddress;
  readonly caller: Caller;
}

/** A request to start a run. */
interface AddressStart {
  readonly inputs: JsonMap;
  /** Two requests with the same key start one run. */
  readonly idempotencyKey?: string | undefined;
}

/** The addresses of a service. */
export interface Addresses {
  readonly world: HttpWorld;
  /** Sessions of form pages; undefined if there can be none. */
  readonly sessions: Promise<PageSessions | undefined>;
  /** Returns a flow that can be called; undefined if there is none with this name. */
  find(name: string): Promise<FlowAddress | undefined>;
  /** @throws EngineError `http.not-found`; as `Callers.of` */
  callOf(request: HonoRequest, name: string, runId?: string): Promise<AddressCall>;
  /**
   * Starts a run, or returns the one that an equal request has started.
   * @throws EngineError `flow.bad-inputs` | `flow.changed` | `http.idempotency-conflict` | `firing.limited` |
   * `firing.blocked`; `flow.unavailable` for a reason that is not the caller's concern
   */
  start(call: AddressCall, start: AddressStart): Promise<{ readonly runId: RunId; readonly isNew: boolean }>;
  /** Returns a run that was started at this address and that the caller may see. @throws EngineError `run.not-found` */
  run(call: AddressCall, runId: string): Promise<RunSummary>;
}

/** Opens the addresses of a service. */
export function openAddresses(world: HttpWorld): Addresses {
  const { baseFolder, clock, workspaces } = world;
  const published = openPublishedFlows(baseFolder, clock);
  const sessions = openSessions(world);
  const callers = createCallers(world, sessions);
  const find = async (name: string): Promise<FlowAddress | undefined> => {
    const entry = (await published.read()).get(name);
    if (entry === undefined) return undefined;
    for (const { engine } of workspaces) {
      if ((await realpath(engine.workspace)) !== entry.workspace || (await published.isIn(engine.workspace))) continue;
      const isAllowed = (await exposureProblem(engine.workspace, entry.flow)) === undefined;
      return isAllowed && (await engine.readTrust()).isTrusted ? { ...entry, name, engine } : undefined;
    }
    return undefined;
  };
  return {
    ...{ world, sessions, find },
    async callOf(request, name, runId) {
      const address = await find(name);
      const caller = await callers.of(request, { name, page: address?.page, ...(runId && { runId }) });
      if (address !== undefined) return { address, caller };
      const message = `No flow has the name ${name}. It is not published, its workspace is not served, or it is not trusted.`;
      throw new EngineError({ code: 'http.not-found', message });
    },
    start: (call, start) => startOrFind(call, start, world),
    async run({ address, caller }, text) {
      const { engine, flow } = address;
      // The history would find a run by a longer ID with a NUL after its own.
      if (!/^[\w-]{1,100}$/.test(text)) throw noRun();
      const runId = asRunId(text);
      const [firing] = await engine.listFirings({ runId, limit: 1 });
      const isOwn = firing?.flow === flow && firing.trigger === addressTrigger;
      const mayPage = caller.kind !== 'page' || firing?.key.startsWith(prefixOf(caller)) === true;
      if (!isOwn || !mayPage) throw noRun();
      return await engine.getRun(runId);
    },
  };
}

async function startOrFind(
  call: AddressCall,
  { inputs, idempotencyKey }: AddressStart,
  world: HttpWorld,
): ReturnType<Addresses['start']> {
  const { address, caller } = call;
  const key = `${prefixOf(caller)}${idempotencyKey ?? randomUUID()}`;
  const request = createHash('sha256').update(canonicalText(inputs)).digest('hex');
  const former = idempotencyKey === undefined ? undefined : await firingOf(address, key);
  if (former !== undefined) return sameRun(former, request);
  try {
    return { runId: await startNew(call, { inputs, key, request }, world), isNew: true };
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const other = error.code === 'firing.taken' ? await firingOf(address, key) : undefined;
    if (other !== undefined) return sameRun(other, request);
    if (callerErrors.has(error.code)) throw error;
    world.onNote(`/flows/${address.name}: ${error.message}`);
    throw unavailable();
  }
}

interface NewStart {
  readonly inputs: JsonMap;
  /** Key of the firing. */
  readonly key: string;
  /** Hash of the inputs. */
  readonly request: string;
}

/** Starts a run, unless its firing was recorded before. */
async function startNew(
  { address: { engine, flow, hash, limits }, caller }: AddressCall,
  { inputs, key, request }: NewStart,
  { clock }: HttpWorld,
): Promise<RunId> {
  const { text } = await engine.readFlow(flow);
  await refuseOtherFiles(engine.workspace, parseFlow(text).doc?.flow.inputs ?? {}, inputs);
  const added = { flow, trigger: addressTrigger, key, event: { request }, priority: 0, createdAt: clock.now() };
  const { runId } = await engine.startRun({
    ...{ path: flow, text, inputs, unlessChanged: hash },
    startedBy: { kind: 'http', name: caller.name },
    firing: { added, mostOfTrigger: limits.runsAtOnce, mostPerHour: limits.perHour },
  });
  return runId;
}

async function openSessions({
  baseFolder,
  clock,
  workspaces,
  onNote,
  origin,
  publicAddress,
}: HttpWorld): Promise<PageSessions | undefined> {
  try {
    const key = await readServiceKey(
      baseFolder,
      workspaces.map(({ engine }) => engine.workspace),
    );
    const origins = () => [
      origin(),
      origin().replace('127.0.0.1', 'localhost'),
      ...(publicAddress === undefined ? [] : [publicAddress.origin]),
    ];
    return createPageSessions({ key, clock, origins });
  } catch (error) {
    // Flows can be called without their pages.
    onNote(`Form pages cannot be used. ${asEngineError(error).message}`);
    return undefined;
  }
}

/** Idempotency keys of one caller mean nothing for another. */
function prefixOf(caller: Caller): string {
  return caller.kind === 'key' ? `key:${caller.id} ` : `page:${caller.session.id} `;
}

async function firingOf({ engine, flow }: FlowAddress, key: string): Promise<Firing | undefined> {
  const name: TriggerName = { flow, trigger: addressTrigger };
  const [firing] = await engine.listFirings({ ...name, key, limit: 1 });
  return firing;
}

function sameRun({ event, runId }: Firing, request: string): { readonly runId: RunId; readonly isNew: false } {
  if (runId !== undefined && event['request'] === request) return { runId, isNew: false };
  const message = 'An earlier request had this Idempotency-Key and other inputs. Use a new key for each run.';
  throw new EngineError({ code: 'http.idempotency-conflict', message });
}

/** Errors of a start that the caller can understand, and that reveal nothing else about the workspace. */
const callerErrors = new Set(['flow.bad-inputs', 'flow.changed', 'firing.limited', 'firing.blocked']);

function unavailable(): EngineError {
  const message = 'The flow cannot start now. The service has logged the reason.';
  return new EngineError({ code: 'flow.unavailable', message });
}

function noRun(): EngineError {
  return new EngineError({ code: 'run.not-found', message: 'No run with this ID was started at this address.' });
}
