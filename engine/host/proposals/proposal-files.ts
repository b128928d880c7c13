/**
 * Reads and writes the files of proposals in `.millrace/proposals`. Any program may have written to that folder, so
 * nothing in it is trusted, and symbolic links are not followed.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { ignoreInGit } from '../../history/store/open-workspace-store.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { seenText } from '../../language/json/shown-text.ts';
import { replaceFile } from '../../world/files/atomic-write.ts';
import { isMissing, toReadError, toWriteError } from '../../world/files/file-error.ts';
import { isFlowPath } from '../../world/files/flow-files.ts';
import { systemHolder } from '../../world/files/folders/folder-holder.ts';
import type { HeldFolder } from '../../world/files/folders/held-folder.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';
import { type Proposal, type ProposalSummary, proposalRecord } from './proposal.ts';

/** UTF-8 takes up to three bytes for a character of each of the two texts. */
const maxBytes = 2 * 3 * MAX_FLOW_TEXT_LENGTH + 64 * 1024;
/** Files after these in the order of their names are not read. */
const maxFiles = 1_000;
/** Nor are files after this number of bytes. */
const maxTotalBytes = 16 * MAX_FLOW_TEXT_LENGTH;

const folderName = '.millrace/proposals';

/** The content of the folder. */
interface ReadProposals {
  readonly proposals: readonly Proposal[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Returns a proposal without its texts. */
export function summaryOf({ version: _, base: __, text: ___, ...summary }: Proposal): ProposalSummary {
  return summary;
}

/** Returns the absolute path of the folder of proposals, which may not exist. */
export async function proposalFolder(workspace: string): Promise<string> {
  return join(await realpath(workspace), ...folderName.split('/'));
}

/** Reads all proposals, newest first. @throws EngineError `files.*` if the folder cannot be read */
export async function readProposals(workspace: string): Promise<ReadProposals> {
  const proposals: Proposal[] = [];
  const problems: { path: string; message: string }[] = [];
  const readAll = async (folder: HeldFolder): Promise<void> => {
    const names = (await folder.list()).map(({ name }) => name).filter((name) => name.endsWith('.json'));
    let [count, bytes] = [0, 0];
    for (const name of names.sort().slice(0, maxFiles)) {
      if (bytes > maxTotalBytes) break;
      count++;
      try {
        bytes += (await folder.stat(name))?.size ?? 0;
        const json = await readText(folder, name, `${folderName}/${name}`);
        proposals.push(await proposalIn(json, name, workspace));
      } catch (error) {
        problems.push({ path: `${folderName}/${name}`, message: toErrorRecord(error).message });
      }
    }
    const left = names.length - count;
    if (left > 0) problems.push({ path: folderName, message: `Too many proposals: ${left} files were not read.` });
  };
  await inFolder(workspace, readAll).catch(unlessMissing);
  return { proposals: proposals.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)), problems };
}

/** Reads one proposal. @throws EngineError `proposal.not-found` | `proposal.unreadable` | `files.*` */
export async function readOneProposal(workspace: string, id: string): Promise<Proposal> {
  if (!proposalRecord.shape.id.safeParse(id).success) throw notFound(id);
  try {
    const name = nameOf(id);
    const json = await inFolder(workspace, (folder) => readText(folder, name, `${folderName}/${name}`));
    return await proposalIn(json, name, workspace);
  } catch (error) {
    const isGone = isMissing(error) || (EngineError.is(error) && error.code === 'files.not-found');
    throw isGone ? notFound(id) : error;
  }
}

/** Writes a proposal atomically. @throws EngineError `files.*` */
export async function writeProposal(workspace: string, proposal: Proposal): Promise<void> {
  const name = nameOf(proposal.id);
  const shown = `${folderName}/${name}`;
  const content = `${JSON.stringify(proposal, null, 1)}\n`;
  const write = async (folder: HeldFolder): Promise<void> => {
    try {
      await replaceFile(folder, name, { content, shown });
    } catch (error) {
      throw toWriteError(error, shown);
    }
  };
  await inFolder(workspace, write, 'made');
}

/** Removes proposals. @throws EngineError `files.*` */
export async function removeProposals(workspace: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await inFolder(workspace, async (folder) => {
    for (const id of ids) await folder.removeFile(nameOf(id));
  });
}

function nameOf(id: string): string {
  return `${id}.json`;
}

async function proposalIn(json: string, name: string, workspace: string): Promise<Proposal> {
  const shownPath = `${folderName}/${name}`;
  const proposal = parse(json, shownPath);
  if (nameOf(proposal.id) !== name) throw unreadable(shownPath, `its "id" is ${proposal.id}`);
  if (contentHash(proposal.base) !== proposal.baseHash)
    throw unreadable(shownPath, 'its "baseHash" is not that of "base"');
  const { shown, isProtected } = await resolveInWorkspace(workspace, proposal.file);
  if (isProtected || shown !== proposal.file || !isFlowPath(shown))
    throw unreadable(shownPath, `its "file" is not the path of a flow in the workspace`);
  return { ...proposal, title: seenText(proposal.title, 200) || shown, by: seenText(proposal.by, 100) || '?' };
}

async function readText(folder: HeldFolder, name: string, shownPath: string): Promise<string> {
  try {
    const file = await folder.openFile(name, 'read', shownPath);
    try {
      return await readTextFile(file, { maxBytes, shownPath });
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toReadError(error, shownPath);
  }
}

function parse(json: string, shownPath: string): Proposal {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw unreadable(shownPath, 'it is not valid JSON');
  }
  const { data, error } = proposalRecord.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw unreadable(shownPath, `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'invalid'}`);
}

/** Creates the folder if `isMade`, together with the file that makes git ignore it. */
async function inFolder<T>(workspace: string, use: (folder: HeldFolder) => Promise<T>, isMade?: 'made'): Promise<T> {
  const real = await proposalFolder(workspace);
  let folder: HeldFolder;
  try {
    folder = await systemHolder.hold(real, isMade);
    if (isMade !== undefined) ignoreInGit(join(real, '..'));
  } catch (error) {
    if (isMade === undefined && isMissing(error)) throw error;
    throw isMade === undefined ? toReadError(error, folderName) : toWriteError(error, folderName);
  }
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function notFound(id: string): EngineError {
  return new EngineError({
    code: 'proposal.not-found',
    message: `Proposal "${id.slice(0, 100)}" does not exist. List the proposals to see their IDs.`,
  });
}

function unreadable(shownPath: string, problem: string): EngineError {
  return new EngineError({
    code: 'proposal.unreadable',
    message: `${shownPath} is not a proposal: ${problem}. Delete the file.`,
  });
}
