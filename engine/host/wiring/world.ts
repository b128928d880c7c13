/**
 * Creates the capabilities for nodes and agents by connecting all adapters.
 */
import { resolve } from 'node:path';
import type { EngineError } from '../../base/engine-error.ts';
import type { IdSource } from '../../base/ids.ts';
import { programVersion } from '../../base/program-version.ts';
import { dialedHostAndPort } from '../../base/web-address.ts';
import type { CassetteMode } from '../../history/cassette/cassette-player.ts';
import type { OpenedCassette } from '../../history/cassette/with-cassette.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { createPackAdmission } from '../../packs/team/pack-admission.ts';
import { createPolicies, withShortCache } from '../../packs/team/policy-files.ts';
import { teamModelsOf, withTeamPolicy } from '../../packs/team/team-rules.ts';
import type { DecidingFiles } from '../../runtime/governance/deciding-places.ts';
import { defaultEffectPolicy } from '../../runtime/governance/effect-policy.ts';
import { type PolicySource, withPolicies } from '../../runtime/governance/layered-policy.ts';
import { createWorkspaceGate } from '../../runtime/governance/workspace-gate.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { EffectPolicy } from '../../runtime/kernel/capabilities/effect.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry, type NodeRegistry, type RegistryOptions } from '../../runtime/nodes/node-registry.ts';
import { type AnswerReader, createAnswerReader } from '../../world/answers/answer-reader.ts';
import { commandEnvironment } from '../../world/command/command-environment.ts';
import { createCommandRunner } from '../../world/command/command-runner.ts';
import { systemHolder } from '../../world/files/folders/folder-holder.ts';
import { createWorkspaceFiles } from '../../world/files/workspace-files.ts';
import { findInWorkspace } from '../../world/files/workspace-path.ts';
import { WrittenFiles } from '../../world/files/written-files.ts';
import { createMcpService, type McpService } from '../../world/mcp/mcp-service.ts';
import { createModelRouter } from '../../world/model/model-router.ts';
import { withPathLock } from '../../world/script/path-locks.ts';
import type { WrittenByRuns } from '../../world/script/script-host-options.ts';
import { createTemplates } from '../../world/template/templates.ts';
import { createWebClient } from '../../world/web/web-client.ts';
import { type AgentService, createAgentService } from '../agents/agent-service.ts';
import { createPureAgentService, type PureAgentOptions } from '../agents/pure-agent-service.ts';
import { createDecidingFiles } from '../governance/deciding-files.ts';
import { withMaskedAnswers, withMaskedOutputs, withMaskedResponses } from '../governance/mask-keys.ts';
import { createPermissionEngine, createPermissions } from '../governance/permissions.ts';
import { createPrivateHosts, type PrivateHosts } from '../governance/private-hosts.ts';
import { createSecretService } from '../governance/secret-service.ts';
import { createWrittenByRuns } from '../governance/written-by-runs.ts';
import { CallerDesk } from '../triggers/caller-desk.ts';
import type { RecordChange } from '../undo/changed-files.ts';
import { createUndo } from '../undo/undo-engine.ts';
import { type CaseWorld, heldIn, scriptFilesIn, unseenIn, writesIn } from './case-world.ts';
import { createHome, type Home, type HomeOptions } from './home.ts';
import { createToolService } from './tool-service.ts';

/** The options; see `EngineOptions`. */
interface WorldPlace extends HomeOptions, RegistryOptions, PureAgentOptions {
  readonly ids: IdSource;
  readonly vault?: () => Readonly<Record<string, string>>;
  readonly privateFolders?: readonly string[];
  readonly scriptTimeoutMs?: number;
  readonly asksPermission?: true;
  readonly cassette?: { readonly file: string; readonly mode: CassetteMode };
  /** Set by the runner of tests, in place of `cassette`. */
  readonly caseWorld?: CaseWorld | undefined;
}

/** Node capabilities for running flows without an engine. */
export interface OpenedCapabilities {
  /** Capabilities that all runs have. `ask` belongs to a single run, and calling flows requires an engine. */
  readonly capabilities: SharedCapabilities;
  /** The built-in node types, and those in the options. */
  readonly registry: NodeRegistry;
  /** Stops workers and servers. */
  close(): Promise<void>;
}

