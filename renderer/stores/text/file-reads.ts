/**
 * Reads files into the list of open ones.
 */

import { type OpenFlow, withReadError, withText } from './file.ts';
import type { FileReader, ReadState } from './read.ts';

export interface FileReads {
  /** Reads an open file, for the first time or again; what went wrong is told in the file. */
  read(path: string): Promise<void>;
  /** Resolves when no read of that file is under way. */
  done(path: string): Promise<void>;
  /** Drops what comes of reads under way. */
  forget(path: string): void;
}

export interface FileReadsParts {
  readonly reader: FileReader;
  readonly fileOf: (path: string) => OpenFlow | undefined;
  readonly update: (path: string, change: (file: OpenFlow) => OpenFlow) => void;
  /** Ends what was begun for a file that is not open any more. */
  readonly release: (path: string) => void;
}

/** After its file was read: what did not change keeps its object, so nothing is drawn again. */
function withRead(file: OpenFlow, { log, readOnlyReason, conflict, restoredFrom, isMissing }: ReadState): OpenFlow {
  const isSame =
    file.status === 'ready' &&
    file.text === log.text &&
    file.readError === null &&
    file.isMissing === isMissing &&
    file.conflict?.diskText === conflict?.diskText &&
    file.readOnlyReason === readOnlyReason;
  if (isSame) return file;
  const state = { status: 'ready', readError: null, isMissing, readOnlyReason, conflict, restoredFrom } as const;
  return { ...withText(file, log), ...state };
}

export function createFileReads({ reader, fileOf, update, release }: FileReadsParts): FileReads {
  /** The newest read of each path; an older answer that comes later is dropped. */
  const latest = new Map<string, symbol>();
  const outcome = async (file: OpenFlow, isLatest: () => boolean): Promise<(current: OpenFlow) => OpenFlow> => {
    try {
      const state = await (file.status === 'ready' ? reader.reload(file, isLatest) : reader.open(file.path, file.kind));
      return (current) => (state === null ? current : withRead(current, state));
    } catch (error) {
      return (current) => withReadError(current, error);
    }
  };
  const readNow = async (path: string): Promise<void> => {
    const file = fileOf(path);
    if (file === undefined) return;
    const thisRead = Symbol(path);
    latest.set(path, thisRead);
    const isLatest = (): boolean => latest.get(path) === thisRead;
    const change = await outcome(file, isLatest);
    if (isLatest()) update(path, change);
    else if (fileOf(path) === undefined) release(path);
  };
  /** The newest of each path that goes on. */
  const underWay = new Map<string, Promise<void>>();
  return {
    read(path) {
      const reading = readNow(path).finally(() => {
        if (underWay.get(path) === reading) underWay.delete(path);
      });
      underWay.set(path, reading);
      return reading;
    },
    async done(path) {
      // Another one may take its place meanwhile, and the answer of the former is dropped then.
      for (let reading = underWay.get(path); reading !== undefined; reading = underWay.get(path)) await reading;
    },
    forget: (path) => latest.delete(path),
  };
}
