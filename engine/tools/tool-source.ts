/**
 * Where tools come from, and what the executor runs.
 */
import { EngineError } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { didYouMean } from '../flowspec/nearest.ts';
import type { RunGate } from '../kernel/effect.ts';
import { type ToolDescription, type ToolScope, unknownToolCode } from '../kernel/tool-capability.ts';
import type { ToolErrorCategory } from '../kernel/tool-event.ts';

/** One attempt of a call: who calls, and until when. */
export interface ToolContext extends ToolScope {
  readonly callKey: string;
  /** What effects of the tool itself pass, beside the call; absent where no rules are set. */
  readonly gate?: RunGate;
  /** From 1. */
  readonly attempt: number;
  /** Hands on what stands beside the result for whoever calls, such as the status of an answer. */
  readonly note: (metadata: JsonMap) => void;
}

/** How calls of a tool are limited. Absent = not. */
export interface ToolLimits {
  /** Milliseconds for each attempt. */
  readonly timeoutMs?: number;
  /** Attempts after the first; only where the tool is idempotent. */
  readonly maxRetries?: number;
  /** Calls within any 60 seconds, in this engine. */
  readonly callsPerMinute?: number;
  /** Milliseconds for which equal calls get the same result. */
  readonly cacheMs?: number;
}

/** A person's consent to calls of a tool in the workspace, which holds until the tool changes or the consent is withdrawn. */
export interface ToolPin {
  /** Identifies the present form of the tool. */
  readonly hash: string;
  /** `earlier`: allowed by a version of Millrace that did not ask for how long. */
  state(): Promise<PinState>;
  /** Records the consent. @param at when the person gave it, in epoch milliseconds; ignored if it was withdrawn since */
  pin(at: number): Promise<void>;
}

export type PinState = 'pinned' | 'changed' | 'earlier' | 'new';

/** A tool that the executor can run. */
export interface RunnableTool {
  readonly description: ToolDescription;
  readonly limits?: ToolLimits;
  /** It changes nothing anywhere, so that it may run where no effect is allowed. */
  readonly onlyReads?: true;
  /**
   * One attempt. Parameters fit the schema of the tool.
   * @returns JSON
   * @throws ToolFailure | EngineError; the signal's reason when it aborts
   */
  run(params: JsonMap, context: ToolContext): Promise<JsonValue>;
  /** The tool that it calls with the same parameters: rules hold for that one as well, and parameters fit its schema too. */
  readonly standsFor?: ToolDescription;
  /** Of tools that somebody else may change: a person approves each call until they allow the tool, as it is, for the workspace. */
  readonly pin?: ToolPin;
}

/** Tools of one kind of place. */
export interface ToolSource {
  /**
   * Those that are known, for which nothing is started.
   * @param group only those whose names begin with it and a dot, all of them: whatever has them is started for this
   */
  list(group?: string): Promise<readonly RunnableTool[]>;
  /** One by its whole name; undefined = it has none of that name. */
  find(name: string): Promise<RunnableTool | undefined>;
}

interface FailureDetails {
  /** Whether the same call may succeed later; by default what the category says. */
  readonly isRetryable?: boolean;
  readonly cause?: unknown;
}

/** Why a tool has failed, in the words of the envelope. */
export class ToolFailure extends Error {
  readonly category: ToolErrorCategory;
  readonly isRetryable: boolean;

  constructor(category: ToolErrorCategory, message: string, { isRetryable, cause }: FailureDetails = {}) {
    super(message, { cause });
    this.name = 'ToolFailure';
    this.category = category;
    this.isRetryable = isRetryable ?? retryable.has(category);
  }
}

const retryable: ReadonlySet<ToolErrorCategory> = new Set(['rate_limit', 'timeout', 'server_error']);

/** Several sources as one; of two tools of one name, that of the earlier source counts. */
export function joinSources(sources: readonly ToolSource[]): ToolSource {
  return {
    async list(group) {
      const lists = await Promise.all(sources.map((source) => source.list(group)));
      const byName = new Map<string, RunnableTool>();
      for (const tool of lists.flat()) {
        if (!byName.has(tool.description.name)) byName.set(tool.description.name, tool);
      }
      return [...byName.values()];
    },
    async find(name) {
      for (const source of sources) {
        const tool = await source.find(name);
        if (tool !== undefined) return tool;
      }
      return undefined;
    },
  };
}

/**
 * The tools that names mean.
 * @param names each may end in `.*`
 * @throws EngineError `tool.unknown`
 */
export async function describeTools(source: ToolSource, names: readonly string[]): Promise<readonly ToolDescription[]> {
  const found = new Map<string, ToolDescription>();
  for (const name of names) {
    if (name.endsWith('.*')) {
      const group = name.slice(0, -2);
      const matching = (await source.list(group)).filter((tool) => tool.description.name.startsWith(`${group}.`));
      if (matching.length === 0) throw unknownTool(name, namesOf(await source.list()));
      for (const { description } of matching) found.set(description.name, description);
      continue;
    }
    const tool = await source.find(name);
    if (tool === undefined) throw unknownTool(name, namesOf(await source.list()));
    found.set(name, tool.description);
  }
  return [...found.values()];
}

function namesOf(tools: readonly RunnableTool[]): readonly string[] {
  return tools.map(({ description }) => description.name);
}

/** @param known names that there are */
export function unknownTool(name: string, known: readonly string[]): EngineError {
  const groups = [...new Set(known.filter((one) => one.includes('.')).map((one) => `${one.split('.')[0]}.*`))];
  return new EngineError({
    code: unknownToolCode,
    message: `There is no tool "${name}".${didYouMean(name, name.endsWith('.*') ? groups : known)} \`millrace tools\` lists all that there are.`,
    details: { tool: name },
  });
}
