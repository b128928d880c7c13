/**
 * Lists and changes packs for a host program. The code is loaded on first use, because most runs use no packs.
 */
import type { Clock } from '../base/clock.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import { programVersion } from '../base/program-version.ts';
import { systemHolder, whileOpen } from '../world/files/folders/folder-holder.ts';
import { readTextFile } from '../world/files/read-text.ts';
import { findInWorkspace } from '../world/files/workspace-path.ts';
import { isWritable } from '../world/files/workspace-texts.ts';
import { builtinOptions } from '../world/model/model-settings.ts';
import { placeInside } from '../world/script/agents-inside.ts';
import type { InitBaseReport } from './pack/base-folder.ts';
import type { UpdateReport } from './pack/install/update.ts';
import { usesPacksLock } from './pack/packs-lock.ts';
import type { AgentFile, PackListing } from './pack-views.ts';
import type { TeamSource } from './team/find-team.ts';
import { packRulesOf } from './team/team-rules.ts';

/** The text of an agent file. */
export interface AgentText {
  readonly text: string;
  /** Absolute path. */
  readonly file: string;
  /** Path relative to the workspace with `/`; null if the file is elsewhere. */
  readonly path: string | null;
  /** Whether `writeFile` may replace the file, which is possible only in the workspace. */
  readonly isWritable: boolean;
}

/** The result of installing or updating a pack. */
export interface PackChange {
  readonly ref: string;
  readonly version: string;
  readonly status: 'installed' | 'updated' | 'up-to-date' | 'failed';
  /** Why it failed, or an additional note. */
  readonly message?: string;
}

/** The part of an engine that handles packs. */
export interface PackEngine {
  listPacks(): Promise<readonly PackListing[]>;
  /**
   * Installs a pack from its reference, a URL, a git repository or an `.aipack` file (absolute path).
   * @throws EngineError `pack.*`; the installed version stays unchanged
   */
  installPack(request: { readonly uri: string; readonly force?: boolean }): Promise<PackChange>;
  /** Checks the sources of one pack, or of all packs, for newer versions and installs them. */
  updatePacks(ref?: string): Promise<readonly PackChange[]>;
  /** Moves an installed pack to the trash. @throws EngineError `pack.not-found` | `pack.not-removable` */
  removePack(ref: string): Promise<void>;
  /** Returns the text of the pack's readme. @throws EngineError `pack.not-found` | `files.*` */
  readPackReadme(ref: string): Promise<{ readonly text: string }>;
  /** Returns the workspace's agent files, except those in packs, in path order. */
  listAgents(): Promise<readonly AgentFile[]>;
  /**
   * Reads an agent file without changes to its text. @throws EngineError `agent.not-found` | `pack.not-found` |
   * `files.*`
   */
  readAgent(agent: string): Promise<AgentText>;
}

export interface PackServiceOptions {
  readonly workspace: string;
  readonly baseFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Folder of the bundled packs; undefined if there are none. */
  readonly builtInPacks: string | undefined;
  /** Returns whether agents outside the workspace, the base folder and packs may be shown; if absent, they may. */
  readonly mayReadAnywhere?: () => Promise<boolean>;
  /** The team settings. */
  readonly team: TeamSource;
}

export interface PackService {
  readonly whenReady: () => Promise<void>;
  readonly installMissing: (reference: string, signal: AbortSignal) => Promise<string>;
  readonly engine: PackEngine;
}

const never = new AbortController().signal;
const maxTextBytes = 4 * 1024 * 1024;

