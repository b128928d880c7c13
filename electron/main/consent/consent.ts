/**
 * Asks the user in system dialogs for consent that no page may grant. A compromised page can draw a question and answer
 * it, but it cannot reach these dialogs.
 */
import type { MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import { needText, type PermissionNeed } from '../../ipc/engine-base.ts';

/** A question with one button that allows the action and one that refuses it. */
export interface ConsentQuestion {
  readonly message: string;
  readonly detail: string;
  /** Label of the allow button. */
  readonly allow: string;
}

/** Resolves to whether the user agrees. */
export type AskConsent = (question: ConsentQuestion) => Promise<boolean>;

/**
 * Allows one question at a time and refuses others while one is open, so that a page cannot flood the user with
 * questions until one is accepted by accident. Enter and Escape refuse.
 */
export function createConsent(show: (options: MessageBoxOptions) => Promise<MessageBoxReturnValue>): AskConsent {
  let isAsking = false;
  return async ({ message, detail, allow }) => {
    if (isAsking) return false;
    isAsking = true;
    try {
      const buttons = [allow, 'Cancel'];
      const { response } = await show({
        type: 'warning',
        message,
        detail,
        buttons,
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      });
      return response === 0;
    } finally {
      isAsking = false;
    }
  };
}

export function trustQuestion(folder: string): ConsentQuestion {
  return {
    message: 'Trust this folder?',
    detail: `${shown(folder)}\n\nAgents in it will be able to do all that you can do: run commands and git, ask web servers, and read and write files anywhere. Allow it only if you have read them, or know who wrote them.`,
    allow: 'Trust This Folder',
  };
}

export function folderQuestion(folder: string): ConsentQuestion {
  return {
    message: 'Open this folder?',
    detail: `${shown(folder)}\n\nThis window, and the flows and agents that it starts, will be able to read and change the files in it.`,
    allow: 'Open Folder',
  };
}

/** Creates the question about a folder named by a link. */
export function linkedFolderQuestion(folder: string): ConsentQuestion {
  return {
    message: 'Open the folder that a link names?',
    detail: `${shown(folder)}\n\nA web page, a mail or another program asks for it. Flows and agents in its window will be able to read and change the files in it. Open it only if you have just followed a link of somebody you know.`,
    allow: 'Open Folder',
  };
}

export function homeQuestion(folder: string): ConsentQuestion {
  return {
    message: 'Open a folder that holds your home?',
    detail: `${shown(folder)}\n\nFlows and agents in this window will be able to read and change nearly all of your files. Choose a folder of your own for them instead. What begins with a dot in your home, such as .ssh, stays closed to their file names.`,
    allow: 'Open All the Same',
  };
}

/** Data that would be sent to a new host. */
interface NewHostQuestion {
  readonly provider: string;
  readonly host: string;
  readonly formerHost?: string;
  readonly keyVariable?: string;
}

export function hostQuestion({ provider, host, formerHost, keyVariable }: NewHostQuestion): ConsentQuestion {
  const key = keyVariable === undefined ? '' : `, and with it the key ${shown(keyVariable)}`;
  const former = formerHost === undefined ? '' : ` Up to now it went to ${shown(formerHost)}.`;
  return {
    message: `Send requests for models to ${shown(host)}?`,
    detail: `What is asked of models of "${shown(provider)}" will go to ${shown(host)}${key}.${former}\n\nAllow it only if you know that host and have just asked for this.`,
    allow: keyVariable === undefined ? 'Allow This Host' : 'Allow This Host and Key',
  };
}

export function packQuestion(uri: string): ConsentQuestion {
  return {
    message: 'Install this pack?',
    detail: `${shown(uri)}\n\nA pack is somebody else's code, and takes the place of an older one of its name in all workspaces. In those that you trust, its agents may do all that you can do.`,
    allow: 'Install Pack',
  };
}

export function newKeyQuestion(variable: string): ConsentQuestion {
  return {
    message: `Replace the key ${shown(variable)}?`,
    detail:
      'Models will be asked, and paid for, with another key from now on. The one that is used at present is forgotten, or no longer used if it comes from the environment.',
    allow: 'Replace Key',
  };
}

/** @param names at least one */
export function newSecretQuestion(names: readonly string[]): ConsentQuestion {
  const list = shown(names.join(', '));
  const isOne = names.length === 1;
  return {
    message: isOne ? `Replace the secret ${list}?` : `Replace ${names.length} secrets?`,
    detail: isOne
      ? 'Flows will send another value from now on. The one that is used at present is forgotten.'
      : `${list}\n\nFlows will send other values from now on. Those that are used at present are forgotten.`,
    allow: isOne ? 'Replace Secret' : 'Replace Secrets',
  };
}

export function removeSecretQuestion(name: string): ConsentQuestion {
  return {
    message: `Remove the secret ${shown(name)}?`,
    detail: 'Its value is forgotten, and flows that name it cannot run until it is entered again.',
    allow: 'Remove Secret',
  };
}

export function secretHostQuestion({ name, host }: { readonly name: string; readonly host: string }): ConsentQuestion {
  return {
    message: `Send the secret ${shown(name)} to ${shown(host)}?`,
    detail:
      'Flows of this workspace will be able to send it there, whenever they run; those of other workspaces will not. Allow it only if the secret belongs to that host.',
    allow: 'Allow This Host',
  };
}

export function secretFlowQuestion(names: readonly string[]): ConsentQuestion {
  return {
    message: `Let this flow use ${shown(names.join(', '))}?`,
    detail:
      "It comes from a pack, or this workspace is not trusted: the flow may be somebody else's. Allow it only if you have looked at where it sends these secrets. It holds until the text of the flow changes, or the version of its pack.",
    allow: names.length === 1 ? 'Allow This Secret' : 'Allow These Secrets',
  };
}

/** @param needs at least one */
export function permissionQuestion(workspace: string, needs: readonly PermissionNeed[]): ConsentQuestion {
  const lines = [...new Set(needs.map((need) => `• ${capitalized(shown(needText(need)))}`))];
  const more = lines.length > mostLines ? `\n… and ${lines.length - mostLines} more` : '';
  const trust = needs.some(({ kind }) => kind === 'trust')
    ? ' In a workspace that you trust, flows and agents can do all that you can do: run commands, reach any address, and read and write files anywhere.'
    : '';
  return {
    message: lines.length === 1 ? 'Give this permission?' : `Give these ${lines.length} permissions?`,
    detail: `${lines.slice(0, mostLines).join('\n')}${more}\n\n${shown(workspace)} keeps ${lines.length === 1 ? 'it' : 'them'} for later runs.${trust} Allow it only if you know what the flow does.`,
    allow: lines.length > mostLines ? 'Allow All' : lines.length === 1 ? 'Allow' : `Allow ${lines.length}`,
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A file written by a run, and the lines it changed. */
interface WrittenChange {
  readonly path: string;
  readonly decides?: string;
  readonly changes: readonly string[];
}

/** Maximum number of lines that fit in a system dialog. */
const mostLines = 20;

export function writtenQuestion({ path, decides, changes }: WrittenChange): ConsentQuestion {
  const what = decides === undefined ? 'It acts as in a trusted workspace then' : `It is ${decides}`;
  const lines = changes.slice(0, mostLines).map((line) => shown(line).slice(0, 120));
  const more = changes.length > mostLines ? `\n… and ${changes.length - mostLines} more lines` : '';
  return {
    message: `Allow the change of ${shown(path)}?`,
    detail: `A run wrote this file. ${what}, so it decides what later runs may do. These lines changed:\n\n${lines.join('\n')}${more}\n\nAllow it only if you have read all of the change.`,
    allow: 'Allow',
  };
}

export function toolQuestion(tool: string, params: unknown): ConsentQuestion {
  return {
    message: `Call the tool ${shown(tool)}?`,
    detail: `${shown(JSON.stringify(params))}\n\nIt may change things outside of this workspace, or send something out, and does so again each time. Allow it only if you have just asked for this.`,
    allow: 'Call It',
  };
}

/** A requested setting for messages about open requests. */
type DeliveryWish =
  | { readonly via: 'command'; readonly program: string; readonly args: readonly string[] }
  | {
      readonly via: 'request';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    };

export function deliveryQuestion(wish: DeliveryWish): ConsentQuestion {
  if (wish.via === 'command') {
    const words = [wish.program, ...wish.args].map((word) => JSON.stringify(word)).join(' ');
    return {
      message: 'Run this program whenever something waits for you?',
      detail: `${shown(words)}\n\nIt is told what waits, in all workspaces, and can do all that you can do. Allow it only if you have just chosen it.`,
      allow: 'Run This Program',
    };
  }
  const written = [wish.url, wish.body, ...Object.values(wish.headers)].join('\n');
  const secrets = [...new Set([...written.matchAll(/\{\{\s*secret\.(\w+)/g)].map(([, name]) => name))];
  const key = secrets.length === 0 ? '' : `, and with it ${shown(secrets.join(', '))}`;
  return {
    message: 'Send a message to this address whenever something waits for you?',
    detail: `${shown(wish.url)}\n\nWhat waits, in all workspaces, will be told there${key}. Allow it only if you know that address and have just entered it.`,
    allow: 'Send Messages There',
  };
}

/** @param processes at least one */
export function leftProcessesQuestion(
  processes: readonly { readonly pid: number; readonly command: string }[],
): ConsentQuestion {
  const isOne = processes.length === 1;
  const lines = processes.slice(0, 10).map(({ pid, command }) => `${pid}: ${shown(command)}`);
  const more = processes.length > 10 ? [`and ${processes.length - 10} more`] : [];
  return {
    message: isOne
      ? 'End the process that this run has left?'
      : `End ${processes.length} processes that this run has left?`,
    detail: `${[...lines, ...more].join('\n')}\n\nCommands of the run started ${isOne ? 'it' : 'them'} before the run was interrupted. What ${isOne ? 'it has' : 'they have'} not saved is lost.`,
    allow: isOne ? 'End Process' : 'End Processes',
  };
}

export function deleteRunQuestion({
  number,
  name,
}: {
  readonly number: number;
  readonly name: string;
}): ConsentQuestion {
  return {
    message: `Delete run ${number} of ${shown(name)}?`,
    detail:
      'What it was given, what it did and what it made known goes from the history for good. Files that it has written stay.',
    allow: 'Delete Run',
  };
}

const maxShown = 500;

/**
 * Escapes text from a page or file so that it cannot imitate the program's own text: no line breaks, no bidirectional
 * control characters.
 */
export function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  return plain.length <= maxShown ? plain : `${plain.slice(0, maxShown)}… (${plain.length - maxShown} more)`;
}
