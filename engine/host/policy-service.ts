/**
 * What people ask of policies: which ones hold, whether a text is one, and what it would have refused.
 */
import type { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { History } from '../executor/history.ts';
import { productsAt } from '../flowspec/product-path.ts';
import { parsePolicy } from '../governance/parse-policy.ts';
import { invalidPolicy, layersOfProducts, type PolicyLayer, type PolicyProblem } from '../governance/policy-layer.ts';
import { PolicyTrial, type TriedRefusal } from '../governance/policy-trial.ts';
import type { AskedEffect } from '../kernel/effect.ts';
import { readPages } from '../kernel/read-run.ts';
import { createPersonalPolicy } from './personal-policy.ts';
import { type PolicyFile, type WorkspacePolicies, workspacePolicyName } from './policy-files.ts';

/** A run of the history that a policy would not have let go on as it did. */
export interface TriedRun {
  readonly runId: RunId;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** In the order of the log; never empty. */
  readonly refusals: readonly TriedRefusal[];
}

export interface PolicyEngine {
  /** In the order in which they are asked: what one refuses, no later one allows. */
  listPolicies(): Promise<readonly PolicyFile[]>;
  /**
   * Creates the person's own policy, which forbids nothing yet. One that exists stays as it is.
   * @throws EngineError `files.not-writable`
   */
  createPersonalPolicy(): Promise<{ readonly path: string; readonly isNew: boolean }>;
  /** Everything that is wrong with the text of a policy, in its order. */
  checkPolicy(text: string): Promise<readonly PolicyProblem[]>;
  /**
   * What a policy would have refused of the latest 200 runs, newest first; runs that it has nothing against are left out. Nothing is
   * run, and nothing changes.
   * @param request the text of a policy, alone; absent = all that hold at present
   * @throws EngineError `policy.invalid` with the first problem
   */
  tryPolicy(request: { readonly text?: string }): Promise<readonly TriedRun[]>;
}

const mostRuns = 200;

/** What of a run was refused is told this far; one that goes in circles would be refused without end. */
const mostRefusals = 100;

interface PolicySources {
  readonly policies: WorkspacePolicies;
  readonly history: History;
  /** What servers of tools are to policies, by name. */
  readonly serverEffects: () => Promise<ReadonlyMap<string, AskedEffect>>;
  /** Looks up the trust in the workspace, on which it depends what its policies may say. */
  readonly isTrusted: () => Promise<boolean>;
}

/** Answers from the files and the history. */
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
    // Only those of the workspace and its products are checked while they are written.
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
        // A long history is no reason for others to wait.
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

async function refusalsIn(runId: RunId, trial: PolicyTrial, history: History): Promise<readonly TriedRefusal[]> {
  const refusals: TriedRefusal[] = [];
  for await (const page of readPages(history, runId)) {
    refusals.push(...page.flatMap((envelope) => trial.take(envelope)));
    if (refusals.length >= mostRefusals) break;
  }
  return refusals.slice(0, mostRefusals);
}