/** Creates everything that runs need. @param onNote receives notices for the user */
export async function createWorld(place: WorldPlace, onNote: (note: EngineError) => void) {
  const { workspace, clock, ids } = place;
  const registry = createNodeRegistry(builtinNodes, place);
  const sessionId = ids.sessionId();
  const home = await createHome(place);
  const secrets = createSecretService({ ...secretOptions(place, home), onNote });
  const writtenFiles = new WrittenFiles({ baseFolder: home.baseFolder, clock });
  const policies = createPolicies({
    workspace,
    baseFolder: home.baseFolder,
    team: home.team,
    isTrusted: home.isTrustedNow,
    written: writtenFiles,
  });
  const ofTeam = withTeamPolicy(defaultEffectPolicy, withShortCache(home.team));
  const current = withShortCache(policies.current);
  const policy = withPolicies(ofTeam, current);
  const deciding = createDecidingFiles({
    ...{ workspace, baseFolder: home.baseFolder },
    others: () => [home.team()?.file ?? [], place.cassette?.file ?? []].flat().map((file) => resolve(file)),
  });
  const changing: RecordChange = (...change) => written.forScripts.changing(...change);
  const undo = createUndo({ workspace, baseFolder: home.baseFolder, clock, ids, changing });
  const written: ReturnType<typeof createWrittenByRuns> = createWrittenByRuns({
    ...{ workspace, deciding, baseFolder: home.baseFolder, written: writtenFiles, recording: undo.recording },
    ...{ policies: current, cassette: place.cassette && resolve(place.cassette.file) },
  });
  const forScripts = writesIn(place.caseWorld, written.forScripts);
  const privateHosts = createPrivateHosts({ workspace, clock, baseFolder: home.baseFolder });
  const callers = new CallerDesk();
  const { cassette, ...others } = await createCapabilities(
    { ...place, home, policy, policies: current, deciding, privateHosts, written: forScripts },
    onNote,
  );
  const parts = { ...others, callers };
  const mcp = createMcpService({
    ...{ workspace, clock, baseFolder: home.baseFolder, isTrusted: home.isTrusted, version: programVersion },
    ...{ openSecrets: secrets.forServers, env: home.env },
    held: heldIn(place, (path, text) => writtenFiles.held(path, text)),
    // A server is shared by all runs. A call that is denied because of it reports the rule.
    ...(parts.governance && { gate: parts.governance.open({ hub: { emit: () => undefined } }) }),
  });
  const tools = createToolService({
    ...{ workspace, clock, catalog: registry, mcp: await withRecordedTools(mcp.tools, cassette), ...parts },
    ...{ baseFolder: home.baseFolder, openSecrets: secrets.open, isTrusted: home.isTrusted },
    admitPack: createPackAdmission(home.baseFolder, home.team),
    held: heldIn(place, (path, text) => writtenFiles.held(path, text)),
    later: () => ({ agents: agents.agents, code: agents.code }),
  });
  const pureAgents = createPureAgentService({
    ...{ workspace, agents: place.agents ?? [], isTrusted: home.isTrusted },
    scriptTimeoutMs: place.scriptTimeoutMs ?? null,
    later: () => agents,
    onNote,
  });
  const live = { ...parts, tools };
  const agents: AgentService = createAgentService({
    ...{ workspace, clock, ids, sessionId, capabilities: live },
    ...{ baseFolder: home.baseFolder, env: home.env, isTrusted: home.isTrusted, whenBaseIsReady: home.whenReady },
    ...{ team: home.team, policy, deciding, openSecrets: secrets.forScripts },
    ...{ unseen: unseenIn(place.caseWorld, written.unseen), written: forScripts },
    files: scriptFilesIn(place.caseWorld, forScripts),
    ...(cassette === undefined ? {} : { recordCommand: cassette.recordCommand }),
    confinesReading: place.confinesReading === true,
    ...(place.cassette?.mode === 'replay' ? { answersFromCassette: true } : {}),
    scriptTimeoutMs: place.scriptTimeoutMs ?? null,
    privateFolders: place.privateFolders ?? [],
  });
  const capabilities = { ...live, agents: agents.agents, pureAgents: pureAgents.pureAgents, code: agents.code };
  return {
    pureAgents,
    permissions: createPermissionEngine({ settings: home.engine, secrets: secrets.engine, privateHosts }),
    registry,
    clock,
    ids,
    sessionId,
    home,
    agents,
    secrets,
    mcp,
    tools,
    policies,
    written,
    undo,
    ...{ callers, cassetteAnswers: cassette?.answers },
    unseen: unseenIn(place.caseWorld, written.unseen),
    admitStart: written.admitStart,
    capabilities,
    async close(): Promise<void> {
      for (const part of [agents, mcp, parts.answers, undo]) await part.close();
    },
  };
}

