/**
 * Calls from a window to its engine host about agents, packs, models and trust. Part of `engine-contract.ts`.
 */
import { z } from 'zod';
import type { DiagnosticCode, JsonValue } from '../../../engine/isomorphic.ts';
import { call } from '../rpc.ts';
import { packChange, providerKind, secretList } from './person-contract.ts';
import { agentName, agentOptions, startAgentRequest } from './start-contract.ts';

const done = z.void();
const name = z.string().min(1).max(200);
const jsonValue = z.json() as z.ZodType<JsonValue>;

const agentFile = z.object({ agent: z.string(), file: z.string() });
const packListing = z.object({
  ref: z.string(),
  version: z.string(),
  origin: z.enum(['workspace', 'custom', 'installed']),
  isBuiltIn: z.boolean(),
  isShadowed: z.boolean(),
  folder: z.string(),
  source: z.exactOptional(z.string()),
  installedAt: z.exactOptional(z.string()),
  commit: z.exactOptional(z.string()),
  hasReadme: z.boolean(),
  agents: z.array(agentFile).readonly(),
  flows: z.array(z.string()).readonly(),
  problem: z.exactOptional(z.string()),
});

/** A started run, or work that a person has to approve first. */
const acceptedAgent = z.union([
  z.object({ runId: z.string() }),
  z.object({
    work: z.object({ workId: z.string(), kind: z.literal('install'), data: z.record(z.string(), jsonValue) }),
  }),
]);

const errorRecord = z.object({
  code: z.string(),
  message: z.string(),
  line: z.exactOptional(z.number()),
  stage: z.exactOptional(z.string()),
});

const agentPreview = z.object({
  end: z.enum(['asked', 'silent', 'skipped', 'waiting', 'redo', 'idle', 'failed']),
  error: z.exactOptional(errorRecord),
  reason: z.exactOptional(z.string()),
  inputNames: z.array(z.string()).readonly(),
  inputCount: z.number(),
  index: z.number(),
  input: jsonValue,
  data: jsonValue,
  dataMs: z.number(),
  model: z.exactOptional(z.object({ name: z.string(), resolved: z.string() })),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.string(),
        isCached: z.boolean(),
        attachments: z.array(z.string()).readonly(),
        filled: z.exactOptional(z.array(z.object({ start: z.number(), end: z.number() })).readonly()),
      }),
    )
    .readonly(),
  effects: z.array(z.object({ effect: z.string(), target: z.string() })).readonly(),
});

export const diagnostic = z.object({
  code: z.string() as unknown as z.ZodType<DiagnosticCode>,
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  range: z.object({ line: z.number(), column: z.number(), endLine: z.number(), endColumn: z.number() }),
  subject: z.exactOptional(z.string()),
  nodeId: z.exactOptional(z.string()),
});

/** The text of an agent file, up to the size that the engine reads. */
const agentText = z.string().max(4 * 1024 * 1024);

const modelName = z.string().min(1).max(500);
const modelSettings = z.object({
  file: z.string(),
  problem: z.exactOptional(z.string()),
  providers: z
    .array(
      z.object({
        name: z.string(),
        kind: providerKind,
        baseUrl: z.string(),
        keyVariable: z.string().nullable(),
        hasKey: z.boolean(),
        isKeyAllowed: z.boolean(),
        isBuiltIn: z.boolean(),
        lockedBy: z.exactOptional(z.string()),
        keyHelp: z.exactOptional(z.string()),
      }),
    )
    .readonly(),
  defaultModel: z.string().nullable(),
  defaultModelLockedBy: z.exactOptional(z.string()),
  providersLockedBy: z.exactOptional(z.string()),
  aliases: z.record(z.string(), z.string()),
});

const team = z.object({
  name: z.string(),
  contact: z.exactOptional(z.string()),
  file: z.string(),
  problems: z
    .array(
      z.object({
        severity: z.enum(['error', 'warning', 'info']),
        line: z.number(),
        column: z.number(),
        message: z.string(),
      }),
    )
    .readonly(),
  closed: z.array(z.string()).readonly(),
  settings: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  isInstalled: z.exactOptional(z.literal(true)),
});

const modelNames = z.array(z.string()).readonly();

export const agentContract = {
  listAgents: call([], z.array(agentFile).readonly()),
  listStepAgents: call([], z.array(z.object({ name: z.string(), path: z.string() })).readonly()),
  /** `path` is relative to the workspace if the file is inside it; otherwise null. */
  readAgent: call(
    [agentName],
    z.object({ text: z.string(), file: z.string(), path: z.string().nullable(), isWritable: z.boolean() }),
  ),
  startAgent: call([startAgentRequest], acceptedAgent),
  previewAgent: call(
    [
      z.strictObject({
        agent: agentName,
        text: z.exactOptional(agentText),
        inputs: z.exactOptional(z.array(jsonValue).max(1000)),
        files: z.exactOptional(z.array(z.string().max(4096)).max(1000)),
        options: z.exactOptional(agentOptions),
        index: z.number().int().min(0),
        isAutomatic: z.exactOptional(z.literal(true)),
      }),
    ],
    agentPreview,
  ),
  checkAgent: call([agentText], z.array(diagnostic).readonly()),
  checkScripts: call(
    [
      z
        .array(z.strictObject({ language: z.enum(['javascript', 'lua']), code: agentText }))
        .max(1000)
        .readonly(),
    ],
    z.array(z.object({ line: z.number(), message: z.string() }).nullable()).readonly(),
  ),
  confirmWork: call([name], acceptedAgent),
  cancelWork: call([name], done),

  listPacks: call([], z.array(packListing).readonly()),
  /** Updates one pack, or all of them. */
  updatePacks: call([name.optional()], z.array(packChange).readonly()),
  removePack: call([name], done),
  readPackReadme: call([name], z.object({ text: z.string() })),

  readModelSettings: call([], modelSettings),
  /** Null removes the default model. */
  setDefaultModel: call([modelName.nullable()], done),
  /** Null removes the alias. */
  setAlias: call([name, modelName.nullable()], done),
  testProvider: call(
    [name],
    z.object({ ok: z.boolean(), message: z.string(), models: z.exactOptional(z.array(z.string()).readonly()) }),
  ),
  listModels: call(
    [],
    z.object({
      defaultModel: z.string().nullable(),
      scripted: modelNames,
      used: modelNames,
      aliases: z.exactOptional(modelNames),
      priced: z.array(z.object({ model: z.string(), input: z.number(), output: z.number() })).readonly(),
    }),
  ),
  /** Null checks the default model. */
  checkModels: call(
    [z.array(modelName.nullable()).max(1000)],
    z
      .array(
        z.object({
          model: z.string().nullable(),
          code: z.string(),
          message: z.string(),
          provider: z.exactOptional(z.string()),
          variable: z.exactOptional(z.string()),
        }),
      )
      .readonly(),
  ),
  listSecrets: call([], secretList),
  readTrust: call([], z.object({ isTrusted: z.boolean(), lockedBy: z.exactOptional(z.string()) })),
  /** The team settings of this machine; null if there are none. */
  readTeam: call([], team.nullable()),
} as const;
