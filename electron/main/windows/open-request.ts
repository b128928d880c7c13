/**
 * Parses what the system asks the program to open: double-clicked files, and `millrace:` links from web pages and
 * email. Links are untrusted: each names one item, and the user is asked before anything is done with it.
 */
import path from 'node:path';
import { findWebAddress, parseUrl } from '../../ipc/engine-base.ts';

export type OpenRequest =
  /** Absolute path of a flow, agent or other text that the user chose in a file manager. */
  | { readonly kind: 'file'; readonly path: string }
  /** Absolute path of a pack archive that the user chose. */
  | { readonly kind: 'pack-file'; readonly path: string }
  /** Absolute path of a folder named by a link. */
  | { readonly kind: 'folder-link'; readonly path: string }
  /** A run of a workspace, and a node in it, named by a link. Messages about open requests contain such links. */
  | { readonly kind: 'run-link'; readonly path: string; readonly runId: string; readonly nodeId: string | null }
  /** A pack named by a link: `ns@name`, or an `https:` URL. */
  | { readonly kind: 'pack-link'; readonly uri: string };

const linkScheme = 'millrace';

const maxLinkLength = 2048;
const runIdForm = /^[\w-]{1,100}$/;
const packName = /^[A-Za-z0-9][\w-]{0,63}@[A-Za-z0-9][\w-]{0,63}$/;
/** Characters that are invisible or change the text direction. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Returns whether an argument is a `millrace:` link, which may still be rejected. */
export function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${linkScheme}:`);
}

/**
 * Parses a command line argument or a request from the system.
 * @param cwd base folder of relative paths
 * @returns undefined if there is nothing to open, such as for a switch or a rejected link
 */
export function readOpenRequest(argument: string, cwd: string): OpenRequest | undefined {
  if (isLink(argument)) return readLink(argument);
  if (argument.startsWith('-') || argument.includes('\0')) return undefined;
  const file = path.resolve(cwd, argument);
  if (/\.aipack$/i.test(argument)) return { kind: 'pack-file', path: file };
  return /\.(aip|ya?ml)$/i.test(argument) ? { kind: 'file', path: file } : undefined;
}

/**
 * Returns a link that opens the program at a run. @param nodeId full name of the node; omitted if the link would be too
 * long
 */
export function linkOfRun(workspace: string, runId: string, nodeId: string): string {
  const link = (more: Readonly<Record<string, string>>): string =>
    `${linkScheme}://run?${new URLSearchParams({ path: workspace, id: runId, ...more })}`;
  const whole = nodeId === '' || hidden.test(nodeId) ? link({}) : link({ node: nodeId });
  return whole.length <= maxLinkLength ? whole : link({});
}

/**
 * Accepts `millrace://workspace?path=/a/folder`, `…//run?path=/a/folder&id=…&node=…` or `…//pack?uri=ns@name` and
 * rejects everything else.
 */
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

/**
 * Rejects paths on other machines, because checking one would send the user's name and password there before the user
 * has agreed.
 */
function readFolderLink(folder: string): OpenRequest | undefined {
  const isLocal = path.isAbsolute(folder) && !/^[\\/]{2}/.test(folder);
  // On Windows, a path without a drive would refer to the current drive.
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
