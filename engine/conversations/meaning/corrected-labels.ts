/**
 * Determines which slot a corrected value belongs to, from the person's words only: "no, make it 20".
 */
import { type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { isEmptyValue } from '../catalog/slot-kind.ts';
import { type SlotDef, takeValue } from '../catalog/slot-types.ts';
import type { ClearWords } from './dialogue-act.ts';

type CorrectingWords = Extract<ClearWords, { readonly act: 'correct' }>;

interface CorrectionContext {
  readonly words: CorrectingWords;
  /** The slot that the person was asked for. */
  readonly askedSlot: string | undefined;
}

/**
 * Returns the new value by slot; empty if no slot accepts it. Prefers a named slot, then the most recently filled slot
 * with a similar value, then the slot in question.
 * @param held the slots' current values
 */
export function correctedLabels(
  type: Pick<FlowType, 'slots'>,
  held: JsonMap,
  { words, askedSlot }: CorrectionContext,
): JsonMap {
  const { value, slot: slotWords, isExplicit } = words;
  const slots = [...type.slots.values()];
  const take = (slot: SlotDef): readonly (readonly [SlotDef, JsonValue])[] => {
    const taken = takenFrom(slot, value, held[slot.name]);
    return taken === undefined ? [] : [[slot, taken]];
  };
  if (slotWords !== '') {
    const named = slots.find((slot) => isNamed(slot, slotWords));
    return named === undefined ? {} : { [named.name]: takenFrom(named, value, held[named.name]) ?? value };
  }
  const filled = Object.keys(held).toReversed();
  const takers = filled.flatMap((name) => (isEmptyValue(held[name]) ? [] : (type.slots.get(name) ?? []))).flatMap(take);
  const alike = takers.find(([slot, taken]) => isAlike(slot, held[slot.name] ?? null, taken));
  const asked = slots.filter(({ name }) => name === askedSlot).flatMap(take);
  const only = isExplicit && takers.length === 1 ? takers : [];
  const [found] = [...(alike === undefined ? [] : [alike]), ...asked, ...only];
  return found === undefined ? {} : { [found[0].name]: found[1] };
}

function isNamed({ name, typeName }: SlotDef, words: string): boolean {
  const said = words.split(/\s+/);
  return [name, typeName].some((one) => {
    const own = one.toLowerCase().split(/[_\s-]+/);
    return said.every((word) => own.includes(word)) || own.every((word) => said.includes(word));
  });
}

/** Returns the text or one of its words, if the slot accepts it and does not already contain it. */
function takenFrom({ type, params }: SlotDef, text: string, current: JsonValue | undefined): JsonValue | undefined {
  const bare = text.replace(/^["'(]+|[.,;:!?"')]+$/g, '');
  for (const raw of [bare, ...bare.split(/\s+/)]) {
    const taken = takeValue(type, params, { raw });
    if (!('problem' in taken) && !jsonEquals(taken.value, current ?? null)) return raw;
  }
  return undefined;
}

/**
 * Returns whether text can replace a value. Text slots accept any text, so only the presence of letters and digits is
 * compared.
 */
function isAlike({ type }: SlotDef, current: JsonValue, raw: JsonValue): boolean {
  if (type !== 'exact' && type !== 'base' && type !== 'free_text' && type !== 'group') return true;
  return kindOf(plainText(current)) === kindOf(plainText(raw));
}

function plainText(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function kindOf(text: string): string {
  return `${/\p{L}/u.test(text)} ${/\p{N}/u.test(text)}`;
}
