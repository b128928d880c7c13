/**
 * Provides an engine's agents: finds them, runs their scripts, and determines what these may do.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { IdSource, SessionId } from '../../base/ids.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import type { CompileScripts } from '../../language/flow/flow-scripts.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { TeamSource } from '../../packs/team/find-team.ts';
import { createPackAdmission } from '../../packs/team/pack-admission.ts';
import { teamModelsOf } from '../../packs/team/team-rules.ts';
import type { AgentPreview } from '../../runtime/agent/preview-agent.ts';
import type { DecidingFiles } from '../../runtime/governance/deciding-places.ts';
import type {
  AgentCaller,
  AgentLocation,
  Capabilities,
  SharedCapabilities,
} from '../../runtime/kernel/capabilities/capabilities.ts';
import type { EffectPolicy } from '../../runtime/kernel/capabilities/effect.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { commandEnvironment } from '../../world/command/command-environment.ts';
import { systemHolder, whileOpen } from '../../world/files/folders/folder-holder.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import type { FileInfoValue, HostCalls } from '../../world/lua/host-calls.ts';
import { readOptionLayers } from '../../world/model/model-settings.ts';
import type { CallingScript, ScriptHostOptions, WrittenByRuns } from '../../world/script/script-host-options.ts';
import { createAgentCaller } from '../executor/agent-caller.ts';
import { AgentRuns, type AgentSource } from '../executor/agent-runs.ts';
import type { FindUnseen } from '../executor/unseen-texts.ts';
import { AgentPreviews, type PreviewAgent } from '../plans/agent-previews.ts';
import { createLazyScripts } from './lazy-scripts.ts';
import { scriptContextOf, tmpFolderOf } from './script-context.ts';
import type { ScriptService } from './script-service.ts';

export interface AgentServiceOptions {
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
  readonly capabilities: Omit<SharedCapabilities, 'agents' | 'pureAgents' | 'code'>;
  /** Environment variables for scripts' commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTrusted: () => Promise<boolean>;
  /** See `EngineOptions.confinesReading`. */
  readonly confinesReading: boolean;
  /** Absolute paths of folders that scripts can never access, even if trusted. */
  readonly privateFolders: readonly string[];
  /** Time limit for each script in milliseconds; null for no limit. */
  readonly scriptTimeoutMs: number | null;
  /** Resolves when the bundled packs are available in the search path for agents. */
  readonly whenBaseIsReady: () => Promise<void>;
  /** The team settings. */
  readonly team: TeamSource;
  /** See `ScriptHostOptions.answersFromCassette`. */
  readonly answersFromCassette?: true;
  /** See `ScriptHostOptions.recordCommand`. */
  readonly recordCommand?: ScriptHostOptions['recordCommand'];
  /** Replaces the files on disk. */
  readonly files?: Partial<Pick<ScriptHostOptions, 'holder' | 'realPathOf' | 'trash' | 'written'>>;
  /** Records what scripts write. */
  readonly written: WrittenByRuns;
  /** Finds texts that no person has seen. */
  readonly unseen: FindUnseen;
  /** Files that scripts may not change. */
  readonly deciding: DecidingFiles;
  /** The policy for effects of scripts. */
  readonly policy: EffectPolicy;
  /** Returns the secrets that scripts of an agent may request. @param file absolute path of the agent */
  readonly openSecrets: (file: string) => ScriptSecrets;
}

/** Operations that agent editors use. */
export interface AgentEditing {
  /**
   * Shows the request that an agent would send for one of its inputs. Scripts run as in a dry run and change nothing.
   * No person is asked, and nothing is recorded. A second preview of the same agent ends the first one.
   * @throws EngineError as `startAgent` does, `pack.not-found` for a missing pack, `agent.bad-inputs` if no file
   * matches; `run.cancelled` if it was ended, `agent.preview-too-long` after 5 minutes, `agent.preview-untrusted` for
   * an automatic preview in an untrusted workspace, before any script has run
   */
  previewAgent(request: PreviewAgent): Promise<AgentPreview>;
  /**
   * Validates the scripts in the text of an agent file without running them. Problems that `parseAgent` finds are not
   * repeated.
   * @throws EngineError `lua.*` if there is no interpreter
   */
  checkAgent(text: string): Promise<readonly Diagnostic[]>;
  /**
   * Compiles flow scripts without running them. Returns each script's error, or null if it compiles.
   * @throws EngineError `js.*` | `lua.*` if there is no interpreter
   */
  checkScripts(...scripts: Parameters<CompileScripts>): ReturnType<CompileScripts>;
}

