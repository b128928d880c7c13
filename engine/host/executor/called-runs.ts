/**
 * Reads the child runs that a task in an earlier run started, and determines whether their definitions have changed.
 */
import { type RunId, taskNameOf } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { collectCalledFlows } from '../../language/flow/called-flows.ts';
import type { SchemaFile } from '../../language/flow/schema-files.ts';
import { calledDefinition } from '../../language/flow/stored-definition.ts';
import type { ToolsCapability } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { readLog, unlessDamaged } from '../reads/read-log.ts';
import type { LoadedAgent } from './agent-runs.ts';

/** A run started by another one. */
export interface CalledRun {
  readonly kind: RunState['kind'];
  readonly sourcePath: string;
  readonly definitionHash: string;
  readonly status: RunState['status'];
  /** The name by which the agent was called; undefined for a flow. */
  readonly name: string | undefined;
  /** The tool that called it; undefined for a script or a node. */
  readonly tool: string | undefined;
  readonly calls: readonly CalledRun[];
}

/** Reads the calls of tasks. Each log is read once. */
export class CallReader {
  readonly #store: RunStore;
  readonly #logs = new Map<RunId, ChildRunLog | undefined>();

  constructor(store: RunStore) {
    this.#store = store;
  }

  /**
   * Returns the child runs of a task, even if its result was reused from another run. Undefined if that run is missing
   * or damaged.
   * @param task name of the task, such as `input:0`
   */
  callsOf(runId: RunId, task: string): readonly CalledRun[] | undefined {
    const log = this.#logOf(runId);
    const { status, fromRunId, fromNodeId = task } = log?.state.nodes.get(task) ?? {};
    if (status !== 'reused') return log?.callsOf(runId, task);
    return fromRunId === undefined ? undefined : this.callsOf(fromRunId, fromNodeId);
  }

  #logOf(runId: RunId): ChildRunLog | undefined {
    if (!this.#logs.has(runId))
      this.#logs.set(
        runId,
        unlessDamaged(() => this.#read(runId), undefined),
      );
    return this.#logs.get(runId);
  }

  #read(runId: RunId): ChildRunLog | undefined {
    const log = [...readLog(this.#store, runId)];
    return log.length === 0 ? undefined : new ChildRunLog(log);
  }
}

class ChildRunLog {
  readonly state: RunState;
  readonly #children = new Map<string, string[]>();
  readonly #starts = new Map<string, Extract<RunEvent, { type: 'run:start' }>>();
  /** Names by which scripts and nodes called agents. */
  readonly #names = new Map<string, string>();
  readonly #tools = new Map<string, string>();

  constructor(log: readonly EventEnvelope[]) {
    this.state = foldRun(emptyRunState, log);
    for (const { runId, parentRunId, event, context } of log) {
      if (event.type === 'agent:start') this.#names.set(event.runId, event.agentName);
      if (event.type === 'tool:attempt') this.#tools.set(placeOf(runId, context.task?.id, event.callKey), event.tool);
      if (event.type !== 'run:start' || parentRunId === undefined) continue;
      this.#starts.set(runId, event);
      const task = event.parentTaskId === undefined ? '' : taskNameOf(event.parentTaskId);
      for (const place of [placeOf(parentRunId), placeOf(parentRunId, task)])
        this.#children.set(place, [...(this.#children.get(place) ?? []), runId]);
    }
  }

