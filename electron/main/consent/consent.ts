/**
 * Asks the user in system dialogs for consent that no page may grant. A compromised page can draw a question and answer
 * it, but it cannot reach these dialogs.
 */
import type { MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import { needText, type PermissionNeed } from '../../ipc/engine-base.ts';
import { text } from './text.ts';

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
      const buttons = [allow, text().cancel];
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
  const { message, detail, allow } = text().trust;
  return { message, detail: `${shown(folder)}\n\n${detail}`, allow };
}

export function folderQuestion(folder: string): ConsentQuestion {
  const { message, detail, allow } = text().folder;
  return { message, detail: `${shown(folder)}\n\n${detail}`, allow };
}

/** Creates the question about opening a folder that a link names. */
export function linkedFolderQuestion(folder: string): ConsentQuestion {
  const { linked, linkedDetail, allow } = text().folder;
  return { message: linked, detail: `${shown(folder)}\n\n${linkedDetail}`, allow };
}

export function homeQuestion(folder: string): ConsentQuestion {
  const { home, homeDetail, openAnyway } = text().folder;
  return { message: home, detail: `${shown(folder)}\n\n${homeDetail}`, allow: openAnyway };
}

/** A new host and the data that would be sent to it. */
interface NewHostQuestion {
  readonly provider: string;
  readonly host: string;
  readonly formerHost?: string;
  readonly keyVariable?: string;
}

export function hostQuestion({ provider, formerHost, keyVariable, ...to }: NewHostQuestion): ConsentQuestion {
  const words = text().host;
  const [name, host] = [shown(provider), shown(to.host)];
  const first =
    keyVariable === undefined
      ? words.detail({ name, host })
      : words.detailWithKey({ name, host, key: shown(keyVariable) });
  const former = formerHost === undefined ? [] : [words.former({ host: shown(formerHost) })];
  return {
    message: words.message({ host }),
    detail: `${[first, ...former].join(' ')}\n\n${words.warning}`,
    allow: keyVariable === undefined ? words.allow : words.allowWithKey,
  };
}

/** A server that was entered in settings. */
interface RemoteQuestion {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly tls: string;
  /** Whether a password is sent to the server. */
  readonly hasPassword: boolean;
}