export interface AgentService {
  readonly runs: AgentRuns;
  readonly agents: Capabilities['agents'];
  /**
   * Compiles scripts before flows start. If the compiler itself fails, the flow is not rejected, but reports the error
   * at run time.
   */
  readonly compileScripts: CompileScripts;
  /** Runs flow scripts in the same workers. */
  readonly code: Capabilities['code'];
  /** Runs agents written as classes. */
  readonly runModule: ScriptService['runModule'];
  readonly source: AgentSource;
  /** Lists files as inputs; see `listInputFiles`. */
  readonly listInputs: (globs: readonly string[], folder: string) => ReturnType<typeof listInputFiles>;
  /** See `Engine.watchAgent`. */
  readonly watch: (agent: string, listener: () => void) => Promise<() => void>;
  /** Operations that agent editors use. */
  readonly forEditors: AgentEditing;
  /** Stops running scripts. */
  close(): Promise<void>;
}

/** Maximum size of an agent file in bytes. */
const maxAgentBytes = 4 * 1024 * 1024;

/** Creates the service. Nothing is read or started before the first agent runs. */
export function createAgentService(options: AgentServiceOptions): AgentService {
  const { workspace, baseFolder, clock, ids, sessionId, capabilities } = options;
  const folders = { workspace, baseFolder };
  const mayReadAnywhere = async (): Promise<boolean> => !options.confinesReading || (await options.isTrusted());
  const admitPlace = async (place: AgentLocation): Promise<string | undefined> =>
    (await mayReadAnywhere())
      ? undefined
      : await (await import('../../world/script/agents-inside.ts')).placeInside(place, folders);
  const admitPack = createPackAdmission(baseFolder, options.team);
  const source: AgentSource = {
    async findAgent(name, from) {
      await options.whenBaseIsReady();
      const { findAgent } = await import('../../packs/pack/find-agent.ts');
      const place = await findAgent(name, { ...folders, from });
      await admitPack(place);
      await admitPlace(place);
      return place;
    },
    readAgentText: async (place, admitted) => {
      const { file, shownPath } = place;
      const reading = { maxBytes: maxAgentBytes, shownPath };
      const real = admitted ?? (await admitPlace(place));
      if (real === undefined) return await readTextFile(file, reading);
      return await whileOpen(systemHolder, { real, shown: shownPath }, (open) => readTextFile(open, reading));
    },
    readAgentSchemas: async ({ file }, names) => {
      // The agent itself was already admitted. Its files are in its workspace, pack or folder.
      const { readSchemaFiles } = await import('../workspace/schema-files.ts');
      return await readSchemaFiles(names, { file, workspace, mayLieOutside: true });
    },
    readOptionLayers: async () => readOptionLayers({ ...folders, team: () => teamModelsOf(options.team()) }),
  };
  const world = scriptWorldOf(options, (params, caller, signal) => callAgent({ agents, params, caller }, signal));
  const scriptContext = scriptContextOf(options);
  const { scripts, code, runModule, probe, check, close } = createLazyScripts(world, {
    scriptContext,
    timeoutMs: options.scriptTimeoutMs,
    openSecrets: options.openSecrets,
  });
  const runs = new AgentRuns({
    ...source,
    clock,
    capabilities: { ...capabilities, scripts },
    scriptContext,
    scriptTimeoutMs: options.scriptTimeoutMs,
    openSecrets: options.openSecrets,
    openDryRun: async () => new (await import('../../world/script/dry-run.ts')).ScriptDryRun(world),
    contentHash: capabilities.hash.sha256,
    unseen: options.unseen,
  });
  const admitForNode = async (place: AgentLocation, caller: AgentCaller): Promise<string> => {
    const { admitAgentOfNode } = await import('./admit-agent-of-node.ts');
    return await admitAgentOfNode(place, caller, world);
  };
  const agents = createAgentCaller(runs, { ...source, workspace, clock, ids, admitForNode });
  const listInputs: AgentService['listInputs'] = (globs, folder) =>
    listInputFiles(globs, folder, async (placed) => {
      const { listAsPerson } = await import('../../world/script/list-as-person.ts');
      return await listAsPerson({ ...world, isTrusted: mayReadAnywhere }, placed);
    });
  const previews = new AgentPreviews(runs, {
    ...source,
    ...{ workspace, ids, clock, sessionId, isTrusted: options.isTrusted },
    listInputFiles: listInputs,
  });
  return {
    ...{ runs, agents, code, runModule, source, listInputs },
    compileScripts: (texts) => check(texts).catch(() => []),
    forEditors: {
      previewAgent: (request) => previews.preview(request),
      checkScripts: (texts) => check(texts),
      async checkAgent(text) {
        const [{ checkAgent }, { createTemplateRenderer }] = await Promise.all([
          import('../../language/agent/check-agent.ts'),
          import('../../world/template/template-renderer.ts'),
        ]);
        return await checkAgent(text, { scripts: probe, template: createTemplateRenderer('agent').problemOf });
      },
    },
    async close() {
      await previews.close();
      await close();
    },
    async watch(agent, listener) {
      const { watchAgent } = await import('./agent-watch.ts');
      return await watchAgent(await source.findAgent(agent, workspace), listener, clock);
    },
  };
}