  /** @param task name of the task; absent for all tasks */
  callsOf(callerId: string, task?: string): readonly CalledRun[] {
    const called = this.#children.get(task === undefined ? placeOf(callerId) : placeOf(callerId, task)) ?? [];
    return called.map((runId) => {
      const start = this.#starts.get(runId);
      const { kind = 'flow', sourcePath = '', definitionHash = '', callKey } = start ?? {};
      const tool = callKey && this.#tools.get(placeOf(callerId, start?.parentTaskId, callKey));
      return {
        ...{ kind, sourcePath, definitionHash, tool },
        status: this.state.children.get(runId)?.status ?? 'queued',
        name: this.#names.get(runId),
        calls: this.callsOf(runId),
      };
    });
  }
}

function placeOf(...parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}

/** The current sources of called agents and flows. */
export interface CallSources {
  /** Absolute path. */
  readonly workspace: string;
  readonly contentHash: (text: string) => string;
  /** Throws for an agent that cannot be found or read. @param folder absolute base of a relative path */
  readonly loadAgent: (agent: string, folder: string) => Promise<LoadedAgent>;
  readonly readCalledFlow: (path: string, name: string, above: readonly string[]) => Promise<SchemaFile>;
  readonly tools: Pick<ToolsCapability, 'describe'> | undefined;
}

/** The current version of the calling agent or flow. */
interface CallerDefinition {
  /** Absolute path of an agent. */
  readonly file?: string;
  readonly shownPath: string;
  readonly text: string;
  /** For a flow: hashes of the flows stored with its definition. */
  readonly flows?: ReadonlySet<string>;
}

/**
 * Returns whether all calls completed and would now call the same agents and flows. Cases that cannot be decided count
 * as changed: a computed name, a failed call, a missing tool.
 */
export async function areUnchanged(
  calls: readonly CalledRun[],
  { place, definition }: LoadedAgent,
  sources: CallSources,
): Promise<boolean> {
  return await haveSame(calls, { file: place.file, shownPath: place.shownPath, text: definition }, sources);
}

async function haveSame(calls: readonly CalledRun[], caller: CallerDefinition, sources: CallSources): Promise<boolean> {
  for (const call of calls) {
    if (call.status !== 'completed' && call.status !== 'skipped') return false;
    const called =
      call.kind === 'agent' ? await sameAgent(call, caller, sources) : await sameFlow(call, caller, sources);
    if (called === undefined || !(await haveSame(call.calls, called, sources))) return false;
  }
  return true;
}

/** Returns the current agent; undefined if it has changed, or if this is unknown. */
async function sameAgent(
  call: CalledRun,
  caller: CallerDefinition,
  sources: CallSources,
): Promise<CallerDefinition | undefined> {
  const named = await nameOf(call, caller, sources);
  if (named === undefined) return undefined;
  const found = await sources.loadAgent(named.name, named.folder).catch(() => undefined);
  if (found === undefined) return undefined;
  const { place, definition } = found;
  if (place.shownPath !== call.sourcePath || sources.contentHash(definition) !== call.definitionHash) return undefined;
  return { file: place.file, shownPath: place.shownPath, text: definition };
}

interface NamedAgentFolder {
  readonly name: string;
  /** Absolute base of a relative path. */
  readonly folder: string;
}

async function nameOf(
  { name, tool }: CalledRun,
  caller: CallerDefinition,
  sources: CallSources,
): Promise<NamedAgentFolder | undefined> {
  if (tool !== undefined) {
    const runs = await whatToolRuns(tool, 'agent', sources);
    return runs && { name: runs.name, folder: runs.folder };
  }
  if (name === undefined) return undefined;
  // Flow nodes name agents relative to the workspace.
  if (caller.file === undefined) return caller.text.includes(name) ? { name, folder: sources.workspace } : undefined;
  return isNamedLiterally(name, caller.text) ? { name, folder: folderOf(caller.file) } : undefined;
}

async function sameFlow(
  call: CalledRun,
  caller: CallerDefinition,
  sources: CallSources,
): Promise<CallerDefinition | undefined> {
  const { sourcePath: path, definitionHash, tool } = call;
  if (tool === undefined) {
    const isPart = caller.flows?.has(definitionHash) === true;
    return isPart ? { shownPath: path, text: caller.text, flows: caller.flows ?? new Set() } : undefined;
  }
  const runs = await whatToolRuns(tool, 'flow', sources);
  if (runs === undefined) return undefined;
  const found = await sources.readCalledFlow(runs.source, runs.name, [caller.shownPath]);
  if (!('flow' in found) || found.flow.path !== path) return undefined;
  const definition = calledDefinition(found.flow);
  if (sources.contentHash(definition) !== definitionHash) return undefined;
  const below = collectCalledFlows(new Map(found.flow.files)).map((one) => sources.contentHash(calledDefinition(one)));
  return { shownPath: path, text: definition, flows: new Set(below) };
}

async function whatToolRuns(tool: string, kind: 'agent' | 'flow', { tools }: CallSources) {
  const found = await tools?.describe([tool]).catch(() => []);
  const [description] = found ?? [];
  if (description?.kind !== kind || description.runs === undefined) return undefined;
  return { ...description.runs, source: description.source };
}

const callOfAgent = /\bagent\s*\.\s*run\b\s*\(?\s*(?:(["'])((?:(?!\1)[^\\\n])*)\1\s*(?:[,)]|$))?/gm;

/**
 * Returns whether scripts call agents only by literal names, including this one, and relative to their file's folder.
 */
function isNamedLiterally(name: string, definition: string): boolean {
  // A definition with schemas is JSON, in which quotes are escaped.
  const text = definition.replaceAll('\\"', '"').replaceAll('\\n', '\n');
  if (text.includes('agent_base_dir')) return false;
  const names = [...text.matchAll(callOfAgent)].map(([, , literal]) => literal);
  return names.includes(name) && !names.includes(undefined);
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'), 1));
}
