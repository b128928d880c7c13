/**
 * The list of deciding files: files that a loader finds by location or name and that determine what runs may do or
 * load. Runs cannot change them (rule `deciding-file`). The list must contain the files of every loader that finds a
 * file by location; a test compares the two.
 */

import type { DecidingFile } from '../kernel/capabilities/effect.ts';

/**
 * The change at a path: a file is created or changed, an entry is removed with its content, or an entry is moved there.
 */
export type PathChange = 'write' | 'remove' | 'arrive';

/** Finds the deciding files that a change would affect. */
export interface DecidingFiles {
  /**
   * @param real absolute path without symbolic links; for a removal, the path of the name itself. @returns undefined if
   * none is affected
   */
  find(real: string, change: PathChange): Promise<DecidingFile | undefined>;
}

/** The folder that the pattern is relative to. */
export type DecidingRoot = 'workspace' | 'base';

interface DecidingPlace {
  readonly root: DecidingRoot;
  /**
   * Path segments from the root: `*` matches any name, `*.x` any name with that extension, a leading `**` any folders,
   * and a trailing `**` everything below.
   */
  readonly pattern: string;
  /** Name used in messages, including its article. */
  readonly what: string;
  /** Runs of other products do not load it. */
  readonly isOfProduct?: true;
}

/** Kinds that not every run loads, by their names in messages. */
export const catalogueKind = 'the catalog of a conversation';
export const skillKind = 'a skill';
export const cassetteKind = 'a cassette';
/** A file that a catalog references, at any location. */
export const conversationKind = 'a file that a conversation uses';

/**
 * `millrace/` of the base folder and `.millrace/` of a workspace are not listed, because runs can never write there,
 * regardless of policies.
 */
const decidingPlaces: readonly DecidingPlace[] = [
  { root: 'workspace', pattern: 'millrace.policy.yaml', what: "the workspace's policy" },
  { root: 'workspace', pattern: 'products/*/policy.yaml', what: "a product's policy", isOfProduct: true },
  { root: 'workspace', pattern: 'products/*/manifest.yaml', what: "a product's manifest", isOfProduct: true },
  { root: 'workspace', pattern: 'products/*/agents/**', what: "a product's agent", isOfProduct: true },
  { root: 'workspace', pattern: 'products/*/tools/*.tool.yaml', what: 'a tool manifest' },
  { root: 'workspace', pattern: 'products/*/triggers.yaml', what: 'a list of triggers', isOfProduct: true },
  { root: 'workspace', pattern: 'tools/*.tool.yaml', what: 'a tool manifest' },
  { root: 'workspace', pattern: 'triggers.yaml', what: 'a list of triggers' },
  { root: 'workspace', pattern: '.mcp.json', what: 'the list of MCP servers' },
  { root: 'workspace', pattern: '.aipack/config.toml', what: "the workspace's settings" },
  { root: 'workspace', pattern: '.aipack/pack/**', what: 'part of a pack' },
  { root: 'workspace', pattern: 'packs.lock', what: "the list of the workspace's packs" },
  { root: 'workspace', pattern: '**/*.dialogue.yaml', what: catalogueKind },
  { root: 'workspace', pattern: '**/SKILL.md', what: skillKind },
  { root: 'workspace', pattern: '**/*.cassette.yaml', what: cassetteKind },
  { root: 'base', pattern: 'policy.yaml', what: 'your policy' },
  { root: 'base', pattern: 'config-user.toml', what: 'your settings' },
  { root: 'base', pattern: 'config-default.toml', what: 'the default settings' },
  { root: 'base', pattern: 'pack/**', what: 'part of an installed pack' },
];

/** Characters that some file systems ignore when they compare names. */
const ignored = /\p{Cf}/gu;

/** A name for which only case must be folded. */
const plainName = /^[\w-]+(?:\.+[\w-]+)*$/;

/** A location in the form used for comparison. */
export interface PlacePattern extends Pick<DecidingPlace, 'what' | 'isOfProduct'> {
  readonly segments: readonly string[];
}

/** Returns the patterns relative to a root. */
export function patternsIn(root: DecidingRoot): readonly PlacePattern[] {
  return patterns[root];
}

const patterns: Readonly<Record<DecidingRoot, readonly PlacePattern[]>> = {
  workspace: compile('workspace'),
  base: compile('base'),
};

function compile(root: DecidingRoot): readonly PlacePattern[] {
  return decidingPlaces
    .filter((place) => place.root === root)
    .map(({ pattern, ...place }) => ({ ...place, segments: pattern.split('/').map(foldName) }));
}

/**
 * Normalizes a name like the most lenient file system: without case, in one Unicode form, without trailing dots and
 * spaces, and without anything after a colon. Workspaces move between systems, so every system uses this comparison.
 */
export function foldName(name: string): string {
  if (plainName.test(name)) return name.toLowerCase();
  const plain = name.normalize('NFKC').replace(ignored, '').toUpperCase().toLowerCase().normalize('NFKC');
  return plain.replace(/:.*$/s, '').replace(/[. ]+$/, '') || plain;
}

/** Whether a name matches one segment of a pattern. Both must be folded. */
export function matchesSegment(segment: string, name: string): boolean {
  if (segment === '*') return true;
  return segment.startsWith('*') ? name.endsWith(segment.slice(1)) : segment === name;
}

/** Folders in which no loader looks for names, because they contain other programs' files or one session's files. */
const unread: ReadonlySet<string> = new Set(['node_modules', '.session']);

/** How a path relates to a pattern: it is such a file, or a folder that could contain one. */
export type PlaceMatch = 'file' | 'above';

/**
 * Compares a path with a pattern.
 * @param names folded names, relative to the pattern's root; empty for the root itself
 * @returns undefined if they are unrelated
 */
export function matchPlace(segments: readonly string[], names: readonly string[]): PlaceMatch | undefined {
  const [first = '', ...rest] = segments;
  const last = names.at(-1);
  if (first === '**' && rest.length === 0) return names.length > 0 ? 'file' : 'above';
  if (first === '**') {
    const isFound =
      last !== undefined && matchesSegment(rest[0] ?? '', last) && !names.some((name) => unread.has(name));
    return isFound ? 'file' : undefined;
  }
  const [name, ...below] = names;
  if (segments.length === 0) return name === undefined ? 'file' : undefined;
  if (name === undefined) return 'above';
  return matchesSegment(first, name) ? matchPlace(rest, below) : undefined;
}