/** Creates the part of an engine that handles packs. */
export function createPackService(world: PackServiceOptions): PackService {
  const { workspace, baseFolder } = world;
  const folders = { workspace, baseFolder };
  const listed = { ...folders, mayReadOutside: world.mayReadAnywhere };
  const whenReady = onceReady(world);
  const install = async (uri: string, force: boolean, signal: AbortSignal): Promise<PackChange> => {
    await whenReady();
    const { installPack } = await import('./pack/install/installer.ts');
    const options = { ...installWorldOf(world), signal, force };
    const { status, namespace, name, version, replacedVersion, lockProblem } = await installPack(uri, options);
    const isUpdate = status === 'installed' && replacedVersion !== undefined;
    return {
      ...{ ref: `${namespace}@${name}`, version, status: isUpdate ? 'updated' : status },
      ...(lockProblem === undefined ? {} : { message: lockProblem }),
    };
  };
  return {
    whenReady,
    installMissing: async (reference, signal) => (await install(reference, true, signal)).version,
    engine: {
      async listPacks() {
        await whenReady();
        const { listPackViews } = await import('./pack-views.ts');
        return await listPackViews(listed);
      },
      installPack: ({ uri, force = false }) => install(uri, force, never),
      async updatePacks(ref) {
        const { updatePacks } = await import('./pack/install/update.ts');
        return (await updatePacks(ref, { ...installWorldOf(world), ...folders, signal: never })).map(changeOf);
      },
      async removePack(ref) {
        const { uninstallPack } = await import('./pack/install/uninstall.ts');
        await uninstallPack(ref, { ...installWorldOf(world), ...folders });
      },
      async readPackReadme(ref) {
        await whenReady();
        const { readPackReadme } = await import('./pack-views.ts');
        return { text: await readPackReadme(ref, listed) };
      },
      async listAgents() {
        const { listAgentFiles } = await import('./pack-views.ts');
        return await listAgentFiles(workspace);
      },
      async readAgent(agent) {
        await whenReady();
        const { findAgent } = await import('./pack/find-agent.ts');
        const place = await findAgent(agent, { ...folders, from: workspace });
        const { file, shownPath } = place;
        const reading = { maxBytes: maxTextBytes, shownPath, signal: never, keepsMark: true } as const;
        const text =
          world.mayReadAnywhere === undefined || (await world.mayReadAnywhere())
            ? await readTextFile(file, reading)
            : await whileOpen(systemHolder, { real: await placeInside(place, folders), shown: shownPath }, (open) =>
                readTextFile(open, reading),
              );
        return { file, text, ...(await placeOf(workspace, file)) };
      },
    },
  };
}

async function placeOf(workspace: string, file: string): Promise<Pick<AgentText, 'path' | 'isWritable'>> {
  const place = await findInWorkspace(workspace, file);
  if (place === undefined) return { path: null, isWritable: false };
  return { path: place.shown, isWritable: await isWritable(place) };
}

function changeOf({ ref, status, from = '', to, error }: UpdateReport): PackChange {
  if (status === 'no-source') {
    return { ref, version: from, status: 'up-to-date', message: 'It is part of the program and is updated with it.' };
  }
  return { ref, status, version: to ?? from, ...(error === undefined ? {} : { message: error.message }) };
}

/** Returns the environment for installing, updating and unpacking packs, without a signal. */
export function installWorldOf({ baseFolder, workspace, env, clock, team }: PackServiceOptions) {
  const repository = env['MILLRACE_PACK_REPOSITORY'];
  return {
    ...{ baseFolder, env, clock, folder: workspace },
    ...(repository === undefined ? {} : { repository }),
    ...(usesPacksLock(workspace) ? { lock: { workspace } } : {}),
    ...packRulesOf(team()),
  };
}

/** Prepares the base folder for this version; see `initBase`. */
export async function setUpBase(
  { baseFolder, builtInPacks }: Pick<PackServiceOptions, 'baseFolder' | 'builtInPacks'>,
  { force }: { readonly force: boolean },
): Promise<InitBaseReport> {
  const { initBase } = await import('./pack/base-folder.ts');
  const resources = builtInPacks === undefined ? {} : { resources: builtInPacks };
  return await initBase({ baseFolder, version: programVersion, defaults: builtinOptions, force, ...resources });
}

async function installPacksOfTeam({ team, baseFolder }: PackServiceOptions): Promise<void> {
  const current = team();
  if (current === undefined) return;
  const { installTeamPacks } = await import('./team/package/install-team.ts');
  await installTeamPacks(current, baseFolder);
}

/**
 * Returns a function that installs the bundled packs once. If the folder cannot be written, for example for a user
 * without a home folder, only these packs are unavailable.
 */
function onceReady(world: PackServiceOptions): () => Promise<void> {
  let ready: Promise<void> | undefined;
  return () => {
    ready ??= (async () => {
      try {
        if (world.builtInPacks !== undefined) await setUpBase(world, { force: false });
      } catch (thrown) {
        process.emitWarning(`The bundled packs could not be installed: ${toErrorRecord(thrown).message}`);
      }
      try {
        await installPacksOfTeam(world);
      } catch (thrown) {
        process.emitWarning(`The packs of the team could not be installed: ${toErrorRecord(thrown).message}`);
      }
    })();
    return ready;
  };
}
