/**
 * What is said of a pack.
 */
import type { Pack } from '../stores/workspace/packs.ts';

/** Whose it is, in one or two words. */
export function originText({ origin, isBuiltIn }: Pack): string {
  if (isBuiltIn) return 'built-in';
  if (origin === 'workspace') return 'this workspace';
  return origin === 'custom' ? 'yours' : 'installed';
}

/** The same as a sentence, with where it came from. */
export function originSentence(pack: Pack): string {
  const { origin, isBuiltIn, source, installedAt } = pack;
  if (isBuiltIn) return 'Came with Millrace.';
  if (origin === 'workspace') return 'Lies in this workspace.';
  if (origin === 'custom') return 'One of your own packs.';
  const day = installedAt === undefined ? '' : ` on ${dayOf(installedAt)}`;
  return source === undefined ? `Installed${day}.` : `Installed from ${source}${day}.`;
}

function dayOf(moment: string): string {
  return new Date(moment).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

/** Only what was put there by installing can be taken away again from here. */
export function isRemovable({ origin, isShadowed }: Pack): boolean {
  return origin === 'installed' && !isShadowed;
}

/** A pack of the workspace or of the person's own is theirs to change; built-in ones come with the program. */
export function isUpdatable({ origin, isBuiltIn, problem }: Pack): boolean {
  return origin === 'installed' && !isBuiltIn && problem === undefined;
}

/** The name of an agent among those of its pack: `in-place` of `demo@proof/in-place`; the pack's own name means `main`. */
export function agentNameIn({ ref }: Pack, agent: string): string {
  if (agent === ref) return 'main';
  return agent.startsWith(`${ref}/`) ? agent.slice(ref.length + 1) : agent;
}
