/**
 * Files for a flow's inputs. They arrive one by one before the run starts, and are stored in `.millrace/uploads` of the
 * workspace, which runs can read but not change. Each file has a folder with a random name. Only who has uploaded a file
 * knows its path, and no other file of the workspace can be an input over HTTP.
 */
import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Context } from 'hono';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { ignoreInGit } from '../../history/store/open-workspace-store.ts';
import type { InputDoc, InputDocs, InputMisfit } from '../../language/flow/flow-interface.ts';
import { isJsonList, type JsonMap } from '../../language/json/json-value.ts';
import { replaceFile } from '../../world/files/atomic-write.ts';
import { isMissing, toWriteError } from '../../world/files/file-error.ts';
import { systemHolder } from '../../world/files/folders/folder-holder.ts';
import type { HeldFolder } from '../../world/files/folders/held-folder.ts';
import type { HttpEnv } from './served.ts';

const folderName = '.millrace/uploads';
const uploadPath = /^\.millrace\/uploads\/([0-9a-f]{32})\/([^/\\]+)$/;

/** Runs have at most as long to read a file. */
const keptMs = 30 * 24 * 3_600_000;
const hourMs = 3_600_000;
/** Bytes that an address accepts in an hour, as a multiple of the maximum size of a request. */
const requestsPerHour = 50;
/** Maximum number of files for an input. */
export const mostFiles = 20;
/** File systems accept names of 255 bytes. A character has up to four. */
const longestName = 60;
const longestEnding = 12;

/** The parts of a flow's address that uploads need. */
interface UploadAddress {
  readonly name: string;
  readonly engine: { readonly workspace: string };
  readonly limits: { readonly bodyBytes: number };
}

/**
 * Returns the handler of `POST /flows/NAME/files?name=FILE` with the content as body.
 * @param find returns the address of a request. @throws EngineError for callers who may not use it
 */
export function receiveUploads(
  clock: Clock,
  find: (context: Context<HttpEnv>) => Promise<UploadAddress>,
): (context: Context<HttpEnv>) => Promise<Response> {
  /** Bytes by address since the start of its hour. */
  const taken = new Map<string, { readonly since: number; bytes: number }>();
  const takeFrom = (name: string, most: number): ((bytes: number) => void) => {
    const former = taken.get(name);
    const isOld = former === undefined || Math.abs(clock.now() - former.since) >= hourMs;
    const hour = isOld ? { since: clock.now(), bytes: 0 } : former;
    taken.set(name, hour);
    return (bytes) => {
      hour.bytes += bytes;
      if (hour.bytes > most) throw tooMany();
    };
  };
  return async (context) => {
    const address = await find(context);
    const { bodyBytes } = address.limits;
    refuseEncoded(context);
    const take = takeFrom(address.name, bodyBytes * requestsPerHour);
    await removeOld(address.engine.workspace, clock.now());
    const content = limited(context.req.raw.body, bodyBytes, take);
    const path = await storeUpload(address.engine.workspace, context.req.query('name') ?? '', content);
    return context.json({ path }, 201);
  };
}

/** Only a page of the service may send this type without asking the service first. */
function refuseEncoded({ req }: Context): void {
  const encoding = req.header('content-encoding') ?? 'identity';
  if (req.header('content-type') === 'application/octet-stream' && encoding === 'identity') return;
  const message = 'Send the content of one file with Content-Type: application/octet-stream, and without compression.';
  throw new EngineError({ code: 'http.bad-type', message });
}

async function* limited(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  take: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > most) throw tooLarge(most);
    take(part.byteLength);
    yield part;
  }
}

/**
 * Stores a file under a clean name.
 * @param name as the browser sends it
 * @returns its path relative to the workspace
 * @throws EngineError `files.*`; errors of `content`, with nothing stored
 */
async function storeUpload(workspace: string, name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const id = randomBytes(16).toString('hex');
  const clean = cleanFileName(name);
  const shown = `${folderName}/${id}/${clean}`;
  await inUploads(workspace, async (uploads) => {
    await uploads.makeFolder(id);
    const folder = await uploads.folder(id);
    try {
      await replaceFile(folder, clean, { content, shown });
    } catch (error) {
      await uploads.removeFolder(id).catch(() => undefined);
      throw toWriteError(error, shown);
    } finally {
      await folder.close();
    }
  });
  return shown;
}

