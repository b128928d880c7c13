/**
 * Lets other processes of this person find the HTTP services: one file for each process in `millrace/services` of
 * the base folder. A file that a killed process has left is ignored, and removed by the next service that starts.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { currentOwner, isOwnerAlive, type Owner } from '../../history/store/owner.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing } from '../../world/files/file-error.ts';

/** An HTTP service of a process on this machine. */
export interface ListeningService {
  /** For example `http://127.0.0.1:7420`. */
  readonly origin: string;
  /** Address of the reverse proxy; absent if there is none. */
  readonly publicAddress?: string;
  /** Absolute paths of the workspaces that it serves. */
  readonly workspaces: readonly string[];
}

interface ServiceFile extends ListeningService {
  readonly owner: Owner;
}

/** Returns the services of processes that are running. */
export async function runningServices(baseFolder: string): Promise<readonly ListeningService[]> {
  const found = await readAll(folderOf(baseFolder));
  return found.flatMap(({ service }) => {
    if (service === undefined || !isAlive(service.owner)) return [];
    const { owner: _, ...rest } = service;
    return [rest];
  });
}

/** Writes the file of this process. @returns a function that removes it */
export async function announceService(baseFolder: string, service: ListeningService): Promise<() => Promise<void>> {
  const folder = folderOf(baseFolder);
  const owner = currentOwner();
  await mkdir(folder, { recursive: true });
  for (const { file, service: other } of await readAll(folder))
    if (other !== undefined && other.owner.host === owner.host && !isAlive(other.owner))
      await rm(file, { force: true });
  // A process can have several services in tests, and only then.
  const file = join(folder, `${owner.pid}-${new URL(service.origin).port}.json`);
  await writeFileAtomically(file, `${JSON.stringify({ ...service, owner })}\n`, 0o600);
  return () => rm(file, { force: true });
}

function folderOf(baseFolder: string): string {
  return join(baseFolder, 'millrace', 'services');
}

/** A home folder can be shared by machines, but a loopback address cannot. */
function isAlive(owner: Owner): boolean {
  return owner.host === hostname() && isOwnerAlive(owner, { until: 1, now: 0 });
}

async function readAll(
  folder: string,
): Promise<readonly { readonly file: string; readonly service: ServiceFile | undefined }[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  return await Promise.all(files.map(async (file) => ({ file, service: await readService(file) })));
}

/** Returns undefined if the file is gone or damaged. */
async function readService(file: string): Promise<ServiceFile | undefined> {
  try {
    const service = JSON.parse(await readFile(file, 'utf8')) as Partial<ServiceFile> | null;
    const isWhole =
      typeof service?.origin === 'string' && Array.isArray(service.workspaces) && typeof service.owner === 'object';
    return isWhole ? (service as ServiceFile) : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
