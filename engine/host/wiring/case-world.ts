/**
 * What an engine that runs tests uses in place of the outside: files whose changes are discarded, recorded calls, and
 * texts that are not on disk.
 */
import { relative } from 'node:path';
import type { Clock, ShortWaits } from '../../base/clock.ts';
import type { CassettePlayer } from '../../history/cassette/cassette-player.ts';
import type { FolderHolder } from '../../world/files/folders/folder-holder.ts';
import { withSlashes } from '../../world/files/workspace-path.ts';
import type { ScriptHostOptions, WrittenByRuns } from '../../world/script/script-host-options.ts';
import type { HeldText } from '../../world/tools/read-manifests.ts';
import type { FindUnseen } from '../executor/unseen-texts.ts';

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
  /** Finds texts that a program proposes: like those that a run has written, no person has seen them. */
  readonly unseen: FindUnseen;
}

/** Returns the time of an engine. Waits take their time while calls are made, because services need it. */
export function timeIn(caseWorld: CaseWorld | undefined, real: Clock): Clock {
  return caseWorld === undefined || caseWorld.records() ? real : { ...real, shortWaits: new WaitsInOrder() };
}

interface OpenWait {
  readonly endsAt: number;
  readonly callback: () => void;
}

/** Work that has just begun may need this many turns of the event loop before it starts a wait that ends earlier. */
const turnsBeforePass = 5;

/** Waits that take no time. The one that would end first passes first, so that parallel nodes keep their order. */
class WaitsInOrder implements ShortWaits {
  readonly #open = new Set<OpenWait>();
  #turns = 0;
  shortenedMs = 0;

  setWait(callback: () => void, delayMs: number): () => void {
    const wait = { endsAt: this.shortenedMs + delayMs, callback };
    this.#open.add(wait);
    if (this.#turns === 0) setImmediate(() => this.#turn());
    this.#turns = turnsBeforePass;
    return () => this.#open.delete(wait);
  }

  #turn(): void {
    this.#turns -= 1;
    if (this.#turns === 0) this.#pass();
    if (this.#turns > 0) setImmediate(() => this.#turn());
  }

  #pass(): void {
    const endsAt = Math.min(...[...this.#open].map((wait) => wait.endsAt));
    const passed = [...this.#open].filter((wait) => wait.endsAt === endsAt);
    if (passed.length === 0) return;
    this.shortenedMs = Math.max(this.shortenedMs, endsAt);
    this.#turns = turnsBeforePass;
    for (const wait of passed) {
      this.#open.delete(wait);
      wait.callback();
    }
  }
}

/** Returns what finds texts that no person has seen. */
export function unseenIn(caseWorld: CaseWorld | undefined, real: FindUnseen): FindUnseen {
  return caseWorld === undefined ? real : (path, text) => caseWorld.unseen(path, text) ?? real(path, text);
}

/** Returns what records written files. In a test, no file changes that a person would have to review or undo. */
export function writesIn(caseWorld: CaseWorld | undefined, real: WrittenByRuns): WrittenByRuns {
  if (caseWorld === undefined) return real;
  const isUnseen: WrittenByRuns['isUnseen'] = (path, text) =>
    caseWorld.unseen(path, text) !== undefined || real.isUnseen(path, text);
  return { isUnseen, changing: (_change, work) => work() };
}

type ScriptFiles = Partial<Pick<ScriptHostOptions, 'holder' | 'realPathOf' | 'trash' | 'written'>>;

/** Returns what replaces the files on disk for scripts. @param written see `writesIn` */
export function scriptFilesIn(caseWorld: CaseWorld | undefined, written: WrittenByRuns): ScriptFiles {
  if (caseWorld === undefined) return {};
  const { files } = caseWorld;
  return {
    ...{ holder: files, written },
    realPathOf: (absolute) => files.realPathOf(absolute),
    trash: (_path, putBackTo) => files.remove(putBackTo),
  };
}

/** Returns what replaces the text of a tool's file: in a test, that of the tested version. @param held outside of tests */
export function heldIn(
  { workspace, caseWorld }: { readonly workspace: string; readonly caseWorld?: CaseWorld | undefined },
  held: HeldText,
): HeldText {
  if (caseWorld === undefined) return held;
  return (path, text) => caseWorld.textOf(withSlashes(relative(workspace, path))) ?? held(path, text);
}
