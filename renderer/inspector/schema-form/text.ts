/**
 * The text of the form of a JSON Schema.
 */
import { inLanguage, numberText } from '../../ui/language.ts';

export const text = inLanguage('inspector/schema-form', {
  editor: {
    jsonLabel: ({ field }: { readonly field: string }) => `${field} as JSON`,
    jsonText: 'JSON text',
    disabled: 'The form is disabled until the JSON text is valid.',
    schema: 'The schema',
    notJson: ({ problem }: { readonly problem: string }) => `Not JSON yet, so the file is unchanged: ${problem}.`,
    notSchema: 'The file is unchanged: a schema is a map such as { "type": "object" }, or true or false.',
    start: 'A schema defines the fields of the value. Start with:',
    noForm: "This value can't be edited as a form, so it is shown as text.",
    tooManyFields: ({ count }: { readonly count: number }) =>
      `This schema has more than ${numberText(count)} fields, so it is shown as text.`,
  },
  templates: {
    labelAndReason: 'Label and reason',
    list: 'List of items',
    ownFields: 'Custom fields',
  },
  kinds: {
    string: 'Text',
    choice: 'One of',
    number: 'Number',
    integer: 'Whole number',
    boolean: 'Yes or no',
    array: 'List',
    object: 'Fields',
    any: 'Anything',
    locked: 'Set in the JSON text',
  },
  value: {
    label: 'The value is',
    eachItemLabel: 'Each item is',
    eachLabel: ({ name }: { readonly name: string }) => `Each of ${name} is`,
    eachItem: 'each item',
    each: ({ name }: { readonly name: string }) => `each of ${name}`,
    more: ({ keywords }: { readonly keywords: string }) => `More in the JSON text: ${keywords}`,
  },
  fields: {
    notMap: 'The fields are not shown because "properties" is not a map. Fix it in the JSON text.',
    add: 'Add a field',
    noOthers: 'No other fields',
    name: ({ field }: { readonly field: string }) => `Name of ${field}`,
    type: ({ field }: { readonly field: string }) => `Type of ${field}`,
    description: ({ field }: { readonly field: string }) => `Description of ${field}`,
    descriptionHint: 'What it means',
    isRequired: ({ field }: { readonly field: string }) => `${field} is required`,
    required: 'required',
  },
  choices: {
    empty: '(empty)',
    remove: ({ choice }: { readonly choice: string }) => `Remove choice ${choice}`,
    add: 'Add a choice',
    none: 'Add at least one choice. Without choices, no value is valid.',
  },
});
