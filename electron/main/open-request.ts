/**
 * What the system hands over to be opened: files that were double-clicked, and links `millrace:` of web pages and mails.
 * Whoever wrote a link is a stranger; it names one thing, and the person is asked before anything is done with it.
 */
import path from 'node:path';
import { findWebAddress, parseUrl } from '../ipc/engine-base.ts';

export type OpenRequest =
  /** A flow, an agent or another text, absolute; the person chose it in their file manager. */
  | { readonly kind: 'file'; readonly path: string }
  /** An archive of a pack, absolute; they chose that, too. */
  | { readonly kind: 'pack-file'; readonly path: string }
  /** A link names a folder, absolute. */
  | { readonly kind: 'folder-link'; readonly path: string }
  /** A link names a run of a workspace, and where in it; a message about what waits has it. */
  | { readonly kind: 'run-link'; readonly path: string; readonly runId: string; readonly nodeId: string | null }
  /** A link names a pack: `ns@name`, or an address with `https:`. */
  | { readonly kind: 'pack-link'; readonly uri: string };

const linkScheme = 'millrace';

const maxLinkLength = 2048;
const runIdForm = /^[\w-]{1,100}$/;
const packName = /^[A-Za-z0-9][\w-]{0,63}@[A-Za-z0-9][\w-]{0,63}$/;
/** Characters that a person does not see, or that turn what they see around. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Whether an argument is a link of the program, which may be refused all the same. */
export function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${linkScheme}:`);
}

/**
 * Reads an argument of the command line, or what the system calls the program with.
 * @param cwd the folder that relative paths start from
 * @returns undefined when it is nothing to open, such as a switch, or a link that is refused
 */
export function readOpenRequest(argument: string, cwd: string): OpenRequest | undefined {
  if (isLink(argument)) return readLink(argument);
  if (argument.startsWith('-') || argument.includes('\0')) return undefined;
  const file = path.resolve(cwd, argument);
  if (/\.aipack$/i.test(argument)) return { kind: 'pack-file', path: file };
  return /\.(aip|ya?ml)$/i.test(argument) ? { kind: 'file', path: file } : undefined;
}

/** A link that opens the program at a run. @param nodeId full name of the node; left out where the link would be too long */
export function linkOfRun(workspace: string, runId: string, nodeId: string): string {
  const link = (more: Readonly<Record<string, string>>): string =>
    `${linkScheme}://run?${new URLSearchParams({ path: workspace, id: runId, ...more })}`;
  const whole = nodeId === '' || hidden.test(nodeId) ? link({}) : link({ node: nodeId });
  return whole.length <= maxLinkLength ? whole : link({});
}

/** `millrace://workspace?path=/a/folder`, `…//run?path=/a/folder&id=…&node=…` or `…//pack?uri=ns@name`; else it is refused. */
function readLink(text: string): OpenRequest | undefined {
  const url = text.length <= maxLinkLength ? parseUrl(text) : undefined;
  if (url === undefined || url.protocol !== `${linkScheme}:`) return undefined;
  const hasMore = url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '';
  if (hasMore || !['', '/'].includes(url.pathname)) return undefined;
  if (url.hostname === 'run') return readRunLink([...url.searchParams]);
  const [[name, value] = ['', ''], ...others] = url.searchParams;
  if (others.length > 0 || value === '' || hidden.test(value) || value.includes('\uFFFD')) return undefined;
  if (url.hostname === 'workspace' && name === 'path') return readFolderLink(value);
  if (url.hostname === 'pack' && name === 'uri') return readPackLink(value);
  return undefined;
}

/** A path of another machine would be asked for it, with the person's name and password, before they have agreed. */
function readFolderLink(folder: string): OpenRequest | undefined {
  const isLocal = path.isAbsolute(folder) && !/^[\\/]{2}/.test(folder);
  // On Windows a folder has a drive; without one, it would be of whichever is current.
  const hasDrive = process.platform !== 'win32' || /^[A-Za-z]:[\\/]/.test(folder);
  return isLocal && hasDrive ? { kind: 'folder-link', path: path.normalize(folder) } : undefined;
}

function readRunLink(params: readonly (readonly [string, string])[]): OpenRequest | undefined {
  const [path, id, node] = params;
  const names = params.map(([name]) => name).join();
  if (path === undefined || id === undefined || !/^path,id(?:,node)?$/.test(names)) return undefined;
  if (params.some(([, value]) => value === '' || hidden.test(value) || value.includes('\uFFFD'))) return undefined;
  const folder = readFolderLink(path[1]);
  if (folder?.kind !== 'folder-link' || !runIdForm.test(id[1])) return undefined;
  return { kind: 'run-link', path: folder.path, runId: id[1], nodeId: node?.[1] ?? null };
}

function readPackLink(uri: string): OpenRequest | undefined {
  if (packName.test(uri)) return { kind: 'pack-link', uri };
  const url = findWebAddress(uri);
  return url?.protocol === 'https:' ? { kind: 'pack-link', uri: url.href } : undefined;
}
