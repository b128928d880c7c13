/**
 * Which keys run which command: the usual ones, unless the person chose others.
 */
import type { Command } from './command.ts';

/** By id of the command; null = it has no keys. */
export type CustomKeys = Readonly<Record<string, string | null>>;

/** All shortcuts of a command, the first to be shown; a chosen one takes the place of all usual ones. */
export function keysOf({ id, shortcut, aliases = [] }: Command, custom: CustomKeys): readonly string[] {
  const chosen = custom[id];
  if (chosen === null) return [];
  if (chosen !== undefined) return [chosen];
  return shortcut === undefined ? aliases : [shortcut, ...aliases];
}

/** Shortcuts that several commands have, with the ids of those; the first of them in the list would run. */
export function keyConflicts(commands: readonly Command[], custom: CustomKeys): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const command of commands) {
    for (const keys of keysOf(command, custom)) users.set(keys, [...(users.get(keys) ?? []), command.id]);
  }
  return new Map([...users].filter(([, ids]) => ids.length > 1));
}
