/**
 * Checks open flows in the context of the workspace: after a pause in typing, the engine checks the tools, agents and
 * products that they use, and the results are added to the file's problems.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type Diagnostic, productOfPath } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFile } from './file.ts';
import type { OpenFiles } from './files.ts';

/** Milliseconds without a change before the engine is called. */
const pauseMs = 300;

/** The last text that was checked, and the result. */
interface CachedPlaceCheck {
  readonly text: string;
  readonly found?: PlaceCheckResult;
}

interface PlaceCheckResult {
  readonly problems: readonly Diagnostic[];
  /** Lines of the nodes. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Files that can affect the results. */
const placed = /(?:^|\/)(?:tools|agents|products)\//;

/** Checks each open flow. Returns a function that stops it. */
export function followPlaceChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const known = new Map<string, CachedPlaceCheck>();
  /** By path: the problems of the file that were added here, as text. */
  const shown = new Map<string, ReadonlySet<string>>();

  const show = (file: OpenFile, found: PlaceCheckResult): void => {
    const { path, text, diagnostics, ...rest } = file;
    const { typedLines, takeCheck } = openFiles.getState();
    const all = typedLines.all(path, diagnostics);
    const former = shown.get(path) ?? new Set();
    const others = all.filter((one) => !former.has(JSON.stringify(one)));
    const own = found.problems.flatMap((one) => moved(one, found, file)).filter((one) => !isAmong(one, others));
    shown.set(path, new Set(own.map((one) => JSON.stringify(one))));
    if (JSON.stringify(all) !== JSON.stringify([...others, ...own]))
      takeCheck(path, text, { ...rest, diagnostics: [...others, ...own] });
  };

  const ask = async (path: string, text: string): Promise<void> => {
    // Without an engine nothing is checked. A new engine checks everything again.
    const problems = await engine.call('checkFlowInPlace', { path, text }).catch(() => null);
    const file = openFiles.getState().files.get(path);
    if (problems === null || file === undefined || known.get(path)?.text !== text || file.text !== text) return;
    known.set(path, { text, found: { problems, lines: linesOf(file) } });
    look(file);
  };

  const look = (file: OpenFile): void => {
    const { path, text, status, isCheckStale, isDocStale } = file;
    if (status !== 'ready' || isCheckStale || isDocStale || !namesOthers(file)) return;
    const former = known.get(path);
    if (former?.found !== undefined) show(file, former.found);
    if (former?.text === text) return;
    known.set(path, { ...former, text });
    clearTimeout(timers.get(path));
    timers.set(
      path,
      setTimeout(() => void ask(path, text), former === undefined ? 0 : pauseMs),
    );
  };

  const lookAgain = (): void => {
    for (const [path, { found }] of known) known.set(path, { text: '', ...(found && { found }) });
    for (const file of openFiles.getState().files.values()) look(file);
  };

  const ends = [
    openFiles.subscribe(({ files }, former) => {
      if (files === former.files) return;
      for (const path of known.keys()) {
        if (files.has(path)) continue;
        known.delete(path);
        shown.delete(path);
      }
      for (const file of files.values()) if (file !== former.files.get(file.path)) look(file);
    }),
    engine.onConnected(lookAgain),
    engine.stream('watchFiles', ({ paths }) => {
      if (paths.length === 0 || paths.some((path) => placed.test(path))) lookAgain();
    }),
  ];
  return () => {
    for (const end of ends) end();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/** Most flows use nothing outside their file, so no call is needed. */
function namesOthers({ kind, doc, path }: OpenFile): boolean {
  if (kind !== 'flow' || doc === null) return false;
  if (doc.steps !== undefined || productOfPath(path) !== undefined) return true;
  return doc.nodes.some(({ type, config }) => type === 'tool' || config?.['tools'] !== undefined);
}

function linesOf({ nodeRanges }: OpenFile): ReadonlyMap<string, number> {
  return new Map([...nodeRanges].map(([id, { line }]) => [id, line]));
}

/** Moves a node's problems to its current lines, until the next check. */
function moved(problem: Diagnostic, { lines }: PlaceCheckResult, { nodeRanges }: OpenFile): readonly Diagnostic[] {
  const { nodeId, range } = problem;
  if (nodeId === undefined) return [problem];
  const was = lines.get(nodeId);
  const now = nodeRanges.get(nodeId)?.line;
  if (was === undefined || now === undefined) return [];
  const by = now - was;
  return by === 0
    ? [problem]
    : [{ ...problem, range: { ...range, line: range.line + by, endLine: range.endLine + by } }];
}

/** Returns whether the text alone already reports the problem. */
function isAmong({ code, range }: Diagnostic, others: readonly Diagnostic[]): boolean {
  return others.some((other) => other.code === code && other.range.line === range.line);
}
