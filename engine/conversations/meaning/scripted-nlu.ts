/**
 * Predicts flows from a script, for tests and examples without a model. A script is a list of patterns and their
 * meanings.
 */
import { z } from 'zod';
import { compilePattern, type Pattern } from '../../base/pattern/pattern.ts';
import type { Diagnostic, DiagnosticCode } from '../../language/findings/diagnostic.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { checkAgainst, type ValuePath } from '../../language/schema/schema-problems.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { Prediction } from '../session/session-state.ts';
import { clearWords, type DialogueAct, dialogueActs } from './dialogue-act.ts';
import { type NluRequest, predictableFlows, ranked } from './nlu-prompt.ts';

const entrySchema = z.strictObject({
  match: z.string().min(1),
  flow: z.exactOptional(z.string().min(1)),
  intent: z.exactOptional(z.string().min(1)),
  act: z.exactOptional(z.enum(dialogueActs)),
  confidence: z.number().min(0).max(1).default(1),
  slots: z.exactOptional(
    z.record(
      z.string(),
      z.custom<JsonValue>(() => true),
    ),
  ),
});

interface ScriptEntry {
  readonly pattern: Pattern;
  readonly flow: string | undefined;
  readonly intent: string | undefined;
  readonly act: DialogueAct | undefined;
  readonly confidence: number;
  readonly slots: readonly (readonly [slot: string, label: Label])[];
}

/** A fixed value, or the first word of the message that a pattern matches completely. */
type Label = { readonly value: JsonValue } | { readonly word: Pattern };

export interface NluScript {
  readonly entries: readonly ScriptEntry[];
}

/** Parses a script. Null if it is invalid. */
export function parseNluScript(text: string): {
  readonly script: NluScript | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const source = text.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(source);
  const {
    value,
    problems: valueProblems,
    aliasTargets,
  } = root === null ? { value: null, problems: [], aliasTargets: new Map() } : yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets });
  const found = [...problems, ...valueProblems].map((problem) =>
    failure(problem.code, problem.message, places.sourceRange(problem)),
  );
  if (found.length > 0) return { script: null, diagnostics: found };
  const checked = checkAgainst(z.array(entrySchema).min(1), value);
  if (!checked.ok) {
    const diagnostics = checked.problems.map(({ path, kind, message }) => {
      const code = kind === 'unknown-key' ? 'dialogue.unknown-key' : 'dialogue.bad-value';
      const name = path.length === 0 ? 'The script' : `${path.slice(1).join('.')} of entry ${Number(path[0]) + 1}`;
      return failure(code, `${name} ${message}.`, places.problemRange(path));
    });
    return { script: null, diagnostics };
  }
  const diagnostics: Diagnostic[] = [];
  const compiled = (pattern: string, path: ValuePath): Pattern => {
    const made = compilePattern(pattern);
    if ('matches' in made) return made;
    diagnostics.push(
      failure(
        'dialogue.bad-value',
        `The pattern ${JSON.stringify(pattern)} ${made.problem}.`,
        places.problemRange(path),
      ),
    );
    return nothing;
  };
  const entries = checked.value.map(({ match, flow, intent, act, confidence, slots = {} }, index): ScriptEntry => {
    const labels = Object.entries(slots).map(([slot, label]): [string, Label] => {
      const word = wordPattern(label);
      const path = [index, 'slots', slot, 'word'];
      return [slot, word === undefined ? { value: label } : { word: compiled(word, path) }];
    });
    return { pattern: compiled(match, [index, 'match']), flow, intent, act, confidence, slots: labels };
  });
  return { script: diagnostics.length > 0 ? null : { entries }, diagnostics };
}

/** Replaces an invalid pattern until the problem has been reported. */
const nothing: Pattern = {
  // biome-ignore lint/correctness/useYield: it never matches, so it takes no steps
  *matches() {
    return false;
  },
};

function failure(code: DiagnosticCode, message: string, range: Diagnostic['range']): Diagnostic {
  return { code, severity: 'error', message, range };
}

function wordPattern(label: JsonValue): string | undefined {
  if (!isJsonMap(label) || Object.keys(label).length !== 1) return undefined;
  return typeof label['word'] === 'string' ? label['word'] : undefined;
}

/**
 * Predicts with a script: the first matching entry that names a flow in the catalog, with the other matches as
 * candidates.
 */
export function predictByScript({ entries }: NluScript, catalogue: Catalogue, request: NluRequest): Prediction {
  const types = new Map(predictableFlows(catalogue, request.exclude).map((type) => [type.name, type]));
  const matchingIn = (text: string): readonly ScriptEntry[] =>
    entries.filter(({ pattern, flow }) => (flow === undefined || types.has(flow)) && doesMatch(pattern, text));
  const clear = clearWords(request.text);
  // In "never mind, find AB-12", the second part is the request.
  const second = clear !== undefined && 'instead' in clear ? clear.instead : '';
  const ofSecond = second === '' ? [] : matchingIn(second);
  const text = ofSecond.length > 0 ? second : request.text;
  const matching = ofSecond.length > 0 ? ofSecond : matchingIn(request.text);
  const [first] = matching;
  const type = types.get(first?.flow ?? '');
  const candidates = matching.flatMap(({ flow, confidence }) =>
    flow === undefined ? [] : [{ flow, score: confidence }],
  );
  return {
    mode: request.mode,
    text: request.text,
    intent: type?.intent ?? first?.intent ?? null,
    flow: type?.name ?? null,
    confidence: type === undefined && first?.act === undefined ? 0 : (first?.confidence ?? 0),
    candidates: ranked(candidates),
    slots: first === undefined ? {} : labelsIn(text, first),
    ...(first?.act === undefined ? {} : { act: first.act }),
  };
}

function labelsIn(text: string, { slots }: ScriptEntry): JsonMap {
  const words = text.split(/\s+/).map((word) => word.replace(/^["'(]+|[.,;:!?"')]+$/g, ''));
  return Object.fromEntries(
    slots.flatMap(([slot, label]): readonly [string, JsonValue][] => {
      if ('value' in label) return [[slot, label.value]];
      const word = words.find((one) => one !== '' && doesMatch(label.word, one, 'whole'));
      return word === undefined ? [] : [[slot, word]];
    }),
  );
}

function doesMatch(pattern: Pattern, text: string, whole?: 'whole'): boolean {
  const steps = pattern.matches(text, whole);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
