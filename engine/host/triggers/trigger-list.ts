/**
 * Finds the triggers of a workspace, and whether a person has switched them on.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { FiringStore } from '../../history/store/firing-store.ts';
import { contentHash } from '../../history/store/large-value.ts';
import type { TriggerName } from '../../history/store/trigger-watch.ts';
import { hasErrors } from '../../language/findings/diagnostic.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { nextTimes } from '../../language/triggers/next-times.ts';
import type { TriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { systemUser } from '../executor/decide-answer.ts';
import { type EnabledTrigger, type EnabledTriggers, enabledIn } from './enabled-triggers.ts';
import { readTriggerFiles, type TriggerFilesWorld } from './trigger-files.ts';

/** A trigger of a flow in a workspace. */
export interface TriggerEntry extends TriggerName {
  readonly doc: TriggerDoc;
  /** The file that contains it, relative to the workspace; absent if that is the flow's own. */
  readonly file?: string;
  /** Hash of the flow, its triggers and everything it calls; empty if the flow has problems. */
  readonly hash: string;
  /** The same without the triggers. A run starts only if this is still its flow's hash. */
  readonly flowHash: string;
  /** Why it cannot be on. */
  readonly problem?: string;
  /** Whether it cannot be on because the workspace is not trusted. */
  readonly needsTrust?: boolean;
  /** `changed`: it was on, but something has changed since, so a person has to confirm it. */
  readonly state: 'on' | 'off' | 'changed';
  /** When its schedule is due next, in epoch milliseconds. */
  readonly dueAt?: number;
}

export interface TriggerListWorld extends TriggerFilesWorld {
  /**
   * Returns the hash of all that determines what a run of a flow does: its definition with the files that it references,
   * and the settings of its nodes. @throws EngineError `flow.invalid`
   */
  readonly hashFlow: (flow: { readonly path: string; readonly text: string }) => Promise<string>;
  readonly isTrusted: () => Promise<boolean>;
  readonly enabled: EnabledTriggers;
  readonly firings: FiringStore;
  readonly now: () => number;
}

/** Returns the triggers in the order of the flows' paths. */
export async function listTriggers(world: TriggerListWorld): Promise<readonly TriggerEntry[]> {
  const flows = await world.listFlows();
  const files = await readTriggerFiles(world);
  const isTrusted = await world.isTrusted();
  const enabled = await world.enabled.read();
  const found: FoundTrigger[] = [];
  for (const path of new Set([...flows.map((flow) => flow.path), ...Object.keys(enabled)])) {
    const extra = files.flatMap(({ path: file, triggers }) =>
      (triggers.get(path) ?? []).map((doc): FoundDoc => ({ doc, file })),
    );
    found.push(...(await triggersOf({ path, extra, on: Object.keys(enabled[path] ?? {}) }, world)));
  }
  const seen = { isTrusted, now: world.now() };
  return found.map((entry) =>
    withState({ ...entry, ...circleProblem(entry, found) }, { ...seen, on: enabledIn(enabled, entry) }),
  );
}

type FoundTrigger = Omit<TriggerEntry, 'state' | 'dueAt'>;

function withState(
  entry: FoundTrigger,
  {
    isTrusted,
    on,
    now,
  }: { readonly isTrusted: boolean; readonly on: EnabledTrigger | undefined; readonly now: number },
): TriggerEntry {
  const needsTrust = entry.problem === undefined && !isTrusted;
  const problem = needsTrust ? 'The workspace is not trusted. Trust it in Settings, or add --trust.' : entry.problem;
  const isChanged = on !== undefined && on.hash !== entry.hash;
  const state = on === undefined ? 'off' : isChanged ? 'changed' : 'on';
  const { schedule } = entry.doc;
  const [dueAt] = schedule === undefined ? [] : nextTimes(schedule, now, 1);
  return {
    ...{ ...entry, state },
    ...(problem === undefined ? {} : { problem }),
    ...(needsTrust ? { needsTrust } : {}),
    ...(dueAt === undefined ? {} : { dueAt }),
  };
}

type FoundDoc = Pick<TriggerEntry, 'doc' | 'file'>;

interface FlowTriggers {
  readonly path: string;
  /** Triggers in files named `triggers.yaml`. */
  readonly extra: readonly FoundDoc[];
  /** IDs of triggers that a person has switched on. */
  readonly on: readonly string[];
}

async function triggersOf(
  { path, extra, on }: FlowTriggers,
  world: TriggerListWorld,
): Promise<readonly FoundTrigger[]> {
  const text = await textOf(path, world);
  if (text === undefined)
    return on.map((id) => unusable({ path, id }, `There is no flow ${path}, or it cannot be read.`));
  // Most flows have no triggers, so they are not parsed.
  if (extra.length + on.length === 0 && !text.includes('triggers')) return [];
  const { doc, diagnostics } = parseFlow(text);
  const own = doc?.flow.triggers ?? [];
  const placed = uniqueById([...own.map((one): FoundDoc => ({ doc: one })), ...extra]);
  const triggers = placed.map((one) => one.doc);
  const named = placed.map((one) => ({ flow: path, trigger: one.doc.id, ...one }));
  const flowHash = hasErrors(diagnostics) || named.length === 0 ? undefined : await flowHashOf({ path, text }, world);
  if (flowHash !== undefined) {
    const hash = contentHash(`${flowHash}\n${JSON.stringify(triggers)}`);
    return named.map((one) => ({ ...one, hash, flowHash }));
  }
  // While a person edits the file, its triggers may be invalid. Their firings wait.
  const lost = hasErrors(diagnostics) ? on.filter((id) => triggers.every((one) => one.id !== id)) : [];
  const problem = `The flow has problems. To list them: millrace validate ${path}`;
  return [
    ...named.map((one) => ({ ...one, hash: '', flowHash: '', problem })),
    ...lost.map((id) => unusable({ path, id }, problem)),
  ];
}

