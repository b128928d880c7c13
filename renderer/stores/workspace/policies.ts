/**
 * The policies that hold here: whose they are, and what one would have refused in past runs. Also what is wrong with the text of one
 * that is open.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Diagnostic, productOfPath, productsFolder, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';

/** The policy of the workspace, relative to it. */
export const policyPath = 'millrace.policy.yaml';

/** The policy of a product, or of the workspace; relative to that. */
export function policyPathOf(product: string | undefined): string {
  return product === undefined ? policyPath : `${productsFolder}/${product}/policy.yaml`;
}

export type PolicyFile = EngineResult<'listPolicies'>[number];
/** A past run with what would have been refused in it. */
export type TriedRun = EngineResult<'tryPolicy'>[number];
/** A file that a run has written and no person has seen since. */
export type WrittenFile = EngineResult<'listWritten'>[number];
type PolicyProblem = EngineResult<'checkPolicy'>[number];

export interface Policies {
  /** Null = they have not been read yet. */
  readonly files: readonly PolicyFile[] | null;
  /** Why they could not be read. */
  readonly error: string | null;
  /** What came of trying them on past runs; null = nobody has. */
  readonly tried: readonly TriedRun[] | null;
  readonly isTrying: boolean;
  /** What runs have written that no person has seen since. */
  readonly written: readonly WrittenFile[];
  /** The one that is being looked at. */
  readonly reviewing: WrittenFile | null;
  refresh(): Promise<void>;
  review(file: WrittenFile | null): void;
  /**
   * Opens the person's own policy outside of the window, and creates it where there is none.
   * @returns what to say about it; null = it could not be created, which `error` explains
   */
  editPersonal(): Promise<string | null>;
  /** Asks the person, in a dialog of the system, to let a file hold. */
  accept(path: string): Promise<void>;
  /**
   * Asks of past runs what would have been refused.
   * @param text of the workspace's policy as it is being written; undefined = as it stands in the file
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
        const made = isNew ? `Created ${path}. ` : '';
        return isOpen
          ? `${made}It is open in the program that your system uses for YAML files.`
          : `${made}Your system has no program for YAML files. Open ${path} in a text editor.`;
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

/** Milliseconds without a change after which the engine is asked. */
const pauseMs = 300;

/** To the end of its line: what is meant there, the message says. */
function diagnosticOf({ line, column, message }: PolicyProblem, lines: readonly string[]): Diagnostic {
  const end = Math.max(column + 1, (lines[line - 1]?.length ?? 0) + 1);
  return { code: 'policy.invalid', severity: 'error', message, range: { line, column, endLine: line, endColumn: end } };
}

function isPolicy(path: string): boolean {
  return path === policyPathOf(productOfPath(path));
}

/** Checks policies while they are open. Returns the end of it. */
export function followPolicyChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By path, the text that was asked about. */
  const asked = new Map<string, string>();
  const check = async (path: string, text: string): Promise<void> => {
    // Without an engine there is nobody to ask; when another one is there, the file is read again.
    const problems = await engine.call('checkPolicy', text).catch(() => null);
    const { files, takeCheck } = openFiles.getState();
    const file = files.get(path);
    if (problems === null || file?.text !== text || file.isCheckStale) return;
    const lines = text.split('\n');
    takeCheck(path, text, { ...file, diagnostics: problems.map((problem) => diagnosticOf(problem, lines)) });
  };
  const look = (path: string, file: OpenFile): void => {
    // The check of plain texts replaces all that was known, so this one follows it.
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
