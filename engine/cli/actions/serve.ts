/**
 * Implements `serve`.
 */
import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { systemUser } from '../../host/executor/decide-answer.ts';
import type { HttpService } from '../../host/http/http-service.ts';
import type { ServedWorkspace } from '../../host/http/served.ts';
import type { Engine } from '../../index.ts';
import { baseFolderOf } from '../../packs/pack/pack-folders.ts';
import { untilSignal } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { showProblems } from '../flow-source.ts';
import { oneLine } from '../progress/phrases.ts';
import { withEngine } from './with-engine.ts';

/** Options of `serve`. */
export interface ServeFlags extends Omit<GlobalOptions, 'workspace'> {
  readonly workspace?: string | readonly string[];
  readonly enable?: readonly string[];
  readonly enableAll?: true;
  readonly maxPerFlow: number;
  /** TCP port; undefined for the default one. */
  readonly port?: number;
  /** Whether the port was named in the command. The triggers can do without another one. */
  readonly needsPort: boolean;
  readonly publicAddress?: URL;
  readonly allowOrigin?: readonly string[];
  readonly drain: number;
}

/** Returns the absolute paths of the workspaces. @throws EngineError `cli.usage` for a path that is not a folder */
export function workspacesOf(context: CliContext, { workspace }: Pick<ServeFlags, 'workspace'>): readonly string[] {
  const named = workspace === undefined ? [undefined] : typeof workspace === 'string' ? [workspace] : workspace;
  return named.map((one) => resolveWorkspace(context, one === undefined ? {} : { workspace: one }));
}

/** Returns the workspaces that exist. @throws EngineError `cli.usage` if there are none */
function servedFolders(context: CliContext, flags: ServeFlags): readonly string[] {
  const { workspace: named } = flags;
  if (named === undefined || typeof named === 'string' || named.length < 2) return workspacesOf(context, flags);
  const problems: EngineError[] = [];
  const folders = named.flatMap((workspace) => {
    try {
      return workspacesOf(context, { workspace });
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      problems.push(error);
      return [];
    }
  });
  const [first] = problems;
  if (folders.length === 0 && first !== undefined) throw first;
  for (const { message } of problems) context.terminal.err(`note: ${message}`);
  return folders;
}

/**
 * Runs the triggers until the first signal, then waits for active runs. The second signal ends the process at once; a
 * service that starts later continues their runs.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `trigger.*` | `store.*` | `http.*`
 */
export async function serveTriggers(context: CliContext, flags: ServeFlags): Promise<number> {
  const { terminal } = context;
  const folders = servedFolders(context, flags);
  if (flags.store !== undefined && folders.length > 1)
    throw usageError('--store is the history of one workspace. Remove it, or serve a single workspace.');
  // A signal during the start takes effect after it.
  const ended = untilSignal(context);
  await withEngines(context, { folders, flags }, async (engines) => {
    await enable(engines, flags);
    const served = await startServices(context, flags, engines);
    const closeAll = async (): Promise<unknown> => await Promise.all(served.map(({ triggers }) => triggers.close()));
    const http = await listen(context, flags, served).catch(async (error: unknown) => {
      await closeAll();
      throw error;
    });
    await ended;
    terminal.err('No new runs start. Waiting for active runs. Press Ctrl-C again to quit immediately.');
    http?.drain();
    await closeAll();
    await Promise.all(engines.map((engine) => whenIdle(engine, context, flags.drain)));
    await http?.close();
  });
  return exitCode.ok;
}

/**
 * Opens an engine for each folder. A folder whose engine cannot be opened does not stop the others.
 * @throws EngineError from `createEngine` if no engine could be opened
 */
async function withEngines(
  context: CliContext,
  { folders, flags }: { readonly folders: readonly string[]; readonly flags: ServeFlags },
  use: (engines: readonly Engine[]) => Promise<void>,
  opened: readonly Engine[] = [],
): Promise<void> {
  const [workspace, ...rest] = folders;
  if (workspace === undefined) {
    await use(opened);
    return;
  }
  const { store, trust } = flags;
  let isOpen = false;
  try {
    await withEngine(context, { workspace, store, trust, resumesAnswered: true }, (engine) => {
      isOpen = true;
      return withEngines(context, { folders: rest, flags }, use, [...opened, engine]);
    });
  } catch (error) {
    if (isOpen || !EngineError.is(error) || opened.length + rest.length === 0) throw error;
    noteNotServed(context, workspace, error);
    await withEngines(context, { folders: rest, flags }, use, opened);
  }
}

function noteNotServed({ terminal }: CliContext, workspace: string, { message }: EngineError): void {
  terminal.err(`note: ${oneLine(workspace)} is not served. ${message}`);
}

async function enable(engines: readonly Engine[], { enable: named = [], enableAll }: ServeFlags): Promise<void> {
  const by = systemUser() ?? 'the command line';
  if (enableAll === true) for (const engine of engines) await engine.switchTriggers({ isOn: true, by });
  for (const flow of named) {
    const flowsOf = async (engine: Engine) => (await engine.listTriggers()).map((entry) => entry.flow);
    const lists = await Promise.all(engines.map(flowsOf));
    const having = engines.filter((_, index) => lists[index]?.includes(flow));
    // The error of the first engine lists the flows with triggers.
    for (const engine of having.length === 0 ? engines.slice(0, 1) : having)
      await engine.switchTriggers({ flow, isOn: true, by });
  }
}

/**
 * Starts the HTTP service and prints its address.
 * @returns undefined if another program uses a port that the command does not name: the triggers then run without
 * addresses
 */
