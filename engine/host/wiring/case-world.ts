/**
 * What an engine that runs tests uses in place of the outside: files whose changes are discarded, recorded calls, and
 * texts that are not on disk.
 */
import type { CassettePlayer } from '../../history/cassette/cassette-player.ts';
import type { FolderHolder } from '../../world/files/folders/folder-holder.ts';
import type { ScriptHostOptions, WrittenByRuns } from '../../world/script/script-host-options.ts';

/** Files with discarded changes. */
export interface DiscardedFiles extends FolderHolder {
  /** See `OverlayFiles.realPathOf`. */
  realPathOf(absolute: string): Promise<string>;
  /** Deletes the entry at a real path. */
  remove(real: string): Promise<void>;
}

export interface CaseWorld {
  readonly files: DiscardedFiles;
  /** Answers models, HTTP, programs and the tools of servers. */
  readonly player: CassettePlayer;
  /** Whether calls may be made, which then get secrets. */
  readonly records: () => boolean;
  /** Returns a text to use for a definition; undefined if the file counts. @param path relative to the workspace */
  readonly textOf: (path: string) => string | undefined;
}

/** Records no change, because no file changes that a person would have to review or undo. */
export const unrecordedWrites = (real: WrittenByRuns): WrittenByRuns => ({
  isUnseen: (path, text) => real.isUnseen(path, text),
  changing: (_change, work) => work(),
});

/** Returns the parts of scripts' options for a test. */
export function scriptFilesOf(
  { files }: CaseWorld,
  written: WrittenByRuns,
): Pick<ScriptHostOptions, 'trash' | 'written'> & Required<Pick<ScriptHostOptions, 'holder' | 'realPathOf'>> {
  return {
    holder: files,
    realPathOf: (absolute) => files.realPathOf(absolute),
    trash: (_path, putBackTo) => files.remove(putBackTo),
    written: unrecordedWrites(written),
  };
}
