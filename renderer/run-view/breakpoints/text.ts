/**
 * The text of the list of breakpoints.
 */
import { inLanguage, numberText } from '../../ui/language.ts';

export const text = inLanguage('run-view/breakpoints', {
  /** Titles of commands. */
  commands: {
    raise: 'Raise the budget of the paused run',
    skip: 'Skip the held node with an output',
    edit: 'Edit the inputs of the held node',
    toggle: 'Add or remove a breakpoint',
    toggleWords: 'stop before a node, debugger, toggle',
  },
  title: 'Breakpoints',
  heading: 'BREAKPOINTS',
  none: 'No breakpoints',
  howTo:
    'Select a node and press F9, or click the margin beside its text. Your runs then stop before it. Only you see your breakpoints; they are not in the file.',
  stopped: 'stopped here',
  gone: 'the node no longer exists',
  off: 'off',
  stopIf: ({ condition }: { readonly condition: string }) => `if ${condition}`,
  item: ({ item }: { readonly item: number }) => `item ${numberText(item)}`,
  isOn: ({ node }: { readonly node: string }) => `Breakpoint before ${node}`,
  turnOn: 'Turn on (Space)',
  turnOff: 'Turn off (Space)',
  edit: 'Edit the condition',
  editOf: ({ node }: { readonly node: string }) => `Condition of the breakpoint before ${node}`,
  remove: 'Remove the breakpoint',
  removeKey: 'Del',
  when: 'Stop if',
  whenExample: 'order.total > 100',
  itemNumber: 'Item',
  anyItem: 'any',
  badItem: 'Enter the number of an item, from 1.',
  apply: 'Apply',
  cancel: 'Cancel',
});
