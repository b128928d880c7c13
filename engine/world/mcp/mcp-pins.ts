/**
 * The MCP tools that a person has allowed in a workspace: `millrace/mcp-tools.json` in the base folder, `{ "version":
 * 2, "workspaces": { "/real/path": { "server": { "tool": { "hash": "<SHA-256>", "at": 1764300000000 } } } } }`. A
 * withdrawn tool has `withdrawnAt` with the time instead of a hash. The file belongs to the user, never to the
 * workspace. In version 1 of the file a tool had only a hash, written by every approval; these entries are kept, but
 * the next call asks again.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { withFileLock } from '../files/file-lock.ts';
import type { PinState } from '../tools/tool-source.ts';

/** A server's tool, with the hash of its current definition. */
export interface PinnedTool {
  readonly server: string;
  /** The tool's name on the server. */
  readonly tool: string;
  /** `hashOfTool` of the server's description of the tool. */
  readonly hash: string;
}

/** A tool allowed in the workspace. */
export interface AllowedTool {
  readonly server: string;
  /** The tool's name on the server. */
  readonly tool: string;
  /**
   * When it was allowed, in epoch milliseconds. Absent for entries of an earlier version, which did not ask for a
   * duration; their next call asks again.
   */
  readonly at?: number;
}

export interface McpPins {
  /** Whether a tool is allowed. An unreadable file allows nothing. */
  stateOf(tool: PinnedTool): Promise<PinState>;
  /**
   * Allows the current form of the tool, unless it was withdrawn after `at`.
   * @param at when the person allowed it, in epoch milliseconds
   * @throws EngineError `mcp.pins-unreadable`; the system's error
   */
  pin(tool: PinnedTool, at: number): Promise<void>;
  /** Lists the workspace's allowed tools by name. */
  list(): Promise<readonly AllowedTool[]>;
  /** Withdraws the permission for a tool. @throws the same errors as `pin` */
  withdraw(tool: Pick<PinnedTool, 'server' | 'tool'>): Promise<void>;
}

const consent = z.union([
  z.string(),
  z.object({ hash: z.string(), at: z.number() }),
  z.object({ withdrawnAt: z.number() }),
]);
const tools = z.record(z.string(), consent);
const pinsFile = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  workspaces: z.record(z.string(), z.record(z.string(), tools)),
});
type PinsFile = z.infer<typeof pinsFile>;
type ToolConsentRecord = z.infer<typeof consent>;

interface PinsOptions {
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  /** Absolute path of the workspace; stored as its real path. */
  readonly workspace: string;
  readonly clock: Clock;
}

/** Minimum time between two reads of the file, in milliseconds. It is read before calls. */
const readAgainMs = 1_000;

/** Creates one workspace's list without reading the file. */
export function createMcpPins({ baseFolder, workspace, clock }: PinsOptions): McpPins {
  const file = join(baseFolder, 'millrace', 'mcp-tools.json');
  const folder = realFolder(workspace);
  let known: { readonly pins: Promise<PinsFile>; readonly readAt: number } | undefined;
  const recent = async (): Promise<PinsFile> => {
    if (known === undefined || Math.abs(clock.now() - known.readAt) >= readAgainMs)
      known = { pins: read(file).catch(() => nothing), readAt: clock.now() };
    return await known.pins;
  };
  const change = async (
    { server, tool }: Pick<PinnedTool, 'server' | 'tool'>,
    next: (former: ToolConsentRecord | undefined) => ToolConsentRecord | undefined,
  ): Promise<void> => {
    const signal = new AbortController().signal;
    await withFileLock(`${file}.lock`, { clock, signal, shown: 'mcp-tools.json' }, async () => {
      const { workspaces } = await read(file);
      const servers = ownOf(workspaces, folder) ?? {};
      const former = ownOf(servers, server);
      const made = next(ownOf(former, tool));
      if (made === undefined) return;
      const all = { ...servers, [server]: { ...former, [tool]: made } };
      const written: PinsFile = { version: 2, workspaces: { ...workspaces, [folder]: all } };
      await writeFileAtomically(file, `${JSON.stringify(written, null, 2)}\n`);
    });
    known = undefined;
  };
  return {
    async stateOf({ server, tool, hash }) {
      const { workspaces } = await recent();
      return stateIn(ownOf(ownOf(ownOf(workspaces, folder), server), tool), hash);
    },
    pin: (pinned, at) =>
      change(pinned, (former) =>
        typeof former === 'object' && 'withdrawnAt' in former && former.withdrawnAt >= at
          ? undefined
          : { hash: pinned.hash, at },
      ),
    async list() {
      const { workspaces } = await read(file).catch(() => nothing);
      return Object.entries(ownOf(workspaces, folder) ?? {})
        .flatMap(([server, all]) =>
          Object.entries(all).flatMap(([tool, one]): AllowedTool[] => {
            if (typeof one === 'string') return [{ server, tool }];
            return 'hash' in one ? [{ server, tool, at: one.at }] : [];
          }),
        )
        .sort((a, b) => (`${a.server}.${a.tool}` < `${b.server}.${b.tool}` ? -1 : 1));
    },
    withdraw: (tool) => change(tool, (former) => (former === undefined ? undefined : { withdrawnAt: clock.now() })),
  };
}

function stateIn(given: ToolConsentRecord | undefined, hash: string): PinState {
  if (typeof given === 'string') return given === hash ? 'earlier' : 'changed';
  if (given === undefined || 'withdrawnAt' in given) return 'new';
  return given.hash === hash ? 'pinned' : 'changed';
}

/** Returns a hash of the definition that a person approves. It does not depend on the schema's key order. */
export function hashOfTool(said: unknown): string {
  return createHash('sha256').update(canonical(said)).digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const nothing: PinsFile = { version: 2, workspaces: {} };

async function read(file: string): Promise<PinsFile> {
  try {
    return pinsFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw new EngineError({
      code: 'mcp.pins-unreadable',
      message: `The list of MCP tools that you have allowed cannot be read (${file}). Fix the file, or delete it; Millrace then asks again.`,
      cause: error,
    });
  }
}

function ownOf<Value>(map: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Resolves symbolic links, so that every path to the folder is the same. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
