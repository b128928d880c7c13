/**
 * Previews of agents: for each open agent, the selected input and the prompts it produces.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type ErrorRecord,
  type JsonValue,
  readExactJson,
  toErrorRecord,
  unsafeNumberMessage,
} from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { OpenFiles } from '../text/files.ts';
import { text as words } from './text.ts';

export type AgentPreview = EngineResult<'previewAgent'>;

/** The source of a preview's input. */
export interface PreviewSource {
  /** `own` means no input: the agent finds its inputs or needs none. */
  readonly kind: 'own' | 'files' | 'text' | 'json';
  /** Globs, one per line. */
  readonly files: string;
  readonly text: string;
  /** A single JSON value. */
  readonly json: string;
}

export interface PreviewView {
  readonly source: PreviewSource;
  /** Index of the shown input, from 0. */
  readonly index: number;
  readonly isWorking: boolean;
  /**
   * Whether no preview was created for the current text and input, because it was not requested explicitly and the
   * workspace is not trusted.
   */
  readonly isHeld: boolean;
  /** The latest result, kept while the next one is being created. */
  readonly preview: AgentPreview | null;
  /** The latest successful result. It is shown below an error, so that a typing mistake does not hide the preview. */
  readonly former: AgentPreview | null;
  /** Why the request failed. Null if it succeeded or none was made. */
  readonly error: ErrorRecord | null;
}

export const initialPreview: PreviewView = {
  source: { kind: 'own', files: '', text: '', json: '{}' },
  index: 0,
  isWorking: false,
  isHeld: false,
  preview: null,
  former: null,
  error: null,
};

export interface AgentPreviewStore {
  readonly views: ReadonlyMap<string, PreviewView>;
  /** Changes the source of inputs and selects the first one. */
  setSource(path: string, change: Partial<PreviewSource>): void;
  /** Shows another input. */
  choose(path: string, index: number): void;
  /**
   * Requests a preview of the text on screen. Earlier requests for the same agent are ignored.
   * @param why `automatic` for automatic requests, which are made only in a trusted workspace
   */
  refresh(path: string, why: 'asked' | 'automatic'): Promise<void>;
}

type GivenInputs = { readonly inputs?: JsonValue[]; readonly files?: string[] };

/** Returns the inputs in the form used by the engine, or why there are none. */
export function inputsOf({ kind, files, text, json }: PreviewSource): GivenInputs | { readonly problem: string } {
  if (kind === 'own') return {};
  if (kind === 'text') return { inputs: [text] };
  if (kind === 'json') {
    const read = readExactJson(json);
    if (read.kind === 'value') return { inputs: [read.value] };
    if (read.kind === 'unsafe-number') return { problem: unsafeNumberMessage('This', read.number) };
    return { problem: words.preview.invalidJson };
  }
  const globs = files.split('\n').flatMap((line) => line.trim() || []);
  return globs.length === 0 ? { problem: words.preview.filesMissing } : { files: globs };
}

/** If the engine cannot determine trust, the preview is requested anyway and returns the reason. */
async function isTrusted(engine: EngineClient): Promise<boolean> {
  const answer = await engine.call('readTrust').catch(() => null);
  return answer === null || answer.isTrusted;
}

interface AgentPreviewTarget {
  readonly text: string | undefined;
  readonly source: PreviewSource;
  readonly index: number;
}

function isSame(a: AgentPreviewTarget | undefined, b: AgentPreviewTarget): boolean {
  return a !== undefined && a.text === b.text && a.source === b.source && a.index === b.index;
}

function answered(preview: AgentPreview): Partial<PreviewView> {
  return { preview, error: null, isHeld: false, ...(preview.end === 'failed' ? {} : { former: preview }) };
}

function refused(thrown: unknown): Partial<PreviewView> {
  const error = toErrorRecord(thrown);
  return error.code === 'agent.preview-untrusted' ? { isHeld: true } : { error, isHeld: false };
}

export function createAgentPreviews(engine: EngineClient, openFiles: StoreApi<OpenFiles>): StoreApi<AgentPreviewStore> {
  return createStore<AgentPreviewStore>()((set, get) => {
    const latest = new Map<string, symbol>();
    /** The subject of the last request. */
    const subjects = new Map<string, AgentPreviewTarget>();
    const patch = (path: string, change: Partial<PreviewView>): void => {
      const view = get().views.get(path) ?? initialPreview;
      set({ views: new Map(get().views).set(path, { ...view, ...change }) });
    };
    return {
      views: new Map(),
      setSource(path, change) {
        const { source } = get().views.get(path) ?? initialPreview;
        patch(path, { source: { ...source, ...change }, index: 0, former: null });
      },
      choose: (path, index) => patch(path, { index, former: null }),
      async refresh(path, why) {
        const mayRun = why === 'asked' || (await isTrusted(engine));
        const file = openFiles.getState().files.get(path);
        const { source, index } = get().views.get(path) ?? initialPreview;
        const subject = { text: file?.text, source, index };
        if (!mayRun) {
          patch(path, { isHeld: !isSame(subjects.get(path), subject) });
          return;
        }
        const given = inputsOf(source);
        if (file?.status !== 'ready' || 'problem' in given) return;
        const mine = Symbol(path);
        latest.set(path, mine);
        subjects.set(path, subject);
        patch(path, { isWorking: true });
        // The engine checks trust again, because it may have been revoked since.
        const automatic = why !== 'asked' ? ({ isAutomatic: true } as const) : {};
        const change = await engine
          .call('previewAgent', { agent: path, text: file.text, index, ...given, ...automatic })
          .then(answered)
          .catch(refused);
        if (latest.get(path) === mine) patch(path, { isWorking: false, ...change });
      },
    };
  });
}
