/**
 * Remembers which triggers a person has switched on: `millrace/triggers.json` in the base folder, never a file in the
 * workspace, because runs may write there.
 */
import { mkdirSync, watch } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { TriggerName } from '../../history/store/trigger-watch.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { withPathLock } from '../../world/script/path-locks.ts';
import { isWithin, realPathOf } from '../../world/script/script-paths.ts';

/** A trigger that a person has switched on. */
export interface EnabledTrigger {
  /** Hash of the flow, its triggers and everything it calls at that time. */
  readonly hash: string;
  /** Who switched it on. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Triggers by flow and ID. */
type EnabledFlows = Readonly<Record<string, Readonly<Record<string, EnabledTrigger>>>>;

interface EnabledFile {
  readonly version: 1;
  readonly workspaces: Readonly<Record<string, EnabledFlows>>;
}

/** The triggers of one workspace that are switched on. */
export interface EnabledTriggers {
  /** Returns all of them; none if the file is invalid. */
  read(): Promise<EnabledFlows>;
  /**
   * Switches a trigger on, or off if `enabled` is undefined.
   * @throws EngineError `trigger.list-inside` if the file is in the workspace
   */
  set(name: TriggerName, enabled: EnabledTrigger | undefined): Promise<void>;
  /**
   * Subscribes to changes of the list and of the trusted workspaces, also by other processes. Returns a function that
   * unsubscribes. A system that cannot watch the folder reports nothing.
   */
  watch(listener: () => void): () => void;
}

/** Finds a trigger by its own name only: an ID may be `constructor`. */
export function enabledIn(flows: EnabledFlows, { flow, trigger }: TriggerName): EnabledTrigger | undefined {
  const own = Object.hasOwn(flows, flow) ? (flows[flow] ?? {}) : {};
  return Object.hasOwn(own, trigger) ? own[trigger] : undefined;
}

/** Creates the list. @param baseFolder absolute; `millrace/` is created in it with the first entry */
export function createEnabledTriggers(workspace: string, baseFolder: string): EnabledTriggers {
  const file = join(baseFolder, 'millrace', 'triggers.json');
  const isInside = async (real: string): Promise<boolean> => isWithin(real, await realPathOf(file), { isGuard: true });
  return {
    async read() {
      const real = await realpath(workspace);
      if (await isInside(real)) return {};
      return (await readEnabled(file)).workspaces[real] ?? {};
    },
    async set({ flow, trigger }, enabled) {
      const real = await realpath(workspace);
      if (await isInside(real)) throw listInside(workspace, file);
      await withPathLock([file], async () => {
        const { workspaces } = await readEnabled(file);
        const flows = workspaces[real] ?? {};
        const { [trigger]: _former, ...others } = flows[flow] ?? {};
        const own = { ...flows, [flow]: enabled === undefined ? others : { ...others, [trigger]: enabled } };
        const next: EnabledFile = { version: 1, workspaces: { ...workspaces, [real]: own } };
        await writeFileAtomically(file, `${JSON.stringify(next, null, 2)}\n`);
      });
    },
    watch: (listener) => watchFolder(dirname(file), listener),
  };
}

/** The lists that decide whether a trigger may start a flow. */
const decidingLists: ReadonlySet<string | null> = new Set(['triggers.json', 'trusted.json', null]);

function watchFolder(folder: string, listener: () => void): () => void {
  try {
    // The folder is watched, because each change replaces a file.
    mkdirSync(folder, { recursive: true });
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (decidingLists.has(name)) listener();
    });
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

async function readEnabled(file: string): Promise<EnabledFile> {
  try {
    const parsed = JSON.parse(await readFile(file, 'utf8')) as Partial<EnabledFile> | null;
    return { version: 1, workspaces: typeof parsed?.workspaces === 'object' ? parsed.workspaces : {} };
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return { version: 1, workspaces: {} };
    throw error;
  }
}

function listInside(workspace: string, file: string): EngineError {
  return new EngineError({
    code: 'trigger.list-inside',
    message: `${workspace} contains ${file}, the list of triggers that are on, so its triggers cannot be switched on. Open a smaller folder.`,
  });
}
