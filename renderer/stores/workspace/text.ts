/**
 * The text of files, models, packs and policies of the workspace.
 */
import { type Counted, inLanguage, numberText, plural } from '../../ui/language.ts';

interface AtPath {
  readonly path: string;
}

interface OfModel {
  readonly model: string;
}

interface MissingKey extends OfModel {
  readonly provider: string;
  readonly variable: string;
}

interface OfNode {
  readonly node: string;
}

interface OfPack {
  readonly pack: string;
}

interface PackVersion extends OfPack {
  readonly version: string;
}

export const text = inLanguage('stores/workspace', {
  files: {
    createFailed: ({ path }: AtPath) => `Couldn't create ${path}`,
    renameFailed: ({ path }: AtPath) => `Couldn't rename ${path}`,
    copyFailed: ({ path }: AtPath) => `Couldn't copy ${path}`,
    trashFailed: ({ path }: AtPath) => `Couldn't move ${path} to the trash`,
    unsavedTarget: ({ path }: AtPath) => `The open file ${path} has unsaved changes. Save or close it first.`,
    moveDraftsFailed: "Couldn't move local history and undo steps",
    draftsPutAside: 'Unsaved text was set aside',
    forgetDraftFailed: "Couldn't discard unsaved changes",
  },
  names: {
    missing: 'Enter a name.',
    /** `character` is in quotes. */
    badCharacter: ({ character }: { readonly character: string }) => `A name can't contain ${character}.`,
    badEnd: 'A name cannot end with a dot or a space.',
    device: 'Windows reserves this name for a device.',
    absolutePath: 'The path must be in the workspace, without a "/" at the start.',
    emptyFolder: 'The path contains a folder without a name.',
  },
  models: {
    ofWorkspace: 'Names in this workspace',
    default: 'default',
    usedInFlow: 'used in this flow',
    usedInWorkspace: 'used in this workspace',
    scripts: 'Scripts',
    scriptsOffline: 'work offline',
    scriptOffline: 'works offline',
    onThisComputer: 'On this computer',
    silent: 'does not respond',
    noKeyNeeded: 'no key needed',
    keySet: 'key set',
    keyNotAllowed: 'key not allowed here',
    keyNeeded: 'needs a key',
    noProvider: 'no provider offers it',
    notListed: ({ provider }: { readonly provider: string }) => `${provider} does not list it`,
  },
  /** Problems of files. */
  modelProblems: {
    /** In place of the name of a model. */
    defaultModel: 'The default model',
    missingInAgent: 'No model is chosen for this agent. Choose one in its options, or a default in Settings > Models.',
    missingInNode: ({ node }: OfNode) =>
      `No model is chosen for ${node}. Choose one in its settings, or a default in Settings > Models.`,
    keyMissingInAgent: ({ model, provider, variable }: MissingKey) =>
      `${model} needs a key for "${provider}". Enter it in Settings > Models, or set the environment variable ${variable}.`,
    keyMissingInNode: ({ model, provider, variable, node }: MissingKey & OfNode) =>
      `${model} needs a key for "${provider}". Enter it in the model field of ${node}, or set the environment variable ${variable}.`,
    unusable: ({ model, reason }: OfModel & { readonly reason: string }) => `${model} can't be used: ${reason}`,
  },
  imports: {
    tooLarge: ({ name }: { readonly name: string }) => `${name} is larger than 32 MiB.`,
    exists: ({ path }: AtPath) => `${path} exists by now`,
    importAgain: 'The imported flow was not opened. Import the file again: it then gets another name.',
  },
  packs: {
    failed: ({ pack, reason }: OfPack & { readonly reason: string }) => `Couldn't update ${pack}: ${reason}`,
    failedWithoutReason: ({ pack }: OfPack) => `Couldn't update ${pack}. The reason is unknown.`,
    installed: ({ pack, version }: PackVersion) => `${pack} ${version} is installed.`,
    updated: ({ pack, version }: PackVersion) => `${pack} is now at version ${version}.`,
    upToDate: ({ pack, version }: PackVersion) => `${pack} ${version} is up to date.`,
    none: 'No packs to update.',
    allUpToDate: ({ count }: Counted) =>
      plural(count, { one: '1 pack is up to date.', other: `All ${numberText(count)} packs are up to date.` }),
    othersUpToDate: ({ count }: Counted) =>
      plural(count, { one: '1 other pack is up to date.', other: `${numberText(count)} other packs are up to date.` }),
    installing: 'Installing…',
    notInstalled: 'Nothing was installed: you did not allow it.',
    busy: 'Another operation on packs is in progress. Try again after it ends.',
    checkingAll: 'Checking for updates…',
    checking: ({ pack }: OfPack) => `Checking for updates to ${pack}…`,
    removing: ({ pack }: OfPack) => `Removing ${pack}…`,
    removed: ({ pack }: OfPack) => `${pack} is in the trash.`,
  },
  triggers: {
    notSwitched: ({ name }: { readonly name: string }) => `The trigger ${name} could not be switched`,
    notStarted: 'The run could not be started again',
  },
  publishing: {
    notPublished: ({ path }: AtPath) => `${path} could not be published`,
    notUnpublished: ({ path }: AtPath) => `The address of ${path} could not be removed`,
    noKey: 'The key could not be created',
    notRevoked: 'The key could not be revoked',
    notOpened: 'The form page could not be opened',
  },
  policies: {
    created: ({ path }: AtPath) => `Created ${path}.`,
    opened: 'It is open in the program that your system uses for YAML files.',
    noProgram: ({ path }: AtPath) => `Your system has no program for YAML files. Open ${path} in a text editor.`,
  },
});
