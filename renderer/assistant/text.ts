/**
 * The text of the panel of the assistant.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

export const text = inLanguage('assistant', {
  title: 'Ask Millrace',
  close: 'Close',
  clear: 'Delete this conversation',
  message: 'Message',
  placeholder: 'Ask for a change, or why',
  send: 'Send',
  cancel: 'Cancel',
  empty: 'Describe a change of this flow, or ask about it. You review every change before it counts.',
  working: 'Working…',
  sees: 'Sees: this flow, selection, last error',
  whatIsSent: 'What is sent',
  hideSent: 'Hide what is sent',
  sent: {
    title: 'What is sent',
    to: ({ model }: { readonly model: string }) => `Your message and this data are sent to ${model}.`,
    noModel: 'No model can be used.',
    data: 'Data',
    instructions: 'Instructions',
    first: 'The first message of a conversation waits for you to check this.',
  },
  proposal: ({ title }: { readonly title: string }) => `Review: ${title}`,
  tokens: ({ count }: { readonly count: number }) =>
    plural(count, { one: '1 token', other: `${numberText(count)} tokens` }),
  ofBudget: ({ cost, budget }: { readonly cost: string; readonly budget: string }) => `${cost} of ${budget}`,
  tools: {
    read_flow: 'Reads a flow',
    list_node_types: 'Looks up node types',
    check_flow: 'Checks a text',
    propose_changes: 'Proposes a change',
    other: 'Calls an unknown tool',
  },
});