function scriptWorldOf(
  { sessionId, capabilities, env, clock, answersFromCassette, recordCommand, files, ...options }: AgentServiceOptions,
  runAgent: ScriptHostOptions['runAgent'],
): ScriptHostOptions {
  const { workspace, baseFolder, privateFolders, isTrusted, policy, deciding, written } = options;
  return {
    ...{ workspace, baseFolder, privateFolders, isTrusted, policy, deciding, written },
    homeFolder: homedir(),
    tmpFolder: tmpFolderOf({ workspace, sessionId }),
    async packPath(reference) {
      const { resolvePackPath } = await import('../../packs/pack/pack-locator.ts');
      return await resolvePackPath(reference, { workspace, baseFolder });
    },
    async trash(path, putBackTo) {
      const { moveToTrash } = await import('../../world/files/trash.ts');
      await moveToTrash(path, { env, clock }, putBackTo);
    },
    web: capabilities.web,
    ...(answersFromCassette === true ? { answersFromCassette } : {}),
    ...(recordCommand === undefined ? {} : { recordCommand }),
    ...files,
    environment: commandEnvironment(env),
    runAgent,
  };
}

interface AgentCallOfScript {
  readonly agents: Capabilities['agents'];
  readonly params: HostCalls['agent.run']['params'];
  readonly caller: CallingScript;
}

/**
 * Runs an agent for a script. If the called agent requests a redo, this is only reported; the script decides what to
 * do.
 */
async function callAgent(
  { agents, params: { name, inputs, options, agentBaseDir }, caller: { scope, admit } }: AgentCallOfScript,
  signal: AbortSignal,
): Promise<HostCalls['agent.run']['result']> {
  const { hub, depth, isDry, dryRun, place, calls, flows } = scope;
  const call = {
    agent: name,
    inputs,
    baseFolder: agentBaseDir ?? folderOf(place.file),
    ...(options === undefined ? {} : { options }),
  };
  try {
    const { outputs, afterAll, redoRequested } = await agents.run(call, {
      hub,
      signal,
      depth: depth + 1,
      isDry,
      dryRun,
      followsRedo: false,
      admit,
      ...(calls === undefined ? {} : { calls }),
      ...(flows === undefined ? {} : { flows }),
    });
    return { outputs: outputs === null ? null : [...outputs], afterAll, redoRequested };
  } catch (thrown) {
    signal.throwIfAborted();
    throw callFailed(name, thrown);
  }
}

function callFailed(name: string, thrown: unknown): EngineError {
  const record = toErrorRecord(thrown);
  const isMissing = record.code === 'agent.not-found' || record.code === 'pack.not-found';
  const message = `Failed to ${isMissing ? 'find' : 'run'} agent '${name}': ${record.message}`;
  return new EngineError({ ...record, message });
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'), 1));
}

/** Lists files by globs. Relative paths are inside the workspace. */
type ListFiles = (globs: readonly string[]) => Promise<readonly FileInfoValue[]>;

/**
 * Returns the matching files, in the order of the globs. A bare name (without `*`, and not preceded by `./` or `/`) is
 * searched for in all subfolders.
 * @param folder absolute base folder of relative globs
 */
async function listInputFiles(
  globs: readonly string[],
  folder: string,
  list: ListFiles,
): Promise<readonly JsonValue[]> {
  const files = await list(globs.map((glob) => placed(glob, folder)));
  return files.map((file) => ({ ...file }));
}

function placed(glob: string, folder: string): string {
  if (isAbsolute(glob)) return glob;
  const isBare = !glob.includes('*') && !glob.startsWith('./') && !glob.startsWith('../');
  return join(folder, isBare ? `**/${glob}` : glob);
}
