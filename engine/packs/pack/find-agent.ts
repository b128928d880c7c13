/**
 * Finds an agent's file by the agent's name.
 */
import { existsSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { AgentLocation, PackPlace } from '../../runtime/kernel/capabilities/capabilities.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { withSlashes } from '../../world/files/workspace-path.ts';
import { isBelow } from './install/linked-pack.ts';
import { type PackFolders, packShelves, supportFolders } from './pack-folders.ts';
import { findPack } from './pack-locator.ts';
import { isPackName } from './pack-manifest.ts';
import { formatPackRef, looksLikePackRef, parsePackRef } from './pack-ref.ts';

interface FindAgentOptions extends PackFolders {
  /** Absolute base folder of a relative path: the folder of the calling agent, or the current folder. */
  readonly from: string;
}

/**
 * Finds an agent. A name that ends in `.aip` refers to that file. For any other name, `NAME.aip` takes precedence over
 * `NAME/main.aip`.
 * @param name a reference (`namespace@name/path`) or a path
 * @throws EngineError `agent.not-found` | `pack.not-found` (`details.ref`, to offer an installation) | `pack.bad-ref`
 */
export async function findAgent(name: string, options: FindAgentOptions): Promise<AgentLocation> {
  return looksLikePackRef(name) ? await findInPack(name, options) : await findLocal(name, options);
}

async function findInPack(name: string, options: FindAgentOptions): Promise<AgentLocation> {
  const ref = parsePackRef(name);
  if (ref.scope !== null) throw notFound(`No agent files  matches for ${name}`, name);
  const found = await findPack(name, options);
  const path = name.endsWith('/') && ref.subPath !== '' ? `${ref.subPath}/` : ref.subPath;
  for (const candidate of candidatesOf(path)) {
    const file = await fileInside(found.folder, candidate);
    if (file === undefined) continue;
    const { namespace, name: packName, folder, leadsOut } = found;
    const pack = {
      ...{ namespace, name: packName, folder, subPath: ref.subPath },
      ...supportFolders(options, found),
      ...(leadsOut === undefined ? {} : { leadsOut }),
    };
    return { name, file, shownPath: shownPathOf(file, options) ?? formatPackRef(ref), pack };
  }
  throw notFound(`No agent files  matches for ${name}`, name);
}

async function findLocal(name: string, options: FindAgentOptions): Promise<AgentLocation> {
  const full = resolve(options.from, name);
  // `resolve` removes the trailing slash that marks a folder.
  const path = /[/\\]$/.test(name) ? `${full}/` : full;
  for (const file of candidatesOf(path)) {
    if (!(await isFile(file))) continue;
    const absolute = resolve(file);
    const pack = await packAround(absolute, options);
    const shownPath = shownPathOf(absolute, options) ?? absolute;
    return { name, file: absolute, shownPath, ...(pack === undefined ? {} : { pack }) };
  }
  throw notFound(`No agent found for local path: '${name}'\n   (full path: ${full})`, name);
}

function candidatesOf(path: string): readonly string[] {
  if (path === '') return ['main.aip'];
  if (path.endsWith('.aip')) return [path];
  return path.endsWith('/') ? [`${path}main.aip`] : [`${path}.aip`, `${path}/main.aip`];
}

/** Returns the path if it is a file that is inside the folder even after symbolic links are resolved. */
async function fileInside(folder: string, path: string): Promise<string | undefined> {
  const file = join(folder, path);
  if (!(await isFile(file))) return undefined;
  return isBelow(await realpath(folder), await realpath(file)) ? file : undefined;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function shownPathOf(file: string, { workspace }: PackFolders): string | undefined {
  return isBelow(workspace, file) ? withSlashes(relative(workspace, file)) : undefined;
}

/**
 * Returns the pack that contains an agent called by its path; undefined if there is none. Such an agent has the pack's
 * permissions.
 */
async function packAround(file: string, folders: PackFolders): Promise<PackPlace | undefined> {
  const shelves = packShelves(folders);
  const real = await realpath(file);
  const realWorkspace = realFolder(folders.workspace) ?? folders.workspace;
  for (const { origin, folder: shelf } of shelves) {
    const realShelf = realFolder(shelf);
    if (realShelf === undefined || !isBelow(realShelf, real)) continue;
    // A symbolic link in the workspace does not make a folder outside it a pack folder.
    if (origin === 'workspace-custom' && !isBelow(realWorkspace, realShelf)) continue;
    const [namespace = '', name = '', ...parts] = relative(realShelf, real).split(sep);
    if (parts.length === 0 || !isPackName(namespace) || !isPackName(name)) return undefined;
    const subPath = parts.join('/').replace(/(?:^|\/)main\.aip$|\.aip$/, '');
    return {
      namespace,
      name,
      folder: join(shelf, namespace, name),
      subPath,
      ...supportFolders(folders, { namespace, name }),
    };
  }
  return undefined;
}

/**
 * Returns the folder with all symbolic links resolved; undefined if it does not exist. Synchronous, because agents look
 * up other agents for each input, and a round trip to the thread pool takes longer than the call itself.
 */
function realFolder(path: string): string | undefined {
  try {
    return existsSync(path) ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

function notFound(message: string, name: string): EngineError {
  return new EngineError({ code: 'agent.not-found', message, details: { name } });
}
