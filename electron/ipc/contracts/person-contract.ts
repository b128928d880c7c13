/**
 * Calls from main to an engine host that a page cannot make. Main makes them after the user has agreed in a system
 * dialog. Each call has the name of the `Engine` method that answers it.
 */

import { z } from 'zod';
import { call } from '../rpc.ts';
import { exportFormat, runId, runSummary } from '../run-summary.ts';
import { personEvaluation } from './evaluation-contract.ts';
import { readFlow } from './file-contract.ts';
import { personRetention, personSending } from './history-contract.ts';
import { allowedRun, findPermissions, permissionNeeds, waitingPermissions } from './permission-contract.ts';
import { personPublishing } from './publish-contract.ts';
import { listRemoteWorkspaces } from './remote-contract.ts';
import { listTools, toolResult, toolTrial } from './tool-contract.ts';
import { personTriggers } from './trigger-contract.ts';
import { acceptWritten, listWritten } from './undo-contract.ts';

const done = z.void();

export const providerKind = z.enum(['openai', 'anthropic', 'gemini', 'openai-compatible', 'ollama']);

export const providerName = z.string().min(1).max(200);

/** A provider as entered in the settings form. */
export const providerEntry = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z][\w-]*$/)
    .max(100),
  kind: providerKind,
  baseUrl: z.exactOptional(z.url({ protocol: /^https?$/ }).max(2000)),
  keyVariable: z.exactOptional(
    z
      .string()
      .regex(/^[A-Za-z_]\w*$/)
      .max(200),
  ),
});

export const packChange = z.object({
  ref: z.string(),
  version: z.string(),
  status: z.enum(['installed', 'updated', 'up-to-date', 'failed']),
  message: z.exactOptional(z.string()),
});

/** A pack name, or the address of an archive or a git repository. */
export const packSource = z.strictObject({ uri: z.string().min(1).max(4096) });

const newHost = z.object({
  provider: z.string(),
  host: z.string(),
  formerHost: z.exactOptional(z.string()),
  keyVariable: z.exactOptional(z.string()),
});

const filePath = z.string().min(1).max(4096);

export const secretName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/)
  .max(64);

/** Names of secrets, never values. */
export const secretList = z
  .array(
    z.object({
      name: z.string(),
      source: z.enum(['environment', 'file', 'vault']),
      hosts: z.array(z.string()).readonly(),
    }),
  )
  .readonly();

export const secretHost = z.strictObject({ name: secretName, host: z.string().min(1).max(260) });

/** A flow, identified by its file and the hash of its text, and the secrets it requests. */
export const secretWish = z.strictObject({
  path: z.string().min(1).max(4096),
  definitionHash: z.string().regex(/^[0-9a-f]{64}$/),
  names: z.array(secretName).min(1).max(100).readonly(),
});

/** Content of a file with names and values. */
export const envText = z.string().min(1).max(1_000_000);

export const secretValue = z.strictObject({ name: secretName, value: z.string().min(1).max(100_000) });

const leftProcesses = z
  .array(z.strictObject({ pid: z.int().positive(), command: z.string(), start: z.string() }))
  .readonly();

const replacedTeam = z.strictObject({
  team: z.string(),
  version: z.string(),
  change: z.enum(['newer', 'same', 'changed', 'older']),
});

export const personContract = {
  setTrust: call([z.boolean()], done),
  /** Returns what the user must consent to first; null if no consent is needed. */
  findNewHost: call(
    [
      z.union([
        z.strictObject({ save: providerEntry }),
        z.strictObject({ remove: providerName }),
        z.strictObject({ use: providerName }),
      ]),
    ],
    newHost.nullable(),
  ),
  saveProvider: call([providerEntry], done),
  removeProvider: call([providerName], done),
  allowKey: call([providerName], done),
  listSecrets: call([], secretList),
  setSecret: call([secretValue], done),
  removeSecret: call([z.strictObject({ name: secretName })], z.boolean()),
  allowSecretHost: call([secretHost], done),
  forgetSecretHost: call([secretHost], done),
  allowSecrets: call([secretWish], done),
  /** Returns the details for the consent dialog. */
  listWritten,
  acceptWritten,
  createPersonalPolicy: call([], z.object({ path: z.string(), isNew: z.boolean() })),
  installPack: call([packSource], packChange),
  inspectTeamPackage: call(
    [filePath],
    z.object({
      team: z.string(),
      version: z.string(),
      fingerprint: z.string(),
      packs: z.array(z.string()).readonly(),
      providers: z.array(z.string()).readonly(),
      trustedWorkspaces: z.array(z.string()).readonly(),
      settings: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
      contents: z.string(),
      replaces: z.exactOptional(replacedTeam),
    }),
  ),
  removeTeamPackage: call([], z.boolean()),
  installTeamPackage: call(
    [
      z.strictObject({
        file: filePath,
        fingerprint: z.string().length(64),
        contents: z.string().length(64),
        replaces: z.exactOptional(replacedTeam),
      }),
    ],
    done,
  ),
  ...personTriggers,
  ...personPublishing,
  ...personRetention,
  ...personEvaluation,
  /** Main reads what the user agrees to, because a page could show another text. */
  readFlow,
  /** Returns the details for the consent dialog. */
  listTools,
  /** `isAgreed` means that the user has agreed to this exact call. */
  tryTool: call([toolTrial.extend({ isAgreed: z.exactOptional(z.literal(true)) })], toolResult),
  /** Returns the details for the consent dialog. */
  getRun: call([runId], runSummary),
  deleteRun: call([runId], done),
  /** Returns the details for the consent dialog. */
  listLeftProcesses: call([runId], leftProcesses),
  endLeftProcesses: call([z.strictObject({ runId, processes: leftProcesses })], done),
  /** Exports to the absolute path of a file or folder that the user has chosen. Returns the written path. */
  /** Returns the details for the consent dialog. */
  waitingPermissions: call([runId], waitingPermissions),
  findPermissions,
  grantPermissions: call([permissionNeeds], done),
  allowWaiting: call([allowedRun], z.object({ runId: z.string() })),
  exportRun: call([runId, z.string().min(1), exportFormat], z.string()),
  ...personSending,
  listRemoteWorkspaces,
} as const;
