/**
 * The text of quick open.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

export const text = inLanguage('app/quick-pick', {
  label: 'Go to',
  title: 'Go to a file, node, model, run, agent or command',
  placeholder: 'Name of a file, node, model, run, agent or command, or > to find only commands',
  noCommands: 'No matching commands are available.',
  nothing: 'No matches.',
  run: ({ name, number }: { readonly name: string; readonly number: number }) => `${name}, run ${number}`,
  model: ({ about }: { readonly about: string }) => `model · ${about}`,
  modelUsed: ({ count }: { readonly count: number }) =>
    plural(count, { one: 'model · used by 1 node', other: `model · used by ${numberText(count)} nodes` }),
  trigger: ({ path }: { readonly path: string }) => `trigger · ${path}`,
  modelUse: ({ node }: { readonly node: string }) => `model · use for ${node}`,
});