/** Returns a name that is harmless on every system and in every list, with the ending of the given one. */
export function cleanFileName(name: string): string {
  const [last = ''] = name.normalize('NFC').split(/[/\\]/).slice(-1);
  // Control, format and unassigned characters, among them those that reverse the direction of text.
  const plain = last.replace(/[\p{C}<>:"|?*]/gu, '').replace(/^[\s.~-]+|[\s.]+$/gu, '');
  const ending = extname(plain);
  const isEnding = ending.length <= longestEnding;
  const stem = [...(isEnding ? basename(plain, ending) : plain)].slice(0, longestName).join('');
  const isDevice = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)$/i.test(stem.split('.')[0] ?? '');
  return `${isDevice ? '_' : ''}${stem || 'file'}${isEnding ? ending : ''}`;
}

/**
 * Checks that inputs for files are files that were uploaded.
 * @throws EngineError `flow.bad-inputs`
 */
export async function refuseOtherFiles(workspace: string, docs: InputDocs, inputs: JsonMap): Promise<void> {
  const misfits: InputMisfit[] = [];
  for (const [name, doc] of Object.entries(docs)) {
    if (doc.format !== 'file' || !Object.hasOwn(inputs, name)) continue;
    const value = inputs[name];
    const paths = isJsonList(value ?? null) ? (value as readonly unknown[]) : [value];
    const problem = await problemOf(workspace, paths, doc);
    if (problem !== undefined) misfits.push({ name, message: `The input "${name}" ${problem}` });
  }
  if (misfits.length === 0) return;
  const message = misfits.map((misfit) => misfit.message).join(' ');
  throw new EngineError({ code: 'flow.bad-inputs', message, details: misfits.map((misfit) => ({ ...misfit })) });
}

async function problemOf(
  workspace: string,
  paths: readonly unknown[],
  { accept }: InputDoc,
): Promise<string | undefined> {
  if (paths.length > mostFiles) return `must have at most ${mostFiles} files.`;
  for (const path of paths) {
    const [, id = '', file = ''] = uploadPath.exec(String(path)) ?? [];
    if (typeof path !== 'string' || id === '' || !(await isUploaded(workspace, id, file)))
      return 'must be the path of a file that was uploaded to this address. Uploaded files are kept for 30 days.';
    const endings = accept?.toLowerCase().split(/, ?/) ?? [];
    if (endings.length > 0 && !endings.includes(extname(file).toLowerCase()))
      return `must be a file whose name ends with ${accept}.`;
  }
  return undefined;
}

async function isUploaded(workspace: string, id: string, file: string): Promise<boolean> {
  if (cleanFileName(file) !== file) return false;
  const found = inUploads(workspace, async (uploads) => {
    const folder = await uploads.folder(id);
    const state = await folder.stat(file).finally(() => folder.close());
    return state?.isFile() === true;
  });
  return await found.catch((error: unknown) => {
    if (isMissing(error)) return false;
    throw error;
  });
}

async function removeOld(workspace: string, now: number): Promise<void> {
  await inUploads(workspace, async (uploads) => {
    for (const { name } of await uploads.list()) {
      const state = await uploads.stat(name);
      if (state === undefined || !state.isDirectory() || now - state.mtimeMs < keptMs) continue;
      const folder = await uploads.folder(name);
      for (const file of await folder.list()) await folder.removeFile(file.name);
      await folder.close();
      await uploads.removeFolder(name);
    }
  });
}

async function inUploads<T>(workspace: string, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const real = join(await realpath(workspace), ...folderName.split('/'));
  const folder = await systemHolder.hold(real, 'made').catch((error: unknown) => {
    throw toWriteError(error, folderName);
  });
  try {
    ignoreInGit(join(real, '..'));
    return await use(folder);
  } finally {
    await folder.close();
  }
}

function tooLarge(most: number): EngineError {
  return new EngineError({ code: 'http.too-large', message: `The file is larger than ${most} bytes.` });
}

function tooMany(): EngineError {
  const message = 'Too many files were uploaded to this address within an hour. Try again later.';
  return new EngineError({ code: 'http.too-many', message });
}
