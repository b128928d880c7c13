/**
 * Sources of tools, and the tools that the executor runs.
 */
import { EngineError } from '../../base/engine-error.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { RunGate } from '../../runtime/kernel/capabilities/effect.ts';
import {
  type ToolDescription,
  type ToolScope,
  unknownToolCode,
} from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { ToolErrorCategory } from '../../runtime/kernel/events/tool-event.ts';

/** What a tool has done so far. All fields may come from another program. */
export interface ToolProgress {
  /** Number that grows. */
  readonly done?: number;
  readonly total?: number;
  readonly message?: string;
}

/** Context of one attempt of a call. */
export interface ToolContext extends ToolScope {
  readonly callKey: string;
  /** Gate for effects within the tool, in addition to the call itself; absent without a policy. */
  readonly gate?: RunGate;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Reports progress, which restarts the timeout. */
  readonly progress: (progress: ToolProgress) => void;
  /** Passes metadata to the caller in addition to the result, such as a response status. */
  readonly note: (metadata: JsonMap) => void;
}

/** Limits on a tool's calls; absent for none. */
export interface ToolLimits {
  /** Timeout of each attempt in milliseconds. */
  readonly timeoutMs?: number;
  /** Maximum number of retries; only for idempotent tools. */
  readonly maxRetries?: number;
  /** Maximum number of calls within any 60 seconds, in this engine. */
  readonly callsPerMinute?: number;
  /** Milliseconds for which equal calls return the cached result. */
  readonly cacheMs?: number;
}

/**
 * A person's consent to a tool's calls in the workspace. It applies until the tool changes or the consent is withdrawn.
 */
export interface ToolPin {
  /** Identifies the tool's current form. */
  readonly hash: string;
  /** `earlier`: allowed by a version of Millrace that did not ask for a duration. */
  state(): Promise<PinState>;
  /**
   * Records the consent. @param at when the person gave it, in epoch milliseconds; ignored if it has since been
   * withdrawn
   */
  pin(at: number): Promise<void>;
}

export type PinState = 'pinned' | 'changed' | 'earlier' | 'new';

/** A tool that the executor can run. */
export interface RunnableTool {
  readonly description: ToolDescription;
  readonly limits?: ToolLimits;
  /** The tool changes nothing, so it may run where no effects are allowed. */
  readonly onlyReads?: true;
  /**
   * Makes one attempt. The parameters match the tool's schema.
   * @returns JSON
   * @throws ToolFailure | EngineError; the signal's reason if it aborts
   */
  run(params: JsonMap, context: ToolContext): Promise<JsonValue>;
  /**
   * The tool that it calls with the same parameters. That tool's rules also apply, and parameters must also match its
   * schema.
   */
  readonly standsFor?: ToolDescription;
  /**
   * For tools that other people may change: a person approves each call until they allow the tool's current form for
   * the workspace.
   */
  readonly pin?: ToolPin;
}

/** A source of tools. */
export interface ToolSource {
  /**
   * Returns the tools known without starting anything.
   * @param group returns all tools with this prefix and a dot in their names, and starts their source if necessary
   */
  list(group?: string): Promise<readonly RunnableTool[]>;
  /** Returns a tool by its full name; undefined if the source does not have it. */
  find(name: string): Promise<RunnableTool | undefined>;
}

interface FailureDetails {
  /** Whether the same call may succeed later; the default depends on the category. */
  readonly isRetryable?: boolean;
  readonly cause?: unknown;
}

/** A tool failure with a category. */
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

/** Combines several sources. If two have a tool with the same name, the earlier source wins. */
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
 * Returns the tools with these names.
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

/** @param known existing names */
export function unknownTool(name: string, known: readonly string[]): EngineError {
  const groups = [...new Set(known.filter((one) => one.includes('.')).map((one) => `${one.split('.')[0]}.*`))];
  return new EngineError({
    code: unknownToolCode,
    message: `Tool "${name}" does not exist.${didYouMean(name, name.endsWith('.*') ? groups : known)} To list all tools, run \`millrace tools\`.`,
    details: { tool: name },
  });
}
