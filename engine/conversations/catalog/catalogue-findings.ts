/**
 * Finds catalog problems that no schema describes: duplicate or unknown names, impossible slots, cycles.
 */
import { type Finding, messageOf } from '../../language/findings/finding.ts';
import type { FieldProblem } from '../../language/findings/node-value-findings.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { schemaProblems } from '../../language/schema/json-schema.ts';
import { baseOf, internalIntent, planIntent, universalIntents } from './catalogue.ts';
import { type CatalogueDoc, mostFlowTypes, slotParamNames } from './catalogue-doc.ts';
import { dependencyCycle } from './dependency-order.ts';
import type { SlotParams } from './slot-kind.ts';
import { isEnough, slotParams, slotTypeNames, takeValue } from './slot-types.ts';

type CatalogueFindingPath = Finding['path'];

/** Returns conflicts between parts of a document, even if other parts are invalid. */
export function catalogueFindings(root: JsonMap): readonly Finding[] {
  const flows = flowsOf(root);
  const slotTypes = mapOf(root['slotTypes']);
  const context: CatalogueCheckContext = {
    flows,
    byName: new Map(flows.map((flow) => [flow.name, flow])),
    intents: [...new Set([...universalIntents, ...Object.keys(mapOf(root['intents']))])],
    // Only the properties used here are read; the schema validates their shape.
    slotTypes: Object.fromEntries(Object.entries(slotTypes).filter(([, type]) => isJsonMap(type))) as SlotTypes,
  };
  return [
    ...countFindings(flows),
    ...slotTypeFindings(context.slotTypes),
    // In a file with thousands of flows, more problems would not help.
    ...flows.slice(0, mostFlowTypes).flatMap((flow, index) => flowFindings(flow, index, context)),
    ...circleFindings(flows.slice(0, mostFlowTypes)),
  ];
}

/** Returns the same problems with the same messages for a valid document, by path, for forms. */
export function catalogueProblems(doc: CatalogueDoc): readonly FieldProblem[] {
  // A parsed text is plain JSON.
  return catalogueFindings(doc as unknown as JsonMap).map((finding) => ({
    path: finding.path,
    message: messageOf(finding),
    severity: finding.severity,
  }));
}

type SlotTypes = NonNullable<CatalogueDoc['slotTypes']>;

interface FlowEntry {
  readonly name: string;
  readonly intent: string;
  readonly entry: JsonMap;
  readonly path: CatalogueFindingPath;
}

interface CatalogueCheckContext {
  readonly flows: readonly FlowEntry[];
  readonly byName: ReadonlyMap<string, FlowEntry>;
  readonly intents: readonly string[];
  readonly slotTypes: SlotTypes;
}

function mapOf(value: JsonValue | undefined): JsonMap {
  return isJsonMap(value) ? value : {};
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((one) => typeof one === 'string') : [];
}

function flowsOf({ flows }: JsonMap): readonly FlowEntry[] {
  return (isJsonList(flows) ? flows : []).flatMap((entry, index) => {
    if (!isJsonMap(entry)) return [];
    const { name, intent } = entry;
    const path = ['flows', index];
    return [
      { name: typeof name === 'string' ? name : '', intent: typeof intent === 'string' ? intent : '', entry, path },
    ];
  });
}

function bad(path: CatalogueFindingPath, message: string, more: Partial<Finding> = {}): Finding {
  return { code: 'dialogue.bad-value', severity: 'error', message, path, ...more };
}

function unknown(path: CatalogueFindingPath, message: string, mistyped: Finding['mistyped']): Finding {
  return { code: 'dialogue.unknown-name', severity: 'error', message, path, ...(mistyped ? { mistyped } : {}) };
}

function countFindings(flows: readonly FlowEntry[]): readonly Finding[] {
  const extra = flows[mostFlowTypes];
  if (extra === undefined) return [];
  const words = `The catalog has ${flows.length} flows, but at most ${mostFlowTypes} are allowed. Remove some, or split it into two catalogs.`;
  return [{ code: 'dialogue.too-many-flows', severity: 'error', message: words, path: extra.path }];
}

