/**
 * The text of the list of packs and its dialogs.
 */
import { inLanguage } from '../ui/language.ts';

export const text = inLanguage('packs', {
  list: {
    packs: 'Packs',
    install: 'Install…',
    updateAll: 'Update all packs',
    loading: 'Loading packs…',
    failed: ({ reason }: { readonly reason: string }) => `Couldn't list the packs: ${reason}`,
    empty: 'No packs yet',
    emptyInstall: 'Install a pack…',
    emptyNote: 'A pack is a folder of agents and flows written by someone else. Run them by name, such as {example}.',
    unusable: 'Cannot be used',
    hidden: 'hidden',
    builtIn: 'built-in',
    ofWorkspace: 'this workspace',
    ofPerson: 'yours',
    installed: 'installed',
  },
  install: {
    title: 'Install a pack',
    description: 'The pack is installed for all workspaces.',
    pack: 'Pack',
    packNote: 'name, URL, git repository or file',
    missing: 'Enter a pack.',
    examples: 'Examples: {name}, {url}, {git} or the path of an {file} file.',
    warning:
      "A pack is somebody else's code. Its agents read this workspace and send what they read to your models. In a workspace that you trust, they can do anything that you can do.",
    file: 'Pack file',
    chooseFile: 'Choose a file…',
    installing: 'Installing…',
    install: 'Install',
  },
  pack: {
    loadingReadme: 'Loading the readme…',
    readmeFailed: ({ reason }: { readonly reason: string }) => `Couldn't read the readme: ${reason}`,
    readme: 'Readme',
    contents: 'Contents',
    shadowed: ({ name }: { readonly name: string }) =>
      `Another pack named ${name} takes precedence, so this one is not used.`,
    atCommit: '{folder} at commit {commit}',
    update: 'Update',
    remove: 'Remove…',
    removeQuestion: ({ name }: { readonly name: string }) => `Move ${name} to the trash? Its stored data is kept.`,
    cancel: 'Cancel',
    removeNow: 'Remove',
    builtIn: 'Included with Millrace.',
    ofWorkspace: 'In this workspace.',
    ofPerson: 'One of your own packs.',
    installed: 'Installed.',
    installedOn: ({ day }: { readonly day: string }) => `Installed on ${day}.`,
    installedFrom: ({ source }: { readonly source: string }) => `Installed from ${source}.`,
    installedFromOn: ({ source, day }: { readonly source: string; readonly day: string }) =>
      `Installed from ${source} on ${day}.`,
  },
});
