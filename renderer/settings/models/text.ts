/**
 * The text of the settings for models and providers.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

interface Named {
  readonly name: string;
}

export const text = inLanguage('settings/models', {
  names: {
    defaultModel: 'Default model',
    defaultModelNote: 'used where no model is named',
    defaultModelHint: 'provider::model, or an alias',
    save: 'Save',
    aliases: 'Aliases',
    alias: 'Alias',
    model: 'Model',
    standsFor: 'stands for',
    add: 'Add',
    change: 'Change',
    remove: 'Remove',
    removeAlias: ({ name }: Named) => `Remove ${name}`,
    removeFailed: ({ name }: Named) => `Couldn't remove ${name}`,
    incomplete: 'An alias needs a name and a model.',
  },
  providers: {
    list: 'Providers',
    add: 'Add a provider',
    noKeyNeeded: 'needs no key',
    keyNotAllowed: 'key not allowed for this host',
    keySet: 'key set',
    keyInEnvironment: 'key set by the environment',
    noKey: 'no key',
    allow: 'Allow…',
    allowKey: ({ name }: Named) => `Allow the key of ${name} for this host`,
    allowFailed: "Couldn't allow the key",
    test: 'Test connection',
    testProvider: ({ name }: Named) => `Test the connection to ${name}`,
    testing: 'Testing…',
    modelCount: ({ count }: { readonly count: number }) =>
      plural(count, { one: '1 model', other: `${numberText(count)} models` }),
    modelsAndMore: ({ models, count }: { readonly models: string; readonly count: number }) =>
      `${models}, and ${numberText(count)} more`,
    edit: 'Edit',
    editProvider: ({ name }: Named) => `Edit ${name}`,
    remove: 'Remove',
    removeProvider: ({ name }: Named) => `Remove ${name}`,
    removeFailed: ({ name }: Named) => `Couldn't remove ${name}`,
  },
  form: {
    newProvider: 'New provider',
    name: 'Name',
    nameNote: 'used as NAME::model',
    nameInvalid: 'Start with a letter. Use only letters, digits, _ and -.',
    nameTaken: 'A provider with this name already exists.',
    kind: 'Kind',
    openAiCompatible: 'OpenAI-compatible',
    openAi: 'OpenAI',
    anthropic: 'Anthropic',
    gemini: 'Gemini',
    ollama: 'Ollama',
    baseUrl: 'Base URL',
    baseUrlNote: 'if empty, the default for this kind',
    baseUrlMissing: 'This kind needs a base URL.',
    keyVariable: 'Key variable',
    keyVariableInvalid: 'Use only letters, digits and _.',
    key: 'Key',
    keyNote: "saved in the system's vault",
    keySavedNote: "saved in the system's vault; a new one replaces it",
    keyInvalid: "A key can't contain spaces or accented letters.",
    removeKey: 'Remove the key',
    cancel: 'Cancel',
    save: 'Save',
  },
});
