/**
 * Applies an envelope's changes through the host, one directive after the other.
 */
import path from 'node:path';
import type { HostCaller } from '../host-calls.ts';
import { applyPatch, type HunkError } from './apply-patch.ts';
import type { FileDirective } from './envelope.ts';

/** The result of one directive. */
type DirectiveStatus = {
  /** Path as written; for a copy or rename, the destination path. */
  readonly file_path: string;
  readonly kind: FileDirective['kind'];
  readonly success: boolean;
  /** Why the directive failed. */
  readonly error_msg?: string;
  /** Patch hunks that were not applied. The file contains the others. */
  readonly error_hunks?: readonly HunkError[];
};

interface Workplace {
  readonly host: HostCaller;
  /** Absolute base folder for relative paths. */
  readonly baseDir: string;
  readonly workspaceDir: string;
}

/** A patch with hunks that did not match. */
class HunkFailure extends Error {
  readonly hunks: readonly HunkError[];

  constructor(message: string, hunks: readonly HunkError[]) {
    super(message);
    this.hunks = hunks;
  }
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

/** Resolves a file name. `~` and `@` have no special meaning here, because models write plain file names. */
function placeOf({ baseDir, workspaceDir }: Workplace, file: string): string {
  const full = path.resolve(baseDir, file);
  if (isInside(full, baseDir) || isInside(full, workspaceDir)) return full;
  throw new Error(`Only files in ${baseDir} can be changed, but '${file}' is outside`);
}

/** Returns a file's text; undefined if the file does not exist. */
function textOf({ host }: Workplace, full: string): string | undefined {
  const { kind } = host('path.kind', { path: full });
  return kind === null ? undefined : host('file.readText', { path: full }).text;
}

function write(workplace: Workplace, full: string, content: string): void {
  workplace.host('file.write', { path: full, content, mode: 'overwrite' });
}

function noChanges(file: string): Error {
  return new Error(`No changes applied to '${file}'`);
}

function applyNew(workplace: Workplace, file: string, content: string): void {
  const full = placeOf(workplace, file);
  if (textOf(workplace, full) === content) throw noChanges(file);
  write(workplace, full, content);
}

/** Adds a line end first if the text does not end with one. */
function applyAppend(workplace: Workplace, file: string, content: string): void {
  const full = placeOf(workplace, file);
  if (content === '') throw noChanges(file);
  const before = textOf(workplace, full) ?? '';
  write(workplace, full, before + (before === '' || before.endsWith('\n') ? '' : '\n') + content);
}

/** Writes the hunks that match even if others fail. */
function patchFile(workplace: Workplace, file: string, patch: string): void {
  const full = placeOf(workplace, file);
  const before = textOf(workplace, full);
  const { content, hunkCount, errors } = applyPatch(before ?? '', patch);
  const isChanged = hunkCount > errors.length && content !== before;
  if (isChanged) write(workplace, full, content);
  if (errors.length > 0) {
    throw new HunkFailure(`${errors.length} of ${hunkCount} hunks failed to apply for '${file}'`, errors);
  }
  if (!isChanged) throw noChanges(file);
}

type Relocation = Extract<FileDirective, { readonly from: string }>;

function relocate(workplace: Workplace, { kind: verb, from, path: to }: Relocation): void {
  const source = placeOf(workplace, from);
  const destination = placeOf(workplace, to);
  const { kind } = workplace.host('path.kind', { path: source });
  if (kind === null) throw new Error(`'${from}' does not exist`);
  if (kind === 'folder' && verb === 'Copy') throw new Error(`'${from}' is a folder; only files can be copied`);
  workplace.host(verb === 'Copy' ? 'file.copy' : 'file.move', { source, destination, overwrite: true });
}

function remove(workplace: Workplace, file: string): void {
  const { existed } = workplace.host('file.delete', { path: placeOf(workplace, file) });
  if (!existed) throw new Error(`'${file}' does not exist`);
}

function carryOut(workplace: Workplace, directive: FileDirective): void {
  switch (directive.kind) {
    case 'New':
      applyNew(workplace, directive.path, directive.content);
      break;
    case 'Append':
      applyAppend(workplace, directive.path, directive.content);
      break;
    case 'Patch':
      patchFile(workplace, directive.path, directive.content);
      break;
    case 'Copy':
    case 'Rename':
      relocate(workplace, directive);
      break;
    case 'Delete':
      remove(workplace, directive.path);
      break;
    case 'Fail':
      throw new Error(directive.problem);
  }
}

function statusOf(workplace: Workplace, directive: FileDirective): DirectiveStatus {
  const named = { file_path: directive.path, kind: directive.kind };
  try {
    carryOut(workplace, directive);
    return { ...named, success: true };
  } catch (error) {
    const failed = { ...named, success: false, error_msg: error instanceof Error ? error.message : String(error) };
    return error instanceof HunkFailure ? { ...failed, error_hunks: error.hunks } : failed;
  }
}

/**
 * Applies all directives. A failed directive does not prevent the next ones from being tried.
 * @param baseDir base folder of relative paths, as written in the script; absent for the workspace
 */
export function applyDirectives(
  directives: readonly FileDirective[],
  { host, baseDir }: { readonly host: HostCaller; readonly baseDir?: string | undefined },
): readonly DirectiveStatus[] {
  const workspaceDir = host('path.resolve', { path: '.' }).path;
  const isGiven = baseDir !== undefined && baseDir !== '';
  const workplace = {
    host,
    workspaceDir,
    baseDir: isGiven ? host('path.resolve', { path: baseDir }).path : workspaceDir,
  };
  return directives.map((directive) => statusOf(workplace, directive));
}
