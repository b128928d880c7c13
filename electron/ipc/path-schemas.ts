/**
 * Paths in calls from a window.
 */
import { z } from 'zod';

/** What the engine looks up itself: a file, which it refuses outside the workspace, or runs recorded under that path. */
export const askedPath = z.string().min(1).max(4096);

/** What is written, or recorded and redone later: in the workspace by its very text. */
export const workspacePath = askedPath.refine(staysInside, 'must be relative to the workspace and stay inside it');

/** Neither absolute on any system nor led out by `..`. */
function staysInside(path: string): boolean {
  return !(/^(?:[\\/]|[a-z]:[\\/])/i.test(path) || path.includes('\0') || path.split(/[\\/]/).includes('..'));
}
