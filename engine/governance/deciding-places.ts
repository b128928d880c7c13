/**
 * The one list of deciding places: files that a loader finds by their place or name, and that say what runs may do or what they load. No run
 * changes them (rule `deciding-file`). A loader that finds a file by its place must be on this list; a test compares the two.
 */

import type { DecidingFile } from '../kernel/effect.ts';

/** What happens to a path: a file is made or changed there, it goes away with all that it holds, or something is moved there. */
export type PathChange = 'write' | 'remove' | 'arrive';

/** Finds the deciding files that changes would touch. */
export interface DecidingFiles {
  /** @param real absolute, links followed; of what is removed the path of the name itself. @returns undefined when none is touched */
  find(real: string, change: PathChange): Promise<DecidingFile | undefined>;
}

/** The folder that the pattern of a place begins in. */
export type DecidingRoot = 'workspace' | 'base';

interface DecidingPlace {
  readonly root: DecidingRoot;
  /** Names from the root on: `*` is any name, `*.x` any name with that ending, a first `**` any folders, a last `**` everything below. */
  readonly pattern: string;
  /** What messages call it, with its article. */
  readonly what: string;
  /** Runs of other products do not load it. */
  readonly isOfProduct?: true;
}

/** Kinds that not every run loads, as messages call them. */
export const catalogueKind = 'the catalogue of a conversation';
export const skillKind = 'a skill';
export const cassetteKind = 'a cassette';
/** What a catalogue names, wherever it is. */
export const conversationKind = 'a file that a conversation runs on';

/** `millrace/` of the base folder and `.millrace/` of a workspace are not listed: no run writes there, whatever a policy says. */
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

/** Characters that some file systems leave out when they compare names. */
const ignored = /\p{Cf}/gu;

/** Nothing in it but its case needs folding. */
const plainName = /^[\w-]+(?:\.+[\w-]+)*$/;

/** A place as it is compared. */
export interface PlacePattern extends Pick<DecidingPlace, 'what' | 'isOfProduct'> {
  readonly segments: readonly string[];
}

/** The patterns that begin in a root. */
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
 * A name as the most lenient file system compares it: without case, in one Unicode form, without trailing dots and blanks, and without what
 * follows a colon. A workspace moves between systems, so every system compares like this.
 */
export function foldName(name: string): string {
  if (plainName.test(name)) return name.toLowerCase();
  const plain = name.normalize('NFKC').replace(ignored, '').toUpperCase().toLowerCase().normalize('NFKC');
  return plain.replace(/:.*$/s, '').replace(/[. ]+$/, '') || plain;
}

/** True when a name matches one segment of a pattern. Both are folded. */
export function matchesSegment(segment: string, name: string): boolean {
  if (segment === '*') return true;
  return segment.startsWith('*') ? name.endsWith(segment.slice(1)) : segment === name;
}

/** Folders in which no loader looks for names: they hold the files of other programs, or of one session. */
const unread: ReadonlySet<string> = new Set(['node_modules', '.session']);

/** How a path relates to a pattern: it is such a file, or a folder that could hold one. */
export type PlaceMatch = 'file' | 'above';

/**
 * Compares a path with a pattern.
 * @param names folded, from the folder on that the pattern begins in; none = that folder itself
 * @returns undefined when they have nothing to do with each other
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
