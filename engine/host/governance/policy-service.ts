/**
 * Policy operations for users: lists the policies in effect, validates texts, and tests what a policy would have
 * denied.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import { type PolicyFile, type WorkspacePolicies, workspacePolicyName } from '../../packs/team/policy-files.ts';
import { parsePolicy } from '../../runtime/governance/parse-policy.ts';
import {
  invalidPolicy,
  layersOfProducts,
  type PolicyLayer,
  type PolicyProblem,
} from '../../runtime/governance/policy-layer.ts';
import { PolicyTrial, type TriedRefusal } from '../../runtime/governance/policy-trial.ts';
import type { RequestedEffect } from '../../runtime/kernel/capabilities/effect.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import { systemCodeOf, toWriteError } from '../../world/files/file-error.ts';
import type { RunHistoryReader } from '../reads/history.ts';

/** A recorded run that a policy would have restricted. */
export interface TriedRun {
  readonly runId: RunId;
  readonly name: string;
  /** Time in epoch milliseconds. */
  readonly startedAt: number;
  /** Refusals in log order; never empty. */
  readonly refusals: readonly TriedRefusal[];
}

export interface PolicyEngine {
  /** Lists policies in evaluation order: a later policy cannot override a refusal by an earlier one. */
  listPolicies(): Promise<readonly PolicyFile[]>;
  /**
   * Creates the user's own policy, which forbids nothing yet. An existing policy stays unchanged.
   * @throws EngineError `files.not-writable`
   */
  createPersonalPolicy(): Promise<{ readonly path: string; readonly isNew: boolean }>;
  /** Returns all problems in a policy's text, in order. */
  checkPolicy(text: string): Promise<readonly PolicyProblem[]>;
  /**
   * Returns what a policy would have denied in the latest 200 runs, newest first. Omits runs that it would not affect.
   * Runs nothing and changes nothing.
   * @param request text of a policy to use alone; if absent, uses all policies in effect
   * @throws EngineError `policy.invalid` with the first problem
   */
  tryPolicy(request: { readonly text?: string }): Promise<readonly TriedRun[]>;
}

const mostRuns = 200;

/** Maximum number of refusals reported for a run. A loop could otherwise cause any number of them. */
const mostRefusals = 100;

interface PolicySources {
  readonly policies: WorkspacePolicies;
  readonly history: RunHistoryReader;
  /** Returns the effects of tool servers for policies, by name. */
  readonly serverEffects: () => Promise<ReadonlyMap<string, RequestedEffect>>;
  /** Refreshes the workspace trust, which determines what its policies may grant. */
  readonly isTrusted: () => Promise<boolean>;
}

/** Creates the service based on the files and the history. */
export function createPolicyService({ policies, history, serverEffects, isTrusted }: PolicySources): PolicyEngine {
  return {
    async listPolicies() {
      await isTrusted();
      return policies.list();
    },
    async createPersonalPolicy() {
      const path = policies.personalPath;
      return { path, isNew: await createPersonalPolicy(path) };
    },
    // Only policies of the workspace and its products are validated while they are edited.
    checkPolicy: async (text) => parsePolicy(text, 'workspace').problems,
    async tryPolicy({ text }) {
      const given = text === undefined ? undefined : [layerOf(text)];
      const layersFor = (products: readonly string[]): readonly PolicyLayer[] => {
        const layers = given === undefined ? policies.current(products) : layersOfProducts(given, products);
        const unreadable = layers.find(({ policy }) => policy === undefined);
        if (unreadable !== undefined) throw brokenPolicy(unreadable);
        return layers;
      };
      layersFor([]);
      const servers = await serverEffects();
      const tried: TriedRun[] = [];
      for (const { runId, name, startedAt, sourcePath } of await history.listRuns({ limit: mostRuns })) {
        const refusals = await refusalsIn(runId, new PolicyTrial(layersFor(productsAt(sourcePath)), servers), history);
        if (refusals.length > 0) tried.push({ runId, name, startedAt, refusals });
        // Yields, so that a long history does not block other work.
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      return tried;
    },
  };
}

function layerOf(text: string): PolicyLayer {
  const { policy, problems } = parsePolicy(text);
  const layer = { scope: 'workspace', file: workspacePolicyName, policy } as const;
  return problems[0] === undefined ? layer : { ...layer, problem: problems[0] };
}

function brokenPolicy(layer: PolicyLayer): EngineError {
  return invalidPolicy(layer, layer.problem ?? { line: 1, column: 1, message: 'The policy cannot be read.' });
}

async function refusalsIn(
  runId: RunId,
  trial: PolicyTrial,
  history: RunHistoryReader,
): Promise<readonly TriedRefusal[]> {
  const refusals: TriedRefusal[] = [];
  for await (const page of readPages(history, runId)) {
    refusals.push(...page.flatMap((envelope) => trial.take(envelope)));
    if (refusals.length >= mostRefusals) break;
  }
  return refusals.slice(0, mostRefusals);
}

/** Forbids nothing until a line is uncommented. */
export const personalStarter = `# Your own policy. It applies to every run that you start, in all workspaces on this computer.
# It can only restrict: what it forbids, no workspace can allow. Changes apply at once, also to runs in progress.
# Remove the "# " from a line to use it.

# Ask before these tools are called:
# require_approval: ["mail.*"]

# Never use these tools, models or hosts:
# blocked_tools: [core.http_get]
# blocked_models: ["openai::*"]
# blocked_hosts: ["*.example.org"]

# Forbid whole kinds of effects:
# effects: { command: deny, delete: deny }

# Limits for each run:
# max_steps: 500
# max_tokens_per_run: 200000
# max_cost_usd_per_run: 1

# Refuse requests in which a page, a mail or a tool tries to give instructions to the model:
# prompt_injection: deny
`;

/**
 * Creates the file with comments only, or leaves an existing file unchanged.
 * @returns whether it is new
 * @throws EngineError `files.not-writable`
 */
export async function createPersonalPolicy(path: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, personalStarter, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'EEXIST') throw toWriteError(thrown, path);
  }
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return false;
  throw new EngineError({
    code: 'files.not-writable',
    message: `${path} is not a file, or a link to a file that is missing. Remove it, then create your policy again.`,
  });
}