export function remoteQuestion({ host, port, database, user, tls, hasPassword }: RemoteQuestion): ConsentQuestion {
  const words = text().remote;
  const server = shown(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
  const sentences = [
    words.detail({ database: shown(database), user: shown(user) }),
    ...(hasPassword ? [words.password] : []),
    ...(tls === 'disable' ? [words.unencrypted] : []),
  ];
  return {
    message: words.message({ server }),
    detail: `${sentences.join(' ')}\n\n${words.warning}`,
    allow: words.allow,
  };
}

export function packQuestion(uri: string): ConsentQuestion {
  const { message, detail, allow } = text().pack;
  return { message, detail: `${shown(uri)}\n\n${detail}`, allow };
}

export function newKeyQuestion(variable: string): ConsentQuestion {
  const { replace, replaceDetail, allow } = text().key;
  return { message: replace({ name: shown(variable) }), detail: replaceDetail, allow };
}

/** @param names at least one */
export function newSecretQuestion(names: readonly string[]): ConsentQuestion {
  const words = text().secret;
  const list = shown(names.join(', '));
  if (names.length === 1) {
    return { message: words.replace({ name: list }), detail: words.replaceDetail, allow: words.replaceOne };
  }
  return {
    message: words.replaceMany({ count: names.length }),
    detail: `${list}\n\n${words.replaceManyDetail}`,
    allow: words.replaceAll,
  };
}

export function removeSecretQuestion(name: string): ConsentQuestion {
  const { remove, removeDetail, removeButton } = text().secret;
  return { message: remove({ name: shown(name) }), detail: removeDetail, allow: removeButton };
}

export function secretHostQuestion({ name, host }: { readonly name: string; readonly host: string }): ConsentQuestion {
  const { send, sendDetail, allowHost } = text().secret;
  return { message: send({ name: shown(name), host: shown(host) }), detail: sendDetail, allow: allowHost };
}

export function secretFlowQuestion(names: readonly string[]): ConsentQuestion {
  const { use, useDetail, allowUse } = text().secret;
  return {
    message: use({ names: shown(names.join(', ')) }),
    detail: useDetail,
    allow: allowUse({ count: names.length }),
  };
}

/** @param needs at least one */
export function permissionQuestion(workspace: string, needs: readonly PermissionNeed[]): ConsentQuestion {
  const words = text().permission;
  const lines = [...new Set(needs.map((need) => `• ${capitalized(shown(needText(need)))}`))];
  const count = lines.length;
  const more = count > mostLines ? [words.more({ count: count - mostLines })] : [];
  const trust = needs.some(({ kind }) => kind === 'trust') ? [words.trust] : [];
  const sentences = [words.kept({ count, workspace: shown(workspace) }), ...trust, words.warning];
  return {
    message: words.message({ count }),
    detail: `${[...lines.slice(0, mostLines), ...more].join('\n')}\n\n${sentences.join(' ')}`,
    allow: count > mostLines ? words.allowAll : words.allow({ count }),
  };
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
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
  const words = text().written;
  const lines = changes.slice(0, mostLines).map((line) => shown(line).slice(0, 120));
  const more = changes.length > mostLines ? [words.more({ count: changes.length - mostLines })] : [];
  const first = decides === undefined ? words.runs : words.decides({ what: decides });
  return {
    message: words.message({ path: shown(path) }),
    detail: `${first}\n\n${[...lines, ...more].join('\n')}\n\n${words.warning}`,
    allow: text().allow,
  };
}

export function toolQuestion(tool: string, params: unknown): ConsentQuestion {
  const { message, detail, allow } = text().tool;
  return { message: message({ name: shown(tool) }), detail: `${shown(JSON.stringify(params))}\n\n${detail}`, allow };
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
  const words = text().messages;
  if (wish.via === 'command') {
    const command = [wish.program, ...wish.args].map((word) => JSON.stringify(word)).join(' ');
    return {
      message: words.command,
      detail: `${shown(command)}\n\n${words.commandDetail}`,
      allow: words.allowCommand,
    };
  }
  const written = [wish.url, wish.body, ...Object.values(wish.headers)].join('\n');
  const secrets = [...new Set([...written.matchAll(/\{\{\s*secret\.(\w+)/g)].map(([, name]) => name))];
  const told =
    secrets.length === 0 ? words.requestDetail : words.requestDetailWithSecrets({ names: shown(secrets.join(', ')) });
  return {
    message: words.request,
    detail: `${shown(wish.url)}\n\n${told} ${words.warning}`,
    allow: words.allowRequest,
  };
}

/** @param processes at least one */
export function leftProcessesQuestion(
  processes: readonly { readonly pid: number; readonly command: string }[],
): ConsentQuestion {
  const words = text().processes;
  const count = processes.length;
  const lines = processes.slice(0, 10).map(({ pid, command }) => `${pid}: ${shown(command)}`);
  const more = count > 10 ? [words.more({ count: count - 10 })] : [];
  return {
    message: words.message({ count }),
    detail: `${[...lines, ...more].join('\n')}\n\n${words.detail({ count })}`,
    allow: words.end({ count }),
  };
}

export function deleteRunQuestion({
  number,
  name,
}: {
  readonly number: number;
  readonly name: string;
}): ConsentQuestion {
  const words = text().run;
  return {
    message: words.delete({ number, name: shown(name) }),
    detail: words.deleteDetail,
    allow: words.deleteButton,
  };
}

const maxShown = 500;

/**
 * Escapes text from a page or file so that it cannot imitate the program's own text: no line breaks, no bidirectional
 * control characters.
 */
export function shown(untrusted: string): string {
  const plain = untrusted.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
  if (plain.length <= maxShown) return plain;
  return `${plain.slice(0, maxShown)}${text().cut({ count: plain.length - maxShown })}`;
}
