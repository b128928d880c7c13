/**
 * The tools of MCP servers that a person has allowed in a workspace: `millrace/mcp-tools.json` in the base folder,
 * `{ "version": 2, "workspaces": { "/real/path": { "server": { "tool": { "hash": "<SHA-256>", "at": 1764300000000 } } } } }`. In place of
 * a hash, `withdrawnAt` says when the person took it back. It is the person's file, never the workspace's. In version 1 of the file a
 * tool had its hash only: those were written by every approval, so they are kept, and asked about once more.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { withFileLock } from '../files/file-lock.ts';
import type { PinState } from '../tools/tool-source.ts';

/** A tool of a server, and what names its present form. */
export interface PinnedTool {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  /** `hashOfTool` of what the server says of it. */
  readonly hash: string;
}

/** A tool that a person has allowed in the workspace. */
export interface AllowedTool {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  /** When it was allowed, in epoch milliseconds; absent = by an earlier version, which did not ask for how long: it asks again. */
  readonly at?: number;
}

export interface McpPins {
  /** A file that cannot be read allows nothing. */
  stateOf(tool: PinnedTool): Promise<PinState>;
  /**
   * Allows the tool in its present form, unless that was withdrawn after `at`.
   * @param at when the person allowed it, in epoch milliseconds
   * @throws EngineError `mcp.pins-unreadable`; the system's error
   */
  pin(tool: PinnedTool, at: number): Promise<void>;
  /** The allowed tools of the workspace, by name. */
  list(): Promise<readonly AllowedTool[]>;
  /** @throws as `pin` */
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
type Consent = z.infer<typeof consent>;

interface PinsOptions {
  /** Absolute. */
  readonly baseFolder: string;
  /** Absolute; remembered by its real path. */
  readonly workspace: string;
  readonly clock: Clock;
}

/** The file is read before each call, at most this often; milliseconds. */
const readAgainMs = 1_000;

/** Makes the list of one workspace; reads nothing yet. */
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
    next: (former: Consent | undefined) => Consent | undefined,
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

function stateIn(given: Consent | undefined, hash: string): PinState {
  if (typeof given === 'string') return given === hash ? 'earlier' : 'changed';
  if (given === undefined || 'withdrawnAt' in given) return 'new';
  return given.hash === hash ? 'pinned' : 'changed';
}

/** What a person agrees to, as a hash: the same whatever order the keys of the schema have. */
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
      message: `The list of MCP tools that you have allowed cannot be read (${file}). Fix the file, or delete it to be asked again.`,
      cause: error,
    });
  }
}

function ownOf<Value>(map: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whichever way leads there. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
