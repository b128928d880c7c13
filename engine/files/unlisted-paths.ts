/**
 * What no list of a workspace's files shows.
 */
import { skippedFolders } from './walk-files.ts';

/** What an atomic write leaves for a moment, or for ever after a crash. */
const draftName = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** Scripts of agents keep what they need for one session there. */
const sessionFolder = '.aipack/.session';

/**
 * True for what programs keep for themselves, and all below it.
 * @param path relative to the workspace, with `/`
 */
export function isUnlisted(path: string): boolean {
  const parts = path.split('/');
  if (parts.some((part) => skippedFolders.has(part) || draftName.test(part))) return true;
  return path === sessionFolder || path.startsWith(`${sessionFolder}/`);
}