/** A trigger that is on, although its definition cannot be read now. */
function unusable({ path, id }: { readonly path: string; readonly id: string }, problem: string): FoundTrigger {
  return { flow: path, trigger: id, doc: { id }, hash: '', flowHash: '', problem };
}

/** Returns undefined for a file that was deleted or cannot be read. */
async function textOf(path: string, { readFlow }: TriggerListWorld): Promise<string | undefined> {
  try {
    return (await readFlow(path)).text;
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

/** Flows that start each other after every run would never end and could be expensive. */
function circleProblem(
  { flow, doc, problem }: FoundTrigger,
  all: readonly FoundTrigger[],
): { readonly problem?: string } {
  if (problem !== undefined || doc.after === undefined || doc.limit !== undefined) return {};
  const next = (from: string): readonly string[] =>
    all.flatMap(({ flow: to, doc: { after, limit } }) => (after?.flow === from && limit === undefined ? [to] : []));
  const paths = new Map([[flow, [flow]]]);
  for (const [at, path] of paths) for (const to of next(at)) if (!paths.has(to)) paths.set(to, [...path, to]);
  const circle = paths.get(doc.after.flow);
  if (circle === undefined) return {};
  const words = [...circle, flow].join(', then ');
  return { problem: `These flows would start each other without end: ${words}. Add a limit to the trigger.` };
}

/** A trigger of the flow's own file comes before one of the same ID in another file. */
function uniqueById(triggers: readonly FoundDoc[]): readonly FoundDoc[] {
  return triggers.filter(({ doc }, index) => triggers.findIndex((one) => one.doc.id === doc.id) === index);
}

/** Returns undefined if the flow has problems. */
async function flowHashOf(
  flow: { readonly path: string; readonly text: string },
  { hashFlow }: TriggerListWorld,
): Promise<string | undefined> {
  try {
    return await hashFlow(flow);
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

/** What a person switches. */
export interface TriggerSwitch {
  /** All flows if absent; triggers with a problem then stay off. */
  readonly flow?: string;
  /** One trigger; all of the flow if absent. */
  readonly trigger?: string;
  readonly isOn: boolean;
  /** Name of the person; the user of the system if absent. */
  readonly by?: string;
  /** Hash of what the person has seen: nothing is switched on if it is something else by now. */
  readonly seen?: string;
}

/**
 * Switches triggers on or off. One that was off is due from now on; one that is confirmed after a change keeps its past.
 * @throws EngineError `trigger.not-found` | `trigger.unusable` if the flow has problems or the workspace is not trusted |
 * `flow.changed` if it is not what the person has seen
 */
export async function switchTriggers(
  { flow, trigger, isOn, by = systemUser() ?? 'unknown', seen }: TriggerSwitch,
  world: TriggerListWorld,
): Promise<readonly TriggerEntry[]> {
  const all = await listTriggers(world);
  const chosen = all.filter((one) =>
    flow === undefined
      ? one.problem === undefined
      : one.flow === flow && (trigger === undefined || one.trigger === trigger),
  );
  if (flow !== undefined && chosen.length === 0) throw notFound(flow, trigger, all);
  for (const entry of chosen) {
    if (isOn && entry.problem !== undefined) throw unusableError(entry, entry.problem);
    if (isOn && seen !== undefined && seen !== entry.hash) throw changedSince(entry.flow);
    if (isOn && entry.state !== 'on') startWatch(entry, world);
    await world.enabled.set(entry, isOn ? { hash: entry.hash, by, at: world.now() } : undefined);
  }
  return chosen.map((entry): TriggerEntry => ({ ...entry, state: isOn ? 'on' : 'off' }));
}

function startWatch({ flow, trigger, hash, state }: TriggerEntry, { firings, now }: TriggerListWorld): void {
  const from = firings.watchOf({ flow, trigger });
  const lookedAt = state === 'changed' && from !== undefined ? from.lookedAt : now();
  firings.look({ flow, trigger }, { from, to: { definitionHash: hash, lookedAt } }, []);
}

function notFound(flow: string, trigger: string | undefined, all: readonly TriggerEntry[]): EngineError {
  const what = trigger === undefined ? `The flow ${flow} has no triggers` : `${flow} has no trigger "${trigger}"`;
  const flows = [...new Set(all.map((entry) => entry.flow))];
  const known = flows.length === 0 ? 'The workspace has no triggers.' : `Flows with triggers: ${flows.join(', ')}.`;
  return new EngineError({ code: 'trigger.not-found', message: `${what}. ${known}` });
}

function changedSince(flow: string): EngineError {
  const message = `${flow} or something that it calls has just changed. Look at it, then switch the trigger on again.`;
  return new EngineError({ code: 'flow.changed', message });
}

function unusableError({ flow, trigger }: TriggerEntry, problem: string): EngineError {
  const message = `The trigger "${trigger}" of ${flow} cannot be switched on: ${problem}`;
  return new EngineError({ code: 'trigger.unusable', message });
}
