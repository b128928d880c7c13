/**
 * Compares an open flow with a version of it in Git.
 */
import type { StoreApi } from 'zustand/vanilla';
import { parseFlow } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { Reviews } from './reviews.ts';
import { text } from './text.ts';

interface CompareServices {
  readonly engine: EngineClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly panes: StoreApi<Panes>;
  readonly reviews: StoreApi<Reviews>;
}

/** Opens the review of the text on screen against that of a branch, tag or commit. A notice says why it does not. */
export async function compareWithVersion(
  { engine, notices, openFiles, panes, reviews }: CompareServices,
  path: string,
  ref: string,
): Promise<void> {
  const words = text.git;
  try {
    const { text: before } = await engine.call('readCommitted', { path, ref });
    const after = openFiles.getState().files.get(path)?.text;
    if (after === undefined) return;
    const isFlow = before !== null && parseFlow(before).doc !== null;
    if (!isFlow || before === after) {
      const reason = before === null ? words.notCommitted : isFlow ? words.sameAs : words.notFlow;
      const detail = reason({ path, ref });
      notices.getState().add({ tone: 'info', title: words.nothingToCompare, detail });
      return;
    }
    const title = ref === 'HEAD' ? words.sinceHead : words.since({ ref });
    const request = { path, title, before, after, source: 'git', taken: 'all' } as const;
    if (await reviews.getState().openReview(request)) panes.getState().showDock('changes');
  } catch (error) {
    notices.getState().addError(words.compareFailed, error);
  }
}
