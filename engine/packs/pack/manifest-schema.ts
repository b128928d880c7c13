/**
 * Defines the JSON Schema of `pack.toml`, for editors.
 */
import { maxManifestValue, packNamePattern } from './pack-manifest.ts';
import { packVersionPattern } from './pack-version.ts';

const text = { type: 'string', maxLength: maxManifestValue };
const name = { ...text, pattern: packNamePattern.source };

/**
 * The validation rules of the manifest parser as a schema (draft 2020-12). As in the parser, additional keys are
 * allowed.
 */
export const packManifestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'pack.toml',
  type: 'object',
  required: ['pack'],
  properties: {
    pack: {
      type: 'object',
      required: ['namespace', 'name', 'version'],
      properties: {
        namespace: { ...name, description: 'The part before the @' },
        name: { ...name, description: 'The part after the @' },
        version: { ...text, pattern: packVersionPattern.source, description: '1.2.3, or 1.2.3-beta.1' },
        license: text,
        homepage: text,
        repo: text,
        author: text,
        email: text,
      },
    },
    installed: {
      type: 'object',
      description: 'Written by the installer, never by authors',
      properties: { time: {}, source: text, commit: text },
    },
  },
} as const;
