/**
 * The question for an empty slot: from the catalog, or derived from its description, type and name.
 */
import type { SlotDef } from '../catalog/slot-types.ts';

/** Maximum length of a description used in a question. Longer descriptions are intended for models and forms. */
const longestHint = 120;

const questionWord = /^(?:who|whom|whose|what|when|where|which|why|how)\b/i;

/** Abbreviations in names, and the words they represent. */
const spoken: Readonly<Record<string, string>> = {
  no: 'number',
  nr: 'number',
  num: 'number',
  qty: 'quantity',
  amt: 'amount',
  addr: 'address',
  tel: 'phone number',
  dob: 'date of birth',
  desc: 'description',
  id: 'ID',
  ids: 'IDs',
  url: 'URL',
};

/** Returns the question for the slot. */
export function slotQuestion(slot: SlotDef): string {
  if (slot.question !== '') return slot.question;
  const description = slot.description.trim();
  if (description.endsWith('?') && description.length <= longestHint) return description;
  if (questionWord.test(description) && isHint(description)) return `${withoutStop(description)}?`;
  const asked = questionFor(slot);
  return isHint(description) ? `${asked} (${withoutStop(description)})` : asked;
}

/** Returns whether a plain yes or no can be the value; otherwise it means agreement or refusal. */
export function takesYesOrNo({ question, description, type, params }: SlotDef): boolean {
  if (type === 'category' || type === 'proposal')
    return (params.options ?? []).some((option) => /^(?:yes|no)$/i.test(option));
  const asks = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|may|shall|should|will|would)\b.*\?$/i;
  return [question, description].some((text) => asks.test(text.trim()));
}

function isHint(description: string): boolean {
  return description !== '' && description.length <= longestHint && !description.includes('\n');
}

function withoutStop(text: string): string {
  return text.replace(/[.!]+$/, '');
}

function questionFor(slot: SlotDef): string {
  const name = nameOf(slot);
  if (questionWord.test(name)) return `${capital(name)}?`;
  const { options = [] } = slot.params;
  switch (slot.type) {
    case 'category':
      return options.length === 0 ? `Which ${name}?` : `Which ${name}: ${choice(options)}?`;
    case 'level':
    case 'score':
    case 'position':
    case 'probability':
      return /[^s]s$/i.test(name) ? `How many ${name}?` : `What ${name}?`;
    case 'free_text':
      return `What should the ${name} say?`;
    case 'range':
      return `Which ${name}: from when to when, or for how long?`;
    default:
      return `Which ${name}?`;
  }
}

/**
 * Returns a slot's name as words, or the name of its custom type if that is more specific, such as `order_number` for a
 * slot named `number`.
 */
function nameOf({ name, typeName, type }: SlotDef): string {
  const own = wordsIn(name);
  const ofType = wordsIn(typeName);
  const isMore = typeName !== type && ofType.length > own.length && own.every((word) => ofType.includes(word));
  return (isMore ? ofType : own).join(' ');
}

function wordsIn(name: string): readonly string[] {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[_\s-]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
  return words.map((word, index) => {
    const isNumber = word === 'no' && index === 0;
    return !isNumber && Object.hasOwn(spoken, word) ? (spoken[word] ?? word) : word;
  });
}

function choice(options: readonly string[]): string {
  return options.length < 2 ? options.join('') : `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