async function listen(
  { terminal, clock }: CliContext,
  { json, port, needsPort, publicAddress, allowOrigin = [] }: ServeFlags,
  workspaces: readonly ServedWorkspace[],
): Promise<HttpService | undefined> {
  const { defaultPort, serveHttp } = await import('../../host/http/routes.ts');
  const onNote = (text: string): void => terminal.err(`note: ${text}`);
  const place = { port: port ?? defaultPort, baseFolder: baseFolderOf(process.env), clock, onNote };
  const callers = { allowedOrigins: allowOrigin, ...(publicAddress === undefined ? {} : { publicAddress }) };
  try {
    const http = await serveHttp({ ...place, ...callers, workspaces });
    const { origin } = http;
    if (json === true) terminal.json(`${JSON.stringify({ origin, publicAddress: publicAddress?.origin })}\n`);
    else terminal.err(`Listening on ${origin}${publicAddress === undefined ? '' : `, as ${publicAddress.origin}`}.`);
    return http;
  } catch (error) {
    if (needsPort || !EngineError.is(error) || error.code !== 'http.port-in-use') throw error;
    terminal.err(`note: ${error.message} Until then, webhooks and published flows are not available.`);
    return undefined;
  }
}

type Service = Awaited<ReturnType<Engine['startTriggers']>>;

/**
 * Starts the triggers of all workspaces. One that fails does not stop the others.
 * @throws EngineError from `Engine.startTriggers` if all failed
 */
async function startServices(
  context: CliContext,
  flags: ServeFlags,
  engines: readonly Engine[],
): Promise<readonly ServedWorkspace[]> {
  const started = await Promise.allSettled(engines.map((engine) => startService(context, flags, engine)));
  const served: ServedWorkspace[] = [];
  let failure: unknown;
  for (const [index, engine] of engines.entries()) {
    const result = started[index];
    if (result?.status === 'fulfilled') served.push({ engine, triggers: result.value });
    else if (engines.length > 1 && EngineError.is(result?.reason))
      noteNotServed(context, engine.workspace, result.reason);
    failure ??= result?.status === 'rejected' ? result.reason : undefined;
  }
  const isServed = served.length > 0 && (failure === undefined || EngineError.is(failure));
  if (!isServed && failure !== undefined) {
    await Promise.all(served.map(({ triggers }) => triggers.close()));
    throw failure;
  }
  return served;
}

/** Starts the triggers of a workspace and prints them; as JSON, also each later change, for programs that show them. */
async function startService(context: CliContext, flags: ServeFlags, engine: Engine): Promise<Service> {
  const { terminal } = context;
  engine.followRetention();
  for (const { path, diagnostics } of await engine.readTriggerFiles()) showProblems(context, path, diagnostics);
  const active = new Set<string>();
  let printed: string | undefined;
  const show = (): void => {
    const state = { workspace: engine.workspace, running: active.size, triggers: service.triggers().map(listed) };
    const line = `${JSON.stringify(state)}\n`;
    if (line !== printed) terminal.json(line);
    printed = line;
  };
  // Nothing is shown before there is a service.
  const onChange = (): void => (printed === undefined ? undefined : show());
  const service = await engine.startTriggers({
    mostPerFlow: flags.maxPerFlow,
    onNote: (text) => terminal.err(`note: ${text}`),
    onChange,
  });
  if (flags.json !== true) {
    report(context, engine.workspace, service.triggers());
    return service;
  }
  show();
  engine.subscribe((events) => {
    const before = active.size;
    for (const { event, runId, parentRunId } of events) {
      if (parentRunId !== undefined) continue;
      if (event.type === 'run:start' || event.type === 'run:resumed') active.add(runId);
      if (event.type === 'run:end' || event.type === 'run:suspended') active.delete(runId);
    }
    if (active.size !== before) onChange();
  });
  return service;
}

type ServedTrigger = ReturnType<Service['triggers']>[number];

function listed({ flow, trigger, state, problem, nextAt }: ServedTrigger) {
  return { flow, trigger, state, ...(problem === undefined ? {} : { problem }), nextAt: nextAt.map(isoTime) };
}

function report({ terminal }: CliContext, workspace: string, triggers: readonly ServedTrigger[]): void {
  const on = triggers.filter(({ state, problem }) => state === 'on' && problem === undefined);
  terminal.err(`Serving ${oneLine(workspace)}: ${on.length} of ${triggers.length} triggers are on.`);
  for (const { flow, trigger, state, problem, nextAt } of triggers) {
    const [next] = nextAt;
    const due = next === undefined ? 'waits for its event' : `next at ${isoTime(next)}`;
    const changed = `has changed. To confirm it: millrace serve --enable ${flow}`;
    const words = problem ?? (state === 'on' ? due : state === 'changed' ? changed : 'is off');
    terminal.err(`  ${oneLine(flow)} ${oneLine(trigger)}: ${oneLine(words)}`);
  }
}

/** Resolves when no run is active, or after the given time. */
async function whenIdle(engine: Engine, { clock }: CliContext, seconds: number): Promise<void> {
  const active = (await engine.listRuns({ limit: 100 })).filter(
    ({ status }) => status === 'running' || status === 'queued',
  );
  await new Promise<void>((resolve) => {
    const endTimer = clock.setTimer(resolve, seconds * 1_000);
    void Promise.all(active.map(({ runId }) => engine.whenEnded(runId))).then(() => {
      endTimer();
      resolve();
    });
  });
}
