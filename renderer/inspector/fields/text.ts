/**
 * The text of the fields of forms. `field-editors` has the text of the controls in them.
 */
import { inLanguage, type Labeled } from '../../ui/language.ts';

export const text = inLanguage('inspector/fields', {
  row: {
    lastValue: ({ value }: { readonly value: string }) => `In this run: ${value}`,
    restoreDefault: ({ label }: Labeled) => `Restore default of ${label}`,
    bind: ({ label }: Labeled) => `${label}: bind to a value`,
    unbind: ({ label }: Labeled) => `${label}: use a value instead of a binding`,
    values: 'Values',
    duration: 'Time',
  },
  cases: {
    add: ({ path, values }: { readonly path: string; readonly values: string }) =>
      `Add a case for each ${path}: ${values}`,
  },
  inputs: {
    title: 'Inputs',
    choose: 'Choose one',
    text: 'text',
    number: 'number',
    boolean: 'yes or no',
    choice: 'one of a list',
    json: 'JSON',
    any: 'text or JSON',
    secret: 'not stored until it is sent',
    file: 'a file in the workspace',
    suggested: 'a choice, or other text',
    list: 'list as JSON',
    map: 'map as JSON',
    required: ({ type }: { readonly type: string }) => `${type}, required`,
    optional: ({ type }: { readonly type: string }) => `${type}, optional`,
  },
  conflict: {
    changed: 'Changed elsewhere while you were typing. The file now contains:',
    empty: '(nothing)',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
});
