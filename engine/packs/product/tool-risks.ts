/**
 * Determines the risk of a workspace's tools from their manifests, for validation without running anything.
 */
import { join } from 'node:path';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import type { ParsedFlow } from '../../language/flow/parse-flow.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { riskFindings } from '../../language/steps/lint-steps.ts';
import { type ToolDescription, wholeToolNames } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { ManifestReader, type ToolFolder } from '../../world/tools/read-manifests.ts';
import { findProducts } from './find-products.ts';

/**
 * Returns warnings about steps that call high-risk tools without an earlier approval. @param path relative to the
 * workspace with `/`
 */
export async function findRiskyTools(
  { steps, problemRange }: ParsedFlow,
  { workspace, path }: { readonly workspace: string; readonly path: string },
): Promise<readonly Diagnostic[]> {
  // Nothing is read for flows without tools.
  if (steps?.steps.some(({ tool }) => tool !== undefined) !== true) return [];
  const risks = await risksOfTools(workspace);
  const product = productOfPath(path);
  const riskOf = (tool: string): ToolDescription['risk'] | undefined =>
    wholeToolNames(tool, product).flatMap((name) => risks.get(name) ?? [])[0];
  return riskFindings(steps.steps, riskOf).map((finding) => {
    const { code, severity, message } = finding;
    const nodeId = steps.steps[Number(finding.path[1])]?.id;
    return { code, severity, message, range: problemRange(finding.path), ...(nodeId === undefined ? {} : { nodeId }) };
  });
}

/**
 * Returns the risks by the names that steps use: `<product>.<tool>` for products, and bare names for the workspace.
 * Omits manifests that cannot be read.
 * @param workspace absolute path
 */
async function risksOfTools(workspace: string): Promise<ReadonlyMap<string, ToolDescription['risk']>> {
  const own: ToolFolder = { folder: join(workspace, 'tools'), shown: 'tools', within: workspace };
  const ofProducts = (await findProducts(workspace)).map(
    ({ name, folder, path }): ToolFolder => ({
      ...{ folder: join(folder, 'tools'), shown: `${path}/tools` },
      ...{ within: workspace, product: name },
    }),
  );
  const reader = new ManifestReader();
  const risks = new Map<string, ToolDescription['risk']>();
  for (const folder of [own, ...ofProducts]) {
    for (const { parsed } of await reader.filesIn(folder)) {
      if (parsed.manifest === null) continue;
      const { tool_id: id, risk } = parsed.manifest;
      risks.set(folder.product === undefined ? id : `${folder.product}.${id}`, risk);
    }
  }
  return risks;
}