function slotTypeFindings(slotTypes: SlotTypes): readonly Finding[] {
  return Object.entries(slotTypes).flatMap(([name, own]): readonly Finding[] => {
    const path = ['slotTypes', name];
    if (slotTypeNames.some((known) => known === name))
      return [bad(path, `${name} is a built-in type. Choose another name.`, { focus: 'key' })];
    const base = slotTypeNames.find((known) => known === own.base);
    if (base === undefined)
      return [
        unknown([...path, 'base'], `Type "${own.base}" does not exist.`, {
          word: String(own.base),
          known: slotTypeNames,
        }),
      ];
    return paramFindings(base, own, path);
  });
}

/** Finds settings that do not apply to their slot type. */
function paramFindings(
  type: (typeof slotTypeNames)[number],
  given: object,
  path: CatalogueFindingPath,
): readonly Finding[] {
  const known = slotParams(type);
  return slotParamNames
    .filter((param) => Object.hasOwn(given, param) && !known.includes(param))
    .map((param) => {
      const has = known.length === 0 ? 'none' : known.join(', ');
      return bad([...path, param], `${param} has no effect for slots of type ${type}. Its settings are: ${has}.`, {
        focus: 'key',
      });
    });
}

function flowFindings(flow: FlowEntry, index: number, context: CatalogueCheckContext): readonly Finding[] {
  const { name, intent, entry, path } = flow;
  const found: Finding[] = [];
  if (name !== '' && context.flows.findIndex((other) => other.name === name) < index)
    found.push(bad([...path, 'name'], `Another flow is already named "${name}". Rename one of them.`));
  if (intent !== '' && !context.intents.includes(intent)) {
    const words = `Intent "${intent}" does not exist. Add it under intents.`;
    found.push(unknown([...path, 'intent'], words, { word: intent, known: context.intents }));
  }
  if (
    intent !== internalIntent &&
    entry['description'] === undefined &&
    entry['examples'] === undefined &&
    name !== ''
  ) {
    const words = `Flow "${name}" has neither a description nor examples, so it cannot be recognized. Add one of them.`;
    found.push({ code: 'dialogue.undescribed', severity: 'warning', message: words, path: [...path, 'name'] });
  }
  return [
    ...found,
    ...fallbackFindings(flow, context),
    ...intentKeyFindings(flow),
    ...dependencyFindings(flow, context),
    ...outputFindings(flow),
    ...slotFindings(flow, context),
  ];
}

function fallbackFindings(
  { name, intent, entry, path }: FlowEntry,
  { byName }: CatalogueCheckContext,
): readonly Finding[] {
  const { fallback } = entry;
  if (typeof fallback !== 'string') return [];
  const place = [...path, 'fallback'];
  const target = byName.get(fallback);
  if (target === undefined)
    return [
      unknown(place, `The fallback flow "${fallback}" does not exist.`, { word: fallback, known: [...byName.keys()] }),
    ];
  if (fallback === name)
    return [bad(place, `Flow "${name}" cannot be its own fallback. Choose another flow, or remove the key.`)];
  if (target.intent === internalIntent || intent === internalIntent)
    return [bad(place, 'Internal flows run in the background and cannot have or be a fallback.')];
  return [];
}

/** Finds keys that apply only to flows of another intent. */
function intentKeyFindings({ intent, entry, path }: FlowEntry): readonly Finding[] {
  const only = (key: string, owner: string): readonly Finding[] =>
    Object.hasOwn(entry, key) && intent !== owner
      ? [bad([...path, key], `${key} is only for flows of the intent ${owner}. Remove it.`, { focus: 'key' })]
      : [];
  const isNoTask = entry['aside'] === true && (intent === planIntent || intent === internalIntent);
  const words = `A flow of the intent ${intent} cannot run as an aside. Remove the key.`;
  return [
    ...only('lats', planIntent),
    ...only('dependsOn', internalIntent),
    ...only('every', internalIntent),
    ...(isNoTask ? [bad([...path, 'aside'], words, { focus: 'key' })] : []),
  ];
}

