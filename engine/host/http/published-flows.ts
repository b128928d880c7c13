/**
 * The flows that have an address: `millrace/published.json` in the base folder, by the names in their addresses.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { addressNameOf, productOfPath } from '../../language/flow/product-path.ts';
import { findProduct } from '../../packs/product/find-products.ts';
import { openPersonList, type PersonList } from './person-list.ts';

/** What callers of a flow's address may use. */
export interface AddressLimits {
  /** Maximum number of unfinished runs. */
  readonly runsAtOnce: number;
  /** Maximum number of runs that start within an hour. */
  readonly perHour: number;
  /** Maximum size of a request. */
  readonly bodyBytes: number;
}

/** The form page of a flow. */
export interface FormPageSettings {
  readonly isOn: boolean;
  /** Whether people enter an API key before they can use the page. */
  readonly needsKey: boolean;
  /** Whether the page shows the flow's nodes while they run. */
  readonly showsProgress: boolean;
}

/** A flow as a person has published it. */
export interface PublishedEntry {
  /** Real path of its workspace. */
  readonly workspace: string;
  /** Path of the flow, relative to the workspace. */
  readonly flow: string;
  /** Hash of the flow and everything it calls at that time, by `FlowJobs.hashFlow`. */
  readonly hash: string;
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly limits: AddressLimits;
  readonly page: FormPageSettings;
}

/** Limits of a flow for which a person has set none. */
export const usualLimits: AddressLimits = { runsAtOnce: 2, perHour: 60, bodyBytes: 10_000_000 };

/** Form page of a flow for which a person has set nothing. */
export const usualPage: FormPageSettings = { isOn: true, needsKey: true, showsProgress: true };

const count = (max: number) => z.int().min(1).max(max);

const limitsSchema = () =>
  z.strictObject({ runsAtOnce: count(1_000), perHour: count(1_000_000), bodyBytes: count(100_000_000) });

const publishedSchema = (): z.ZodType<PublishedEntry> =>
  z.object({
    workspace: z.string(),
    flow: z.string(),
    hash: z.string(),
    by: z.string(),
    at: z.number(),
    limits: limitsSchema(),
    page: z.object({ isOn: z.boolean(), needsKey: z.boolean(), showsProgress: z.boolean() }),
  });

/** Opens the list. */
export function openPublishedFlows(baseFolder: string, clock: Clock): PersonList<PublishedEntry> {
  return openPersonList({ baseFolder, name: 'published.json', entry: publishedSchema, clock });
}

/** @throws EngineError `publish.bad-limits` */
export function checkLimits(limits: AddressLimits): AddressLimits {
  const { success, error } = limitsSchema().safeParse(limits);
  if (success) return limits;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new EngineError({ code: 'publish.bad-limits', message: `These limits are not possible. ${problems}` });
}

/** @throws EngineError `publish.bad-name` */
export function checkName(name: string): string {
  if (/^[a-z0-9-]{1,60}$/.test(name)) return name;
  const message = `${JSON.stringify(name.slice(0, 80))} cannot be part of an address. Use up to 60 lowercase letters, digits and -.`;
  throw new EngineError({ code: 'publish.bad-name', message });
}

/**
 * Returns why a product's flow may have no address; undefined if it may. The manifest of a product decides which of its
 * flows others may call.
 */
export async function exposureProblem(workspace: string, flow: string): Promise<string | undefined> {
  const product = productOfPath(flow);
  if (product === undefined) return undefined;
  const { flows = [], exposedFlows = [] } = (await findProduct(workspace, product)) ?? {};
  const name = flows.find(({ path }) => path === flow)?.name;
  if (name !== undefined && exposedFlows.includes(name)) return undefined;
  return `The product ${product} does not allow it. Add the flow to exposed_api in products/${product}/manifest.yaml: { allowed_flows: [${name ?? addressNameOf(flow)}] }`;
}
