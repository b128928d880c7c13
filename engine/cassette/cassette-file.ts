/**
 * A cassette's file: read once, then written as a whole, one writing after the other.
 */
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { toWriteError } from '../files/file-error.ts';
import { readTextFile } from '../files/read-text.ts';
import { changedOnDisk, unreadable } from './cassette-error.ts';

/** A longer file is neither read nor written. */
const maxBytes = 256 * 1024 * 1024;

export interface CassetteFile {
  /** Its text when it was opened; undefined = there was no file. */
  readonly text: string | undefined;
  /**
   * Resolves when the disk has what `render` gives. Calls that come while a writing goes on share the next one.
   * @throws EngineError `cassette.changed` | `files.not-writable` | `files.too-large`, or what `render` throws
   */
  save(render: () => string): Promise<void>;
}

/**
 * @param file absolute
 * @throws EngineError `cassette.unreadable`
 */
export async function openCassetteFile(file: string): Promise<CassetteFile> {
  const text = await readIfThere(file);
  let known = text;
  let last = Promise.resolve();
  let next: Promise<void> | undefined;

  async function write(content: string): Promise<void> {
    if ((await readIfThere(file)) !== known) throw changedOnDisk(file);
    if (Buffer.byteLength(content) > maxBytes) throw tooLarge(file);
    await writeFileAtomically(file, content).catch((thrown: unknown) => {
      throw toWriteError(thrown, file);
    });
    known = content;
  }

  return {
    text,
    save(render) {
      next ??= last.then(() => {
        next = undefined;
        return write(render());
      });
      // Each writing has the calls of all before it, so that one may fail and the next succeed.
      last = next.catch(() => {});
      return next;
    },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file, { maxBytes, shownPath: file });
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
    if (thrown.code === 'files.not-found') return undefined;
    throw unreadable(file, thrown.message.replace(/\.$/, ''));
  }
}

function tooLarge(file: string): EngineError {
  return new EngineError({
    code: 'files.too-large',
    message: `${file} would grow over ${maxBytes / 1024 / 1024} MiB. Spread the calls over several cassettes.`,
  });
}
