/**
 * The text of the outline, and the names of its edits in the undo menu.
 */
import { type Counted, inLanguage, numberText, plural } from '../ui/language.ts';

interface Id {
  readonly id: string;
}

/** `names` is a node's ID, or how many nodes are edited. */
interface Names {
  readonly names: string;
}

export const text = inLanguage('outline', {
  /** What a review marks. */
  marks: {
    added: { sign: '+', spoken: 'added' },
    removed: { sign: '−', spoken: 'removed' },
    changed: { sign: '~', spoken: 'changed' },
    layout: { sign: '·', spoken: 'moved' },
  },
  label: 'Outline of the flow',
  notMoved: 'Nothing was moved',
  row: {
    errors: ({ count }: Counted) => plural(count, { one: '1 error', other: `${numberText(count)} errors` }),
    warnings: ({ count }: Counted) => plural(count, { one: '1 warning', other: `${numberText(count)} warnings` }),
    branch: ({ name }: { readonly name: string }) => `when ${name}`,
    position: ({ position, size, loop }: { readonly position: number; readonly size: number; readonly loop: string }) =>
      `${position} of ${size} in ${loop}`,
  },
  rename: {
    label: ({ id }: Id) => `New ID of ${id}`,
    nodeExists: ({ id }: Id) => `The flow already has a node ${id}.`,
    stepExists: ({ id }: Id) => `The flow already has a step ${id}.`,
    invalidStep: 'Use 1 to 80 characters, but not /, [ or ].',
    reserved: ({ id }: Id) => `${id} has another meaning in bindings. Use another ID.`,
    invalidNode: "Use letters, digits and _. The first character can't be a digit.",
  },
  edits: {
    nodes: ({ count }: Counted) => plural(count, { one: '1 node', other: `${numberText(count)} nodes` }),
    moveUp: ({ names }: Names) => `Move ${names} up`,
    moveDown: ({ names }: Names) => `Move ${names} down`,
    moveBefore: ({ names, id }: Names & Id) => `Move ${names} before ${id}`,
    moveAfter: ({ names, id }: Names & Id) => `Move ${names} after ${id}`,
    moveInto: ({ names, loop }: Names & { readonly loop: string }) => `Move ${names} into ${loop}`,
    moveOut: ({ names, loop }: Names & { readonly loop: string }) => `Move ${names} out of ${loop}`,
    pasteNodes: ({ count }: Counted) =>
      plural(count, { one: 'Paste 1 node', other: `Paste ${numberText(count)} nodes` }),
    pasteSteps: ({ count }: Counted) =>
      plural(count, { one: 'Paste 1 step', other: `Paste ${numberText(count)} steps` }),
    duplicateNodes: ({ count }: Counted) =>
      plural(count, { one: 'Duplicate 1 node', other: `Duplicate ${numberText(count)} nodes` }),
    duplicateSteps: ({ count }: Counted) =>
      plural(count, { one: 'Duplicate 1 step', other: `Duplicate ${numberText(count)} steps` }),
    severalLoops: 'The selected nodes are not all in the same loop.',
    bodyIsNoList: 'The body of the loop is not a list of IDs. Change it to a list in the text.',
  },
});
