/**
 * The active policies: their origin, and what one would have denied in past runs. Also the problems in the text of an
 * open policy.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Diagnostic, productOfPath, productsFolder, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import { text as words } from './text.ts';

/** The policy of the workspace, relative to it. */
export const policyPath = 'millrace.policy.yaml';

/** Returns the path of the policy of a product, or of the workspace, relative to its folder. */
export function policyPathOf(product: string | undefined): string {
  return product === undefined ? policyPath : `${productsFolder}/${product}/policy.yaml`;
}

export type PolicyFile = EngineResult<'listPolicies'>[number];
/** A past run with what would have been denied in it. */
export type TriedRun = EngineResult<'tryPolicy'>[number];
/** A file that a run has written and no person has reviewed since. */
export type WrittenFile = EngineResult<'listWritten'>[number];
type PolicyProblem = EngineResult<'checkPolicy'>[number];

export interface Policies {
  /** Null until they are loaded. */
  readonly files: readonly PolicyFile[] | null;
  /** Why they could not be loaded. */
  readonly error: string | null;
  /** The results of trying them on past runs. Null if this was not requested. */
  readonly tried: readonly TriedRun[] | null;
  readonly isTrying: boolean;
  /** Files written by runs that no person has reviewed since. */
  readonly written: readonly WrittenFile[];
  /** The file under review. */
  readonly reviewing: WrittenFile | null;
  refresh(): Promise<void>;
  review(file: WrittenFile | null): void;
  /**
   * Opens the user's own policy in another program, and creates it if it does not exist.
   * @returns a message to show; null if it could not be created, which `error` explains
   */
  editPersonal(): Promise<string | null>;
  /** Asks the user in a system dialog to let a file take effect. */
  accept(path: string): Promise<void>;
  /**
   * Checks what would have been denied in past runs.
   * @param text edited text of the workspace's policy; undefined for the text in the file
   */
  tryOnRuns(text: string | undefined): Promise<void>;
}

export function createPolicies(engine: EngineClient, main: MainClient): StoreApi<Policies> {
  return createStore<Policies>()((set, get) => ({
    files: null,
    error: null,
    tried: null,
    isTrying: false,
    written: [],
    reviewing: null,
    async refresh() {
      try {
        const [files, written] = await Promise.all([engine.call('listPolicies'), engine.call('listWritten')]);
        set({ files, written, error: null });
      } catch (thrown) {
        set({ error: toErrorRecord(thrown).message });
      }
    },
    review: (reviewing) => set({ reviewing }),
    async accept(path) {
      try {
        const { isDone } = await main.call('written.accept', { path });
        if (isDone) set({ reviewing: null });
      } catch (thrown) {
        set({ reviewing: null, error: toErrorRecord(thrown).message });
      }
      await get().refresh();
    },
    async editPersonal() {
      try {
        const { path, isNew, isOpen } = await main.call('policy.openPersonal');
        await get().refresh();
        const { created, opened, noProgram } = words.policies;
        return [...(isNew ? [created({ path })] : []), isOpen ? opened : noProgram({ path })].join(' ');
      } catch (thrown) {
        set({ error: toErrorRecord(thrown).message });
        return null;
      }
    },
    async tryOnRuns(text) {
      set({ isTrying: true, tried: null, error: null });
      try {
        set({ tried: await engine.call('tryPolicy', text === undefined ? {} : { text }) });
      } catch (thrown) {
        set({ error: toErrorRecord(thrown).message });
      } finally {
        set({ isTrying: false });
      }
    },
  }));
}

/** Milliseconds without a change before the engine is called. */
const pauseMs = 300;

/** Extends to the end of the line. The message describes the exact cause. */
function diagnosticOf({ line, column, message }: PolicyProblem, lines: readonly string[]): Diagnostic {
  const end = Math.max(column + 1, (lines[line - 1]?.length ?? 0) + 1);
  return { code: 'policy.invalid', severity: 'error', message, range: { line, column, endLine: line, endColumn: end } };
}

function isPolicy(path: string): boolean {
  return path === policyPathOf(productOfPath(path));
}

/** Checks policies while they are open. Returns a function that stops it. */
export function followPolicyChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By path, the text in the last request. */
  const asked = new Map<string, string>();
  const check = async (path: string, text: string): Promise<void> => {
    // Without an engine nothing is checked. The file is read again when a new engine is available.
    const problems = await engine.call('checkPolicy', text).catch(() => null);
    const { files, takeCheck } = openFiles.getState();
    const file = files.get(path);
    if (problems === null || file?.text !== text || file.isCheckStale) return;
    const lines = text.split('\n');
    takeCheck(path, text, { ...file, diagnostics: problems.map((problem) => diagnosticOf(problem, lines)) });
  };
  const look = (path: string, file: OpenFile): void => {
    // The check of plain texts replaces all known problems, so this one runs after it.
    if (file.status !== 'ready' || file.isCheckStale) asked.delete(path);
    else if (asked.get(path) !== file.text) {
      asked.set(path, file.text);
      clearTimeout(timers.get(path));
      timers.set(
        path,
        setTimeout(() => void check(path, file.text), pauseMs),
      );
    }
  };
  const end = openFiles.subscribe(({ files }, former) => {
    if (files === former.files) return;
    for (const path of asked.keys()) if (!files.has(path)) asked.delete(path);
    for (const [path, file] of files) if (isPolicy(path) && file !== former.files.get(path)) look(path, file);
  });
  return () => {
    end();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
