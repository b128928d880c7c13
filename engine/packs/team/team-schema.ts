/**
 * Defines the schemas of a team file. Each section is validated separately, so that an error in one does not affect the
 * others.
 */
import { isAbsolute, win32 } from 'node:path';
import { z } from 'zod';
import { webAddressProblem } from '../../base/web-address.ts';
import { policySchema } from '../../runtime/governance/policy-schema.ts';
import { effects } from '../../runtime/kernel/capabilities/effect.ts';
import {
  completeEntry,
  knownProviders,
  type ProviderConfig,
  providerKinds,
} from '../../world/model/provider-config.ts';
import { isPackName } from '../pack/pack-manifest.ts';
import { isPackVersion } from '../pack/pack-version.ts';

/** Version of the format that this program reads. */
export const teamFormat = 1;

const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cf}]+$/u, 'must be one line of text');
const address = z
  .string()
  .max(2000)
  .superRefine((url, context) => {
    const problem = webAddressProblem(url);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', message: `must be an http or https address: ${problem}` });
  });
const variable = z.string().regex(/^[A-Za-z_]\w{0,199}$/, 'must be the name of an environment variable, not a key');
const identity = z.string().refine((name) => {
  const [namespace = '', pack = '', ...more] = name.split('@');
  return more.length === 0 && isPackName(namespace) && isPackName(pack);
}, 'must be a pack name, such as acme@tools');
const others = z.enum(['allowed', 'denied']);
const folder = text(4096).refine(
  (path) => path.startsWith('~/') || isAbsolute(path) || win32.isAbsolute(path),
  'must be an absolute path or start with ~/',
);
/** A path next to the team file or below its folder. */
const inside = text(1024).refine(
  (path) => !isAbsolute(path) && !win32.isAbsolute(path) && !path.split(/[/\\]/).includes('..'),
  'must be a path below the folder of this file',
);

const allowedPack = z.strictObject({
  pack: identity,
  version: z.exactOptional(z.string().refine(isPackVersion, 'must be a version such as 1.2.0')),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

const provider = z.strictObject({
  kind: z.exactOptional(z.enum(providerKinds)),
  baseUrl: z.exactOptional(address),
  keyVariable: z.exactOptional(variable),
  keyHelp: z.exactOptional(text(500)),
});

/** Returns the complete configuration of an entry, or its problem as a sentence without a subject. */
export function providerConfigOf(name: string, entry: z.output<typeof provider>): ProviderConfig | string {
  const { kind, baseUrl, keyVariable } = entry;
  const whole = {
    ...(kind === undefined ? {} : { kind }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(keyVariable === undefined ? {} : { api_key_env: keyVariable }),
  };
  return completeEntry(whole, knownProviders.get(name), knownProviders);
}

/** Schemas of the sections. */
export const teamSections = {
  team: z.strictObject({
    name: text(100),
    version: z.exactOptional(
      z.string().regex(/^\d{1,9}(?:\.\d{1,9}){1,3}$/, 'must be numbers separated by dots in quotes, such as "1.0.0"'),
    ),
    contact: z.exactOptional(text(200)),
  }),
  packs: z.strictObject({
    repositories: z.exactOptional(z.array(address).min(1).max(10)),
    allowed: z.exactOptional(z.array(allowedPack).max(1000)),
    include: z.exactOptional(z.array(inside).max(1000)),
  }),
  models: z.strictObject({
    providers: z.exactOptional(
      z
        .record(
          z.string().regex(/^[a-zA-Z][\w-]{0,99}$/, 'must be a name with letters, digits, _ and - only'),
          provider,
        )
        .superRefine((entries, context) => {
          for (const [name, entry] of Object.entries(entries)) {
            const config = provider.safeParse(entry).success ? providerConfigOf(name, entry) : undefined;
            if (typeof config === 'string') {
              context.addIssue({ code: 'custom', path: [name], message: `cannot be used: ${config}` });
            }
          }
        }),
    ),
    default: z.exactOptional(text(500)),
    others: z.exactOptional(others),
  }),
  trust: z.strictObject({ workspaces: z.exactOptional(z.array(folder).max(1000)), others: z.exactOptional(others) }),
  policies: policySchema(),
  updates: z.strictObject({ channel: z.enum(['stable', 'beta', 'none']), feed: z.exactOptional(address) }),
  examples: inside,
} as const;

export type TeamSection = keyof typeof teamSections;

type Parsed = { readonly [Name in TeamSection]: z.output<(typeof teamSections)[Name]> };

/** The team settings; absent ones are left to the user. */
export type TeamRules = Partial<Parsed> & Pick<Parsed, 'team'>;

/**
 * Settings for invalid sections: the strictest settings that each could have contained. Sections that restrict nothing
 * are omitted.
 */
export const closedSections: Readonly<Pick<Parsed, 'packs' | 'models' | 'trust' | 'policies' | 'updates'>> = {
  packs: { allowed: [] },
  models: { others: 'denied' },
  trust: { others: 'denied' },
  policies: { effects: Object.fromEntries(effects.map((effect) => [effect, 'deny' as const])) },
  updates: { channel: 'none' },
};

/** Descriptions of these settings for people. */
export const closedSectionText: Readonly<Record<keyof typeof closedSections, string>> = {
  packs: 'packs cannot be installed or updated',
  models: 'no model provider can be used',
  trust: 'no workspace is trusted',
  policies: 'scripts, nodes and tools cannot have effects',
  updates: 'the program is not updated',
};
