/**
 * The text of the dialogs about files, and of drops on the window.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

interface PathPart {
  readonly path: string;
}

export const text = inLanguage('app/files', {
  /** Asks which version to keep after another program changed the file. */
  conflict: {
    title: 'File changed on disk',
    description: ({ path }: PathPart) => `Another program changed ${path}. The current file is on the left.`,
    noOverlap: "The changes don't overlap. You can edit the merged text on the right.",
    overlap: ({ count }: { readonly count: number }) =>
      plural(count, {
        one: '1 place changed in both versions; your text is kept there. You can edit the merged text on the right.',
        other: `${numberText(count)} places changed in both versions; your text is kept there. You can edit the merged text on the right.`,
      }),
    diff: ({ path }: PathPart) => `The file on the left, the merged text of ${path} on the right`,
    keepMine: 'Keep mine unchanged',
    useDisk: 'Use the file on disk',
    useMerged: 'Use the merged text',
    undo: 'Merge with the file',
  },
  convert: {
    title: 'Convert to FlowSpec',
    description: "Writes the steps as nodes and edges to a new file. This file doesn't change.",
    proposedName: ({ name }: { readonly name: string }) => `${name} nodes`,
    name: 'Name',
    creates: 'Creates {path}',
    lostHeading: 'Lost in the conversion:',
    lost: 'Lost in the conversion',
    cancel: 'Cancel',
    convert: 'Convert',
  },
  create: {
    title: 'New',
    description: 'Creates a file that you can edit and run right away.',
    kind: 'Type',
    flow: 'Flow',
    steps: 'Step flow',
    conversation: 'Conversation',
    agent: 'Agent',
    pack: 'Pack',
    name: 'Name',
    folder: 'Folder',
    folderNote: 'empty for the workspace folder',
    product: 'Product',
    productIsNew: 'new',
    productNote: 'its tools, agents and rules apply',
    creates: 'Creates {path}',
    createsListed: 'Creates {path}, and adds it to the flows in {manifest} if that file lists flows',
    cancel: 'Cancel',
    create: 'Create',
    creating: 'Creating…',
    describe: 'Continue',
    opens: 'Opens {path} without saving it',
  },
  /** What a new flow contains at first. */
  content: {
    label: 'Start with',
    words: 'A description',
    description: 'What should the flow do?',
    descriptionHint: 'Read the mails in inbox/, sort them by topic, and write a summary to summary.md.',
    descriptionNote:
      'A model proposes the flow. You review it on the canvas, and the file is written when you save it.',
    noModel: 'A model is needed to turn a description into a flow.',
    setUp: 'Set up a model…',
    empty: 'Empty',
    example: 'From an example',
    steps: 'From steps',
    examplesFailed: "Couldn't list the examples.",
    loading: 'Loading examples…',
    noExamples: 'This copy of Millrace has no examples.',
    examples: 'Example',
    stepList: 'Steps',
    stepType: ({ number }: { readonly number: number }) => `Type of step ${number}`,
    removeStep: ({ number }: { readonly number: number }) => `Remove step ${number}`,
    addStep: 'Add a step',
  },
  /** Names for new files, and why a name can't be used. */
  names: {
    newFlow: 'New flow',
    newAssistant: 'New assistant',
    newAgent: 'New agent',
    missing: 'Enter a name.',
    needsLetter: 'The name needs a letter or a digit.',
    exists: ({ path }: PathPart) => `${path} already exists. Choose another name.`,
    packForm: 'Use a name like my@pack: letters, digits, "-" and "_" around one "@".',
    productMissing: 'Enter a product name.',
    saveManifestFirst: ({ path }: PathPart) => `Save ${path} first. The new flow will be listed there.`,
    listed: 'Added the flow to the product',
    listedIn: ({ path }: PathPart) => `The new flow is listed in ${path}.`,
  },
  /** Text in new files. */
  templates: {
    approval: 'List the notes?',
    findNote: 'Finds a note by its topic.',
    findNoteExamples: 'what did we say about it, find the note',
    topic: 'The topic of the note.',
    smallTalk: 'Talks about anything else.',
    smallTalkExamples: 'hello, thank you',
  },
  import: {
    title: 'Import flows',
    description: 'Opens flows of another program as new flows. Nothing is written until you save.',
    several: ({ name, count }: { readonly name: string; readonly count: number }) =>
      `${name} contains ${numberText(count)} flows. Nothing is written until you save.`,
    exports: {
      n8n: 'A workflow, downloaded as JSON from its menu',
      rivet: 'A project (.rivet-project) or a graph (.rivet-graph)',
      flowise: 'An agentflow or chatflow, exported as JSON',
    },
    orDrop: 'You can also drop a file on the window.',
    busy: 'Importing…',
    file: 'File to import',
    choose: 'Choose a file…',
    flows: 'Flows in the file',
    nodes: ({ count }: { readonly count: number }) =>
      plural(count, { one: '1 node', other: `${numberText(count)} nodes` }),
    placeholders: ({ count }: { readonly count: number }) =>
      plural(count, { one: '1 placeholder', other: `${numberText(count)} placeholders` }),
    callEachOther: 'Flows can call each other.',
    cancel: 'Cancel',
    open: ({ count }: { readonly count: number }) =>
      plural(count, { one: 'Open 1 flow', other: `Open ${numberText(count)} flows` }),
    failed: ({ name }: { readonly name: string }) => `Couldn't import ${name}`,
  },
  rename: {
    title: ({ name }: { readonly name: string }) => `Rename ${name}`,
    description: 'Unsaved changes and the undo history are kept. To move the file, change its folder.',
    path: 'Path in the workspace',
    cancel: 'Cancel',
    rename: 'Rename',
  },
  close: {
    title: ({ name }: { readonly name: string }) => `Save changes to ${name}?`,
    description: "Unsaved changes stay in the file's undo history and local history.",
    save: 'Save',
    discard: 'Don’t save',
    cancel: 'Cancel',
  },
  drop: {
    openSentFailed: "Couldn't open the run",
    title: 'Drop to open',
    hint: 'A file in this workspace, a flow to import, a pack to install, or another folder',
    hintWithoutFolder: 'A folder to use as the workspace',
    openFolderFailed: "Couldn't open the folder",
    outside: ({ name, more }: { readonly name: string; readonly more: number }) =>
      plural(more, {
        zero: `${name} is not in this workspace`,
        one: `${name} and 1 more file are not in this workspace`,
        other: `${name} and ${numberText(more)} more files are not in this workspace`,
      }),
    noFolder: "Open the file's folder first: drop it here, or choose File > Open Folder.",
    outsideHelp: ({ folder }: { readonly folder: string }) =>
      `Only files in the workspace can be opened. Copy them to ${folder}, or drop their folder to open it instead.`,
  },
  history: {
    title: 'Local history',
    description: ({ path }: PathPart) => `Versions of ${path} on this computer, one for each save.`,
    versions: 'Local history',
    version: ({ reason, size }: { readonly reason: string; readonly size: string }) => `${reason} · ${size}`,
    opened: 'as opened',
    saved: 'saved',
    changedElsewhere: 'changed by another program',
    empty: 'No versions yet. Each save adds one.',
    choose: 'Select a version to see what has changed since then.',
    diff: ({ path }: PathPart) => `An earlier version of ${path} and the changes since then`,
    undo: ({ date }: { readonly date: string }) => `Restore the version from ${date}`,
    restore: 'Restore this version',
  },
  /** Asks for consent to a file that a run wrote. */
  written: {
    wrote: 'A run wrote this file.',
    wroteDecides: ({ decides }: { readonly decides: string }) => `A run wrote this file, which is ${decides}.`,
    noFileBefore: 'The file did not exist before.',
    unknownBefore: 'The text before the run is unknown.',
    before: 'The text before the run is on the left.',
    notTrusted: 'Until you allow it, it is treated as if this workspace were not trusted.',
    notLoaded: 'Until you allow it, no run loads it.',
    diff: ({ path }: PathPart) => `${path}, before and after the run`,
    notNow: 'Not now',
    allow: 'Allow this text…',
  },
});
