/**
 * Explains operating system errors: what is wrong, where, and how to fix it.
 */

const noPermission = 'permission denied. Check the permissions of the file and its folder';
const noRoom = 'the disk is full. Free some space and try again';
const tooManyOpen = 'too many files are open. Close other programs and try again';

const words: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'the disk is read-only. Choose a writable folder',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: 'the file would exceed the file size limit of the system. Raise the limit and try again',
  ENOENT: 'it does not exist. Check the path',
  ENOTDIR: 'part of the path is a file, not a folder. Move the file or choose another path',
  EISDIR: 'it is a folder, not a file. Move it or choose another path',
  EEXIST: 'it already exists. Move it or choose another path',
  ENOTEMPTY: 'the folder is not empty. Empty it or choose another path',
  ENAMETOOLONG: 'the name is too long for the system. Choose a shorter one',
  ELOOP: 'the path contains a cycle of links. Remove one of them',
  EBUSY: 'another program is using it. Close that program and try again',
  ETXTBSY: 'another program is using it. Close that program and try again',
  EXDEV: 'it is on another disk. Choose a path on the same disk',
  EIO: 'the disk reported an error. Check the system log',
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  EINVAL: 'the system does not allow that name. Choose another path',
  ERR_INVALID_ARG_VALUE: 'the system does not allow that name. Choose another path',
};

/** Returns the meaning of a system error code (`EACCES`) and a fix, for the middle of a sentence. */
export function systemErrorText(code: string): string {
  return words[code] ?? 'the system refused the operation';
}

const shownLength = 300;

/** Explains a system error in sentences: what is wrong, where, and how to fix it. Undefined for any other error. */
export function explainSystemError(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string')) return undefined;
  const isOfSystem = 'syscall' in thrown || thrown.code === 'ERR_INVALID_ARG_VALUE';
  if (!isOfSystem) return undefined;
  // For errors about the process's current folder, the system reports no path.
  if ('syscall' in thrown && thrown.syscall === 'uv_cwd') {
    return `The folder in which the program was started no longer exists. Change to another folder (${thrown.code}).`;
  }
  const { path, dest } = thrown as { readonly path?: unknown; readonly dest?: unknown };
  const places = [path, dest].flatMap((place) => (typeof place === 'string' ? [shortened(place)] : []));
  const where = places.length === 0 ? 'The system refused the operation' : places.join(' → ');
  return `${where}: ${systemErrorText(thrown.code)} (${thrown.code}).`;
}

/** Shortens a very long path for use in messages. */
export function shortened(path: string): string {
  return path.length <= shownLength ? path : `${path.slice(0, shownLength)}…`;
}
