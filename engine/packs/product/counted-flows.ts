/**
 * Determines which product files count as its flows: those listed in the manifest or, without a list, every flow file
 * in the folder `flows`.
 */
import type { DiagnosticCode, TextRange } from '../../language/findings/diagnostic.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import { flowNameOfFile } from '../../language/flow/product-path.ts';
import type { ProductFile, ProductProblem } from './product.ts';
import { type ManifestFlow, manifestName, type ProductManifest } from './product-manifest.ts';

/** The flows of a product. */
export interface CountedFlows {
  readonly flows: readonly ProductFile[];
  /** Paths of flow files that the manifest does not list. */
  readonly unlisted: readonly string[];
  readonly defaultFlow?: string;
  readonly problems: readonly ProductProblem[];
}

/**
 * Returns the flows of a product.
 * @param files names of the files in its folder `flows`
 * @param path of the product, relative to the workspace with forward slashes
 */
export function countedFlows(files: readonly string[], manifest: ProductManifest, path: string): CountedFlows {
  const there = files.flatMap((file) => {
    const name = flowNameOfFile(file);
    return name === undefined ? [] : [{ name, path: `${path}/flows/${file}` }];
  });
  const problems: ProductProblem[] = [];
  const say = (code: DiagnosticCode, message: string, range: TextRange): void => {
    problems.push({ code, severity: 'error', message, range, path: `${path}/${manifestName}` });
  };
  const listed = manifest.flows === undefined ? there : listedOf(manifest.flows, there, say);
  const flows = withoutTwins(listed, problems);
  const named = manifest.flows?.flatMap(({ written }) => meantBy(written, there)) ?? there;
  const unlisted = there.filter((flow) => !named.includes(flow)).map((flow) => flow.path);
  const { defaultFlow } = manifest;
  if (defaultFlow === undefined) return { flows, unlisted, problems };
  const found = meantBy(defaultFlow.value, flows)[0];
  if (found === undefined) {
    const near = didYouMean(
      defaultFlow.value,
      flows.map(({ name }) => name),
    );
    say(
      'product.missing-flow',
      `default_flow: the product has no flow ${JSON.stringify(defaultFlow.value)}.${near}`,
      defaultFlow.range,
    );
  }
  return { flows, unlisted, problems, ...(found === undefined ? {} : { defaultFlow: found.name }) };
}

type Say = (code: DiagnosticCode, message: string, range: TextRange) => void;

function listedOf(listed: readonly ManifestFlow[], there: readonly ProductFile[], say: Say): readonly ProductFile[] {
  const taken = new Map<string, ManifestFlow>();
  return listed.flatMap((one) => {
    const flow = foundIn(one, there, say);
    if (flow === undefined) return [];
    const former = taken.get(flow.path);
    if (former !== undefined) {
      const where = former.range.line === one.range.line ? '' : ` (line ${former.range.line})`;
      say('product.duplicate', `flows: ${flow.path} is already listed${where}. Remove one of the entries.`, one.range);
      return [];
    }
    taken.set(flow.path, one);
    return [flow];
  });
}

function foundIn({ written, range }: ManifestFlow, there: readonly ProductFile[], say: Say): ProductFile | undefined {
  const shown = JSON.stringify(written);
  if (leadsOut(written)) {
    say(
      'product.outside',
      `flows: ${shown} is outside the flows folder of the product. Choose a flow in that folder.`,
      range,
    );
    return undefined;
  }
  const [found, other] = meantBy(written, there);
  if (found === undefined) {
    const near = didYouMean(
      written,
      there.map(({ name }) => name),
    );
    say('product.missing-flow', `flows: the flows folder of the product has no file for ${shown}.${near}`, range);
  } else if (other !== undefined) {
    say('product.duplicate', `flows: ${shown} can be ${found.path} or ${other.path}. Write the file name.`, range);
    return undefined;
  }
  return found;
}

/** Returns whether a path leads outside the folder `flows`, even in the notation of other systems. */
function leadsOut(written: string): boolean {
  const parts = written.split(/[/\\]/);
  const inside = parts[0] === '.' ? parts.slice(1) : parts;
  if (inside.length > 1 && inside[0] !== 'flows') return true;
  return inside.length > 2 || inside.includes('..') || /^[A-Za-z]:/.test(written);
}

function meantBy(written: string, flows: readonly ProductFile[]): readonly ProductFile[] {
  const file = written.split(/[/\\]/).at(-1) ?? '';
  const exact = flows.filter(({ path }) => path.endsWith(`/${file}`));
  return exact.length > 0 ? exact : flows.filter(({ name }) => name === file);
}

/**
 * Removes flows with the same name, which are ambiguous. Neither flow counts, and a problem is reported for the later
 * one.
 */
function withoutTwins(flows: readonly ProductFile[], problems: ProductProblem[]): readonly ProductFile[] {
  return flows.filter((flow, index) => {
    const at = flows.findIndex(
      ({ name, path }) => name.toLowerCase() === flow.name.toLowerCase() && path !== flow.path,
    );
    const twin = flows[at];
    if (twin === undefined) return true;
    if (at > index) return false;
    const message = `${flow.path} and ${twin.path} both define the flow ${JSON.stringify(flow.name)}. Rename one of the files.`;
    const range = { line: 1, column: 1, endLine: 1, endColumn: 2 };
    problems.push({ code: 'product.duplicate', severity: 'error', message, range, path: flow.path });
    return false;
  });
}
