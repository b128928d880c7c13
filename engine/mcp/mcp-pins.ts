/**
 * Which tools of MCP servers a person has agreed to: `millrace/mcp-tools.json` in the base folder,
 * `{ "version": 1, "workspaces": { "/real/path": { "server": { "tool": "<SHA-256>" } } } }`. It is the person's, never the workspace's.
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

/** A tool of a server, and what names its present form. */
export interface PinnedTool {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  /** `hashOfTool` of what the server says of it. */
  readonly hash: string;
}

/** `new`: nobody has agreed to it. `changed`: somebody has, to another form of it. */
export type PinState = 'pinned' | 'changed' | 'new';

export interface McpPins {
  /** What cannot be read has pinned nothing. */
  stateOf(tool: PinnedTool): Promise<PinState>;
  /** Remembers that a person has agreed to this form. @throws EngineError `mcp.pins-unreadable`; the system's error */
  pin(tool: PinnedTool): Promise<void>;
}

const hashes = z.record(z.string(), z.string());
const pinsFile = z.object({ version: z.literal(1), workspaces: z.record(z.string(), z.record(z.string(), hashes)) });
type PinsFile = z.infer<typeof pinsFile>;

interface PinsOptions {
  /** Absolute. */
  readonly baseFolder: string;
  /** Absolute; remembered by its real path. */
  readonly workspace: string;
  readonly clock: Clock;
}

/** Before each call it is asked for; milliseconds. */
const readAgainMs = 1_000;

/** Makes the list of one workspace; nothing is read yet. */
export function createMcpPins({ baseFolder, workspace, clock }: PinsOptions): McpPins {
  const file = join(baseFolder, 'millrace', 'mcp-tools.json');
  const folder = realFolder(workspace);
  let known: { readonly pins: Promise<PinsFile>; readonly readAt: number } | undefined;
  const recent = async (): Promise<PinsFile> => {
    if (known === undefined || Math.abs(clock.now() - known.readAt) >= readAgainMs)
      known = { pins: read(file).catch(() => nothing), readAt: clock.now() };
    return await known.pins;
  };
  return {
    async stateOf({ server, tool, hash }) {
      const { workspaces } = await recent();
      const pinned = ownOf(ownOf(ownOf(workspaces, folder), server), tool);
      return pinned === undefined ? 'new' : pinned === hash ? 'pinned' : 'changed';
    },
    async pin({ server, tool, hash }) {
      const signal = new AbortController().signal;
      await withFileLock(`${file}.lock`, { clock, signal, shown: 'mcp-tools.json' }, async () => {
        const { workspaces } = await read(file);
        const servers = ownOf(workspaces, folder) ?? {};
        const tools = { ...ownOf(servers, server), [tool]: hash };
        const next: PinsFile = {
          version: 1,
          workspaces: { ...workspaces, [folder]: { ...servers, [server]: tools } },
        };
        await writeFileAtomically(file, `${JSON.stringify(next, null, 2)}\n`);
      });
      known = undefined;
    },
  };
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

const nothing: PinsFile = { version: 1, workspaces: {} };

async function read(file: string): Promise<PinsFile> {
  try {
    return pinsFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw new EngineError({
      code: 'mcp.pins-unreadable',
      message: `Which tools of MCP servers you have agreed to cannot be read (${file}). Mend the file, or delete it and agree anew.`,
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
