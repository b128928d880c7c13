/**
 * Text about a pack.
 */
import type { Pack } from '../stores/workspace/packs.ts';
import { language } from '../ui/language.ts';
import { text } from './text.ts';

/** Returns the origin of a pack in one or two words. */
export function originText({ origin, isBuiltIn }: Pack): string {
  if (isBuiltIn) return text.list.builtIn;
  if (origin === 'workspace') return text.list.ofWorkspace;
  return origin === 'custom' ? text.list.ofPerson : text.list.installed;
}

/** Returns the origin as a sentence, with the source of the pack. */
export function originSentence(pack: Pack): string {
  const { origin, isBuiltIn, source, installedAt } = pack;
  if (isBuiltIn) return text.pack.builtIn;
  if (origin === 'workspace') return text.pack.ofWorkspace;
  if (origin === 'custom') return text.pack.ofPerson;
  if (installedAt === undefined) {
    return source === undefined ? text.pack.installed : text.pack.installedFrom({ source });
  }
  const day = dayOf(installedAt);
  return source === undefined ? text.pack.installedOn({ day }) : text.pack.installedFromOn({ source, day });
}

function dayOf(moment: string): string {
  return new Date(moment).toLocaleDateString(language === 'de' ? 'de' : undefined, { dateStyle: 'medium' });
}

/** Only installed packs can be removed here. */
export function isRemovable({ origin, isShadowed }: Pack): boolean {
  return origin === 'installed' && !isShadowed;
}

/** Packs of the workspace and of the user are edited by the user. Built-in ones are part of the application. */
export function isUpdatable({ origin, isBuiltIn, problem }: Pack): boolean {
  return origin === 'installed' && !isBuiltIn && problem === undefined;
}

/**
 * Returns the name of an agent within its pack: `in-place` for `demo@proof/in-place`. The name of the pack alone refers
 * to `main`.
 */
export function agentNameIn({ ref }: Pack, agent: string): string {
  if (agent === ref) return 'main';
  return agent.startsWith(`${ref}/`) ? agent.slice(ref.length + 1) : agent;
}
