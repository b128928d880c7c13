/**
 * Tracks the files that a workspace's runs have written, for writers, loaders and the user interface.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { diffLines } from '../../language/edit/yaml/line-diff.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import {
  cassetteKind,
  catalogueKind,
  conversationKind,
  type DecidingFiles,
  foldName,
  matchPlace,
  patternsIn,
  skillKind,
} from '../../runtime/governance/deciding-places.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import { withSlashes } from '../../world/files/workspace-path.ts';
import type { WrittenFile, WrittenFiles } from '../../world/files/written-files.ts';
import type { WrittenByRuns } from '../../world/script/script-host-options.ts';
import type { FindUnseen } from '../executor/unseen-texts.ts';
import type { RecordChange } from '../undo/changed-files.ts';

interface WrittenPlace {
  readonly written: WrittenFiles;
  /** Absolute path. */
  readonly baseFolder: string;
  /** Absolute path. */
  readonly workspace: string;
  readonly deciding: DecidingFiles;
  readonly policies: PolicySource;
  /** Absolute path of the cassette in use. */
  readonly cassette?: string | undefined;
  /** Records changes, so that a person can undo them. */
  readonly recording: RecordChange;
}

/** A file that a run has written and no person has seen since, for display. */
export interface WrittenView {
  /** Path relative to the workspace with `/`; absolute elsewhere. */
  readonly path: string;
  /** What the file determines; absent for a flow, agent or script. */
  readonly decides?: string;
  /** The text that a person last saw; null if there was no file, absent if unknown. */
  readonly before?: string | null;
  readonly text: string;
  /** Removed lines with a `-` prefix, and added lines with a `+` prefix. */
  readonly changes: readonly string[];
}

export interface WrittenEngine {
  /**
   * Lists, by path, the files in the workspace and the base folder that runs have written and no person has seen since.
   */
  listWritten(): Promise<readonly WrittenView[]>;
  /**
   * Records that a person has seen a text that a run wrote, so that it takes effect.
   * @returns false if the file has changed in the meantime
   */
  acceptWritten(request: { readonly path: string; readonly text: string }): Promise<boolean>;
}

/** A run that is about to start or resume. */
export interface StartToAdmit {
  /** Path of its definition, relative to the workspace or absolute. */
  readonly path: string;
  /** Start time of a resumed run in epoch milliseconds. Files written since then do not block the run. */
  readonly since?: number;
}

/** Files that only conversations load, when they read them. */
const ofConversations: ReadonlySet<string> = new Set([catalogueKind, skillKind, conversationKind]);

/** Creates the tracker, which records writes and finds texts that no person has seen. */
export function createWrittenByRuns(place: WrittenPlace) {
  const { workspace, baseFolder, written, deciding, policies, cassette, recording } = place;
  const mayDecide = (): boolean =>
    policies().some(({ policy }) =>
      [policy, ...(policy?.byProduct?.values() ?? [])].some((one) => one?.mayWrite !== undefined),
    );
  const unseen: FindUnseen = (path, text) => written.find(resolve(workspace, path), text);
  const forScripts: WrittenByRuns = {
    isUnseen: (path, text) => unseen(path, text) !== undefined,
    async changing(change, work) {
      const isLookedAt = mayDecide();
      const noted = await Promise.all(
        (change.writes ?? []).map(async (real) => {
          const decides = isLookedAt ? await deciding.find(real, 'arrive') : undefined;
          return { real, ...(decides === undefined ? {} : { decides: decides.what }) };
        }),
      );
      return await recording(change, () => written.noting(noted, work));
    },
  };
  const root = realOf(workspace);
  const shown = (path: string): string => {
    const below = relative(root, path);
    return below.startsWith('..') || isAbsolute(below) ? path : withSlashes(below);
  };
  const listed = async (): Promise<readonly WrittenFile[]> => {
    const base = realOf(baseFolder);
    return (await written.list()).filter(({ path }) => path.startsWith(root + sep) || path.startsWith(base + sep));
  };
  const engine: WrittenEngine = {
    async listWritten() {
      const views = (await listed()).map(async ({ path, before, decides }): Promise<WrittenView> => {
        const kept = { ...(decides === undefined ? {} : { decides }), ...(before === undefined ? {} : { before }) };
        const text = (await written.textOf(path)) ?? '';
        return {
          path: shown(path),
          ...kept,
          text,
          changes: before === null ? text.split('\n').map((line) => `+${line}`) : diffLines(before ?? '', text),
        };
      });
      return await Promise.all(views);
    },
    acceptWritten: ({ path, text }) => written.accept(resolve(root, path), text),
  };
  return {
    unseen,
    forScripts,
    engine,
    /** Wraps a reader so that it throws EngineError `files.unseen` for deciding text that no person has seen. */
    readingSeen(read: (path: string) => Promise<string>) {
      return async (path: string): Promise<string> => {
        const text = await read(path);
        const noted = written.find(resolve(workspace, path), text);
        if (noted?.decides !== undefined) throw unseenFile(path, noted.decides);
        return text;
      };
    },
    /** @throws EngineError `files.unseen` if the run would load a deciding file that no person has seen */
    async admitStart({ path, since = Number.POSITIVE_INFINITY }: StartToAdmit): Promise<void> {
      const [product] = productsAt(path);
      const isLoaded = ({ decides = '', ...one }: WrittenFile): boolean => {
        if (decides === '' || ofConversations.has(decides) || one.at > since) return false;
        if (decides === cassetteKind) return one.path === cassette;
        const place = shown(one.path);
        return !isOfProductAlone(place) || productsAt(place)[0] === product;
      };
      const first = (await listed()).find(isLoaded);
      if (first !== undefined) throw unseenFile(shown(first.path), first.decides ?? '');
    },
  };
}

/** Returns whether only runs of its product load the file. */
function isOfProductAlone(path: string): boolean {
  const names = path.split('/').map(foldName);
  return patternsIn('workspace').some(
    ({ segments, isOfProduct }) => isOfProduct === true && matchPlace(segments, names) === 'file',
  );
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

function unseenFile(path: string, what: string): EngineError {
  return new EngineError({
    code: 'files.unseen',
    message: `A run wrote ${path}, which is ${what}. Runs don't load it until a person allows the change. Review it with "millrace review ${path}", or in the window under Settings > Policies.`,
    details: { path },
  });
}