function dependencyFindings({ entry, path }: FlowEntry, { byName }: CatalogueCheckContext): readonly Finding[] {
  return textsOf(entry['dependsOn']).flatMap((name, index) => {
    const place = [...path, 'dependsOn', index];
    const target = byName.get(name);
    if (target === undefined)
      return [
        unknown(place, `Flow "${name}" does not exist, so it cannot be waited for.`, {
          word: name,
          known: [...byName.keys()],
        }),
      ];
    const words = `"${name}" is not an Internal flow. Internal flows can only wait for each other.`;
    return target.intent === internalIntent ? [] : [bad(place, words)];
  });
}

function circleFindings(flows: readonly FlowEntry[]): readonly Finding[] {
  const circle = dependencyCycle(new Map(flows.map(({ name, entry }) => [name, textsOf(entry['dependsOn'])])));
  const first = flows.find(({ name }) => name === circle?.[0]);
  if (circle === undefined || first === undefined) return [];
  const words = `These flows wait for each other in a cycle: ${circle.join(' → ')}. Remove one dependsOn.`;
  return [bad([...first.path, 'dependsOn'], words)];
}

function outputFindings({ entry, path }: FlowEntry): readonly Finding[] {
  const { output } = entry;
  if (!isJsonMap(output)) return [];
  return schemaProblems(output).map((problem) =>
    bad([...path, 'output', ...problem.path], `output: ${problem.message}`),
  );
}

function slotFindings({ name, entry, path }: FlowEntry, { slotTypes }: CatalogueCheckContext): readonly Finding[] {
  const slots = Object.entries(mapOf(entry['slots'])).filter((slot): slot is [string, JsonMap] => isJsonMap(slot[1]));
  const electives = slots.filter(([, slot]) => slot['priority'] === 'elective');
  const lonely = electives.length === 1 ? electives[0]?.[0] : undefined;
  const found: Finding[] = [];
  if (lonely !== undefined) {
    const words = `${lonely} is the only elective slot of "${name}", but elective slots need at least one alternative. Make it required or optional, or add another elective slot.`;
    found.push(bad([...path, 'slots', lonely, 'priority'], words));
  }
  for (const [slot, given] of slots) found.push(...oneSlotFindings(given, [...path, 'slots', slot], slotTypes));
  return found;
}

function oneSlotFindings(slot: JsonMap, path: CatalogueFindingPath, slotTypes: SlotTypes): readonly Finding[] {
  const { type, priority } = slot;
  if (typeof type !== 'string') return [];
  const base = baseOf(type, slotTypes);
  if (base === undefined) {
    const known = [...slotTypeNames, ...Object.keys(slotTypes)];
    // An invalid base is reported at its definition.
    return Object.hasOwn(slotTypes, type)
      ? []
      : [
          unknown([...path, 'type'], `Type "${type}" does not exist. Types are ${slotTypeNames.join(', ')}.`, {
            word: type,
            known,
          }),
        ];
  }
  const merged = { ...base.params, ...slot } as SlotParams;
  return [
    ...paramFindings(base.type, slot, path),
    ...optionFindings(base.type, merged, path),
    ...defaultFindings({ ...base, params: merged }, slot, { path, priority }),
  ];
}

function optionFindings(type: string, { options }: SlotParams, path: CatalogueFindingPath): readonly Finding[] {
  const count = isJsonList(options) ? options.length : 0;
  if (type === 'category' && (count < 2 || count > 8))
    return [bad(path, 'A slot of type category needs 2 to 8 options: write options: [one, two].')];
  return type === 'proposal' && count === 1
    ? [
        bad(
          [...path, 'options'],
          'A single option is not a choice. Write at least two, or none to let the policy offer them.',
        ),
      ]
    : [];
}

function defaultFindings(
  { type, params: merged }: NonNullable<ReturnType<typeof baseOf>>,
  slot: JsonMap,
  { path, priority }: { readonly path: CatalogueFindingPath; readonly priority: JsonValue | undefined },
): readonly Finding[] {
  const { default: raw } = slot;
  if (raw === undefined) return [];
  const place = [...path, 'default'];
  if (priority !== 'optional') return [bad(place, 'Only optional slots have a default: the others are asked for.')];
  const taken = takeValue(type, merged, { raw });
  if ('problem' in taken) return [bad(place, `default ${taken.problem}`)];
  return isEnough(type, merged, taken.value) ? [] : [bad(place, 'default does not fill the slot.')];
}
