/**
 * Recognizes the program that wrote a file, and reads its graphs.
 */
import { EngineError } from '../../base/engine-error.ts';
import { readForeignJson } from '../json/foreign-json.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { readYaml } from '../yaml/yaml-source.ts';
import { yamlToJson } from '../yaml/yaml-to-json.ts';
import { flowiseFormat } from './flowise/flowise-types.ts';
import { isFlowise, readFlowise } from './flowise/read-flowise.ts';
import type { SourceFormat } from './mapping.ts';
import { n8nFormat } from './n8n/n8n-types.ts';
import { isN8n, readN8n } from './n8n/read-n8n.ts';
import { isRivet, readRivet } from './rivet/read-rivet.ts';
import { rivetFormat } from './rivet/rivet-types.ts';
import type { SourceFlow } from './source-flow.ts';

interface ReadSource {
  readonly format: SourceFormat;
  readonly flows: readonly SourceFlow[];
}

const readers = [
  { format: n8nFormat, recognizes: isN8n, read: readN8n },
  { format: rivetFormat, recognizes: isRivet, read: readRivet },
  { format: flowiseFormat, recognizes: isFlowise, read: readFlowise },
];

/**
 * Reads a file of another program.
 * @param name for a graph without a name
 * @throws EngineError `import.unknown-format` | `import.unreadable`
 */
export function readSource(value: JsonValue, name: string): ReadSource {
  const reader = isJsonMap(value) ? readers.find(({ recognizes }) => recognizes(value)) : undefined;
  if (reader === undefined) {
    throw new EngineError({
      code: 'import.unknown-format',
      message:
        'The file is not an n8n workflow (JSON), a Rivet project (.rivet-project), a Flowise agentflow (JSON) or a promptfoo configuration (YAML). Export the workflow again, and import that file.',
    });
  }
  const flows = reader.read(value as JsonMap, name);
  if (flows.length > 0) return { format: reader.format, flows };
  throw unreadable(`The ${reader.format.title} file contains no graph.`);
}

/** Parses a file as JSON or YAML. @throws EngineError `import.unreadable` */
export function parseSource(file: string): JsonValue {
  const text = file.replace(/^\uFEFF/, '');
  if (/^\s*[[{]/.test(text)) {
    const read = readForeignJson(text);
    if (read.kind === 'value') return read.value;
    throw unreadable(`The file is not valid JSON. ${read.problem}`);
  }
  const { root, problems } = readYaml(text);
  if (root === null) throw unreadable(`The file is not valid YAML. ${problems[0]?.message ?? ''}`);
  const read = yamlToJson(root);
  const [problem] = read.problems;
  if (problem === undefined) return read.value;
  throw unreadable(problem.message);
}

function unreadable(message: string): EngineError {
  return new EngineError({ code: 'import.unreadable', message });
}
