/**
 * Loads the catalogs with which conversations start.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type Diagnostic, renderDiagnostic } from '../../language/findings/diagnostic.ts';
import { parseCatalogue } from '../catalog/parse-catalogue.ts';
import { type NluScript, parseNluScript } from '../meaning/scripted-nlu.ts';
import type { ConversationWorld, HeldCatalogue } from './conversation-world.ts';
import { pathIn } from './policy-spec.ts';

/**
 * Reads a catalog and the script it may name.
 * @throws EngineError `dialogue.invalid` with the diagnostics as `details` | `files.*`
 */
export async function loadCatalogue(
  path: string,
  text: string,
  { readText, flowClasses }: Pick<ConversationWorld, 'readText' | 'flowClasses'>,
): Promise<HeldCatalogue> {
  const { catalogue, diagnostics } = parseCatalogue(text, flowClasses);
  if (catalogue === null) throw invalid(path, diagnostics);
  const { nlu } = catalogue;
  const script = 'script' in nlu ? await loadScript(pathIn(path, nlu.script), readText) : undefined;
  return { catalogue, path, script };
}

async function loadScript(path: string, readText: (path: string) => Promise<string>): Promise<NluScript> {
  const { script, diagnostics } = parseNluScript(await readText(path));
  if (script === null) throw invalid(path, diagnostics);
  return script;
}

function invalid(path: string, diagnostics: readonly Diagnostic[]): EngineError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : '';
  const words = first === undefined ? `${path} is not valid.` : renderDiagnostic(path, first);
  return new EngineError({ code: 'dialogue.invalid', message: `${words}${more}`, details: diagnostics });
}
