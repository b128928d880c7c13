/**
 * Explains errors of the operating system: what is wrong, where, and how to fix it.
 */

const noPermission = 'you may not do that. Check the permissions of the file and of the folder that it is in';
const noRoom = 'the disk is full. Free some space and try again';
const tooManyOpen = 'too many files are open. Close other programs and try again';

const words: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'the disk can only be read. Choose a folder that can be written',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: 'the file would be larger than a file may be here. Raise that limit and try again',
  ENOENT: 'it does not exist. Check the path',
  ENOTDIR: 'a part of the path is a file where a folder should be. Move that file away or choose another path',
  EISDIR: 'a folder is there where a file should be. Move it away or choose another path',
  EEXIST: 'something of that name is there already. Move it away or choose another path',
  ENOTEMPTY: 'the folder is not empty. Move what is in it away or choose another path',
  ENAMETOOLONG: 'the name is longer than the system allows. Choose a shorter one',
  ELOOP: 'links lead round in a circle there. Remove one of them',
  EBUSY: 'another program is using it. Close that program and try again',
  ETXTBSY: 'another program is using it. Close that program and try again',
  EXDEV: 'it lies on another disk. Choose a path on the same one',
  EIO: 'the disk does not work. Look at the messages of the system',
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  EINVAL: 'the system does not take that name. Choose another path',
  ERR_INVALID_ARG_VALUE: 'the system does not take that name. Choose another path',
};

/** Returns the meaning of a system error code (`EACCES`) and a fix, for the middle of a sentence. */
export function systemErrorText(code: string): string {
  return words[code] ?? 'the system refused it';
}

const shownLength = 300;

/** Explains a system error in sentences: where, what and how to fix it; undefined for any other error. */
export function explainSystemError(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string')) return undefined;
  const isOfSystem = 'syscall' in thrown || thrown.code === 'ERR_INVALID_ARG_VALUE';
  if (!isOfSystem) return undefined;
  // For the current folder of the process, the system reports no path.
  if ('syscall' in thrown && thrown.syscall === 'uv_cwd') {
    return `The folder in which the program was started: it does not exist any more. Go to another folder (${thrown.code}).`;
  }
  const { path, dest } = thrown as { readonly path?: unknown; readonly dest?: unknown };
  const places = [path, dest].flatMap((place) => (typeof place === 'string' ? [shortened(place)] : []));
  const where = places.length === 0 ? 'The system refused it' : places.join(' → ');
  return `${where}: ${systemErrorText(thrown.code)} (${thrown.code}).`;
}

/** Shortens a very long path for messages. */
export function shortened(path: string): string {
  return path.length <= shownLength ? path : `${path.slice(0, shownLength)}…`;
}