function secretOptions({ workspace, vault, bindsKeys, caseWorld }: WorldPlace, home: Home) {
  const { env, baseFolder, isTrusted } = home;
  const marks = caseWorld === undefined ? {} : { hasMarksOnly: () => !caseWorld.records() };
  return { workspace, env, baseFolder, isTrusted, vault, bindsHosts: bindsKeys === true, ...marks };
}

/** Wraps the tools of servers with a cassette, if there is one. */
async function withRecordedTools(
  tools: McpService['tools'],
  cassette: OpenedCassette | undefined,
): Promise<McpService['tools']> {
  if (cassette === undefined) return tools;
  // Loaded here, because few runs use a cassette.
  const { createCassetteTools } = await import('./cassette-tools.ts');
  return createCassetteTools(tools, cassette.player);
}

async function createCapabilities(
  options: WorldPlace & {
    readonly home: Home;
    readonly policy: EffectPolicy;
    readonly policies: PolicySource;
    readonly deciding: DecidingFiles;
    readonly written: WrittenByRuns;
    readonly privateHosts: PrivateHosts;
  },
  onNotice: (notice: EngineError) => void,
): Promise<
  Omit<SharedCapabilities, 'agents' | 'callers' | 'code' | 'pureAgents' | 'tools'> & {
    readonly answers: AnswerReader;
    readonly cassette?: OpenedCassette;
  }
> {
  const { workspace, clock, cassette, caseWorld, home, policy, policies, deciding, written, privateHosts } = options;
  const files = createWorkspaceFiles(workspace, caseWorld?.files ?? systemHolder, (real, write, rootRunId) =>
    withPathLock([real], () => written.changing({ rootRunId, writes: [real] }, write)),
  );
  const { baseFolder, keyOf, mayUseKey } = home;
  const isTrusted = (): boolean => home.isTrustedNow();
  const team = () => teamModelsOf(home.team());
  const secrets = home.modelKeys;
  const live = {
    files,
    model: withMaskedAnswers(
      createModelRouter({ baseFolder, workspace, isTrusted, team, keyOf, mayUseKey, clock, files }),
      secrets,
    ),
    templates: createTemplates(),
    web: withMaskedResponses(
      createWebClient({ mayReachPrivate: (url) => isTrusted() || privateHosts.includes(dialedHostAndPort(url)) }),
      secrets,
    ),
    // Requests answered by a cassette reach no server.
    ...(options.asksPermission === true && cassette === undefined && caseWorld?.records() !== false
      ? { permissions: createPermissions({ policy, workspace, privateHosts, isTrusted: home.isTrusted }) }
      : {}),
    commands: withMaskedOutputs(
      createCommandRunner({
        ...{ workspace, environment: commandEnvironment(home.env), isTrusted: home.isTrusted },
        policy,
      }),
      secrets,
    ),
    governance: createWorkspaceGate({
      ...{ policy, policies, workspace, isTrusted: home.isTrusted },
      async decidedBy(path) {
        // A path outside is rejected when it is written.
        const file = await findInWorkspace(workspace, path);
        return file === undefined ? undefined : await deciding.find(file.real, 'write');
      },
    }),
    hash: { sha256: contentHash },
    answers: createAnswerReader(),
  };
  if (cassette === undefined && caseWorld === undefined) return live;
  // Loaded here, because few runs use a cassette.
  const { withCassette, withPlayer } = await import('../../history/cassette/with-cassette.ts');
  if (cassette === undefined) return caseWorld === undefined ? live : withPlayer(live, caseWorld.player);
  return await withCassette(live, {
    ...cassette,
    file: resolve(cassette.file),
    secrets,
    onMiss: onNotice,
    onOdd: onNotice,
  });
}
