/**
 * A conversation with the assistant about one file, and how the window keeps it.
 */
import { z } from 'zod';
import type { EngineArgs, EngineResult } from '../../bridge/engine-client.ts';

/** Text, or a link that selects a node. `node` is its ID or, in a loop, its path in the run. */
const factPart = z.union([z.string(), z.object({ node: z.string(), words: z.exactOptional(z.string()) })]);

/** The form in which earlier versions have kept sentences. */
const formerSentence = z
  .object({ before: z.string(), node: z.exactOptional(z.string()), after: z.string() })
  .transform(({ before, node, after }) => [before, ...(node === undefined ? [] : [{ node }]), after]);

/** A sentence about facts. */
const factSentence = z.union([z.array(factPart), formerSentence]).readonly();

export type FactPart = Readonly<z.output<typeof factPart>>;
export type FactSentence = readonly FactPart[];

const entry = z.object({
  by: z.enum(['person', 'assistant']),
  text: z.string().max(100_000),
  proposal: z.exactOptional(z.object({ id: z.string(), title: z.string() })),
  problem: z.exactOptional(z.string()),
  /** An explanation from facts. No model has made it, and none receives it. */
  facts: z.exactOptional(z.array(factSentence)),
  tokens: z.exactOptional(z.number()),
  costUsd: z.exactOptional(z.number()),
});

/** A message of the person, or an answer with what came of it. */
export type TalkEntry = Readonly<z.output<typeof entry>> & {
  /** What was sent with a message. Kept as long as the window. */
  readonly sent?: SentContext;
};

/** A request in progress. */
export interface OpenRequest {
  readonly id: string;
  /** The answer so far. */
  readonly text: string;
  /** The tools that the model has called, in order. */
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly costUsd?: number;
  cancel(): void;
}

/** What a request sends, and what it is about. */
export type SentContext = EngineResult<'previewAssistance'> & { readonly subject: EngineArgs<'previewAssistance'>[0] };

export interface Talk {
  readonly entries: readonly TalkEntry[];
  readonly unsent: string;
  readonly request: OpenRequest | null;
  /** What would be sent, while it is shown. */
  readonly sent: SentContext | null;
  /** Whether the message is sent when the person confirms what is shown. */
  readonly isConfirming: boolean;
}

export const emptyTalk: Talk = { entries: [], unsent: '', request: null, sent: null, isConfirming: false };

/** Entries that are kept. */
const mostEntries = 60;

function keyOf(folder: string, path: string): string {
  return JSON.stringify(['assistant', folder, path]);
}

/** Reads the entries that an earlier window has kept. Anything unreadable counts as none. */
export function readEntries(folder: string, path: string): readonly TalkEntry[] {
  try {
    return z.array(entry).parse(JSON.parse(localStorage.getItem(keyOf(folder, path)) ?? '[]'));
  } catch {
    return [];
  }
}

/** Keeps the entries in the storage of the window. Without space, they last as long as the window. */
export function keepEntries(folder: string, path: string, entries: readonly TalkEntry[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(keyOf(folder, path));
    else
      localStorage.setItem(
        keyOf(folder, path),
        JSON.stringify(entries.slice(-mostEntries).map(({ sent: _, ...kept }) => kept)),
      );
  } catch {
    // The storage is full.
  }
}

/** Returns the paths of the files in a folder with kept conversations. */
export function keptPaths(folder: string): readonly string[] {
  return Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith('["assistant",')) return [];
    const [, at, path] = JSON.parse(key) as readonly string[];
    return at === folder && path !== undefined ? [path] : [];
  });
}
