/**
 * Reads what the user has switched on: the lists in the base folder, which engines and the command line write.
 */
import { mkdirSync, readFileSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const enabledTriggers = z.object({
  /** Triggers by workspace, flow and ID. */
  workspaces: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
});

/** Published flows by name. */
const publishedFlows = z.object({ entries: z.record(z.string(), z.object({ workspace: z.string() })) });

const files = { triggers: 'triggers.json', published: 'published.json' } as const;

/** The user's lists, in `millrace/` of the base folder. */
export interface SwitchedOn {
  /** Returns the absolute paths of existing workspaces with a trigger that is on or a published flow, sorted. */
  listWorkspaces(): readonly string[];
  /** Returns the workspace of each published flow, as an absolute path. */
  listPublished(): readonly string[];
  /** Calls the listener when something has changed. A system that cannot watch the folder reports nothing. */
  watch(listener: () => void): void;
}

/** @param baseFolder absolute path */
export function readSwitchedOn(baseFolder: string): SwitchedOn {
  const folder = path.join(baseFolder, 'millrace');
  const listPublished = (): readonly string[] => {
    const { entries = {} } = publishedFlows.safeParse(jsonIn(path.join(folder, files.published))).data ?? {};
    return Object.values(entries).map(({ workspace }) => workspace);
  };
  return {
    listWorkspaces() {
      const { workspaces = {} } = enabledTriggers.safeParse(jsonIn(path.join(folder, files.triggers))).data ?? {};
      const hasTrigger = (flows: Record<string, object>): boolean =>
        Object.values(flows).some((triggers) => Object.keys(triggers).length > 0);
      const triggering = Object.entries(workspaces).flatMap(([workspace, flows]) =>
        hasTrigger(flows) ? [workspace] : [],
      );
      const all = new Set([...triggering, ...listPublished()]);
      return [...all].filter(isFolder).sort();
    },
    listPublished,
    watch(listener) {
      const names: ReadonlySet<string | null> = new Set([...Object.values(files), null]);
      try {
        // The folder is watched, because each change replaces a file.
        mkdirSync(folder, { recursive: true });
        const watcher = watch(folder, { persistent: false }, (_event, name) => {
          if (names.has(name)) listener();
        });
        watcher.on('error', () => watcher.close());
      } catch {
        // The list is then read only at the start and when the user switches the service on.
      }
    },
  };
}

/** Returns undefined if the file does not exist or is invalid. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
